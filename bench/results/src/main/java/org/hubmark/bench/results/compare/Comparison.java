package org.hubmark.bench.results.compare;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Two results side by side: the second against the first.
 *
 * @param pairs the scenarios that were compared
 * @param unmatched what could not be compared, and why
 * @param remarks what must be known of the whole
 */
public record Comparison(List<Pair> pairs, List<String> unmatched, List<String> remarks) {
    /** How the line of a scenario ends that only the second has. */
    static final String ONLY_IN_SECOND = ": only in B";

    /** Copies the lists. */
    public Comparison {
        pairs = List.copyOf(pairs);
        unmatched = List.copyOf(unmatched);
        remarks = List.copyOf(remarks);
    }

    /** Compares the scenarios that both have under one id. */
    public static Comparison of(Results first, Results second, Rule rule) {
        List<Pair> pairs = new ArrayList<>();
        List<String> unmatched = new ArrayList<>();
        for (Scenario scenario : first.scenarios()) {
            Optional<Scenario> other = second.scenario(scenario.id());
            if (other.isPresent()) {
                add(first, scenario, second, other.get(), rule, pairs, unmatched);
            } else {
                unmatched.add(scenario.id() + ": only in A");
            }
        }
        for (Scenario scenario : second.scenarios()) {
            if (first.scenario(scenario.id()).isEmpty()) {
                unmatched.add(scenario.id() + ONLY_IN_SECOND);
            }
        }
        return new Comparison(pairs, unmatched, remarks(first, second));
    }

    /** Compares a scenario of each, whatever they are called. */
    public static Comparison of(
            Results first, Scenario from, Results second, Scenario to, Rule rule) {
        List<Pair> pairs = new ArrayList<>();
        List<String> unmatched = new ArrayList<>();
        add(first, from, second, to, rule, pairs, unmatched);
        return new Comparison(pairs, unmatched, remarks(first, second));
    }

    private static void add(
            Results first,
            Scenario from,
            Results second,
            Scenario to,
            Rule rule,
            List<Pair> pairs,
            List<String> unmatched) {
        List<String> remarks = new ArrayList<>();
        List<String> obstacles = new ArrayList<>();
        for (Difference difference : Difference.between(first, from, second, to)) {
            String text = difference.name() + " differs: " + difference.text();
            (rule.across().contains(difference.name()) ? remarks : obstacles).add(text);
        }
        if (obstacles.isEmpty()) {
            remarks.addAll(Difference.remarks(first, from, second, to));
            pairs.add(Pair.of(from, to, rule, remarks));
        } else {
            unmatched.add(from.id() + ": " + String.join("; ", obstacles));
        }
    }

    private static List<String> remarks(Results first, Results second) {
        List<String> remarks = new ArrayList<>();
        Environment from = first.measured();
        Environment to = second.measured();
        if (!Objects.equals(from.processor().cpuModel(), to.processor().cpuModel())
                || from.processor().logicalCores() != to.processor().logicalCores()) {
            remarks.add("the machines differ: " + machine(from) + " and " + machine(to));
        }
        if (!Objects.equals(from.processor().cpuClockMhz(), to.processor().cpuClockMhz())) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "the clock differs, which cycles are made of: %s and %s MHz",
                    from.processor().cpuClockMhz(),
                    to.processor().cpuClockMhz()));
        }
        return remarks;
    }

    private static String machine(Environment environment) {
        return environment.processor().logicalCores() + " cores of "
                + (environment.processor().cpuModel() == null
                        ? "an unknown CPU"
                        : environment.processor().cpuModel());
    }
}
