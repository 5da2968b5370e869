package org.hubmark.bench.results.compare;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Two results side by side: the second against the first.
 *
 * @param pairs the scenarios that both have
 * @param unmatched what could not be compared, and why
 * @param remarks what must be known of the whole
 */
public record Comparison(List<Pair> pairs, List<String> unmatched, List<String> remarks) {
    /** Copies the lists. */
    public Comparison {
        pairs = List.copyOf(pairs);
        unmatched = List.copyOf(unmatched);
        remarks = List.copyOf(remarks);
    }

    /** Compares. */
    public static Comparison of(Results first, Results second, Rule rule) {
        List<Pair> pairs = new ArrayList<>();
        List<String> unmatched = new ArrayList<>();
        for (Scenario scenario : first.scenarios()) {
            Scenario other = find(second, scenario.id());
            String obstacle = other == null ? "only in A" : Pair.obstacle(scenario, other);
            if (other == null || obstacle != null) {
                unmatched.add(scenario.id() + ": " + obstacle);
            } else {
                pairs.add(Pair.of(scenario, other, rule));
            }
        }
        for (Scenario scenario : second.scenarios()) {
            if (find(first, scenario.id()) == null) {
                unmatched.add(scenario.id() + ": only in B");
            }
        }
        return new Comparison(pairs, unmatched, remarks(first, second));
    }

    private static @Nullable Scenario find(Results results, String id) {
        return results.scenarios().stream()
                .filter(scenario -> scenario.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private static List<String> remarks(Results first, Results second) {
        List<String> remarks = new ArrayList<>();
        Environment from = first.environment();
        Environment to = second.environment();
        if (!Objects.equals(from.cpuModel(), to.cpuModel())
                || from.logicalCores() != to.logicalCores()) {
            remarks.add("the machines differ: " + machine(from) + " and " + machine(to));
        }
        if (!Objects.equals(from.cpuClockMhz(), to.cpuClockMhz())) {
            remarks.add(String.format(
                    "the clock differs, which cycles are made of: %s and %s MHz",
                    from.cpuClockMhz(), to.cpuClockMhz()));
        }
        return remarks;
    }

    private static String machine(Environment environment) {
        return environment.logicalCores() + " cores of "
                + (environment.cpuModel() == null ? "an unknown CPU" : environment.cpuModel());
    }
}
