package org.hubmark.bench.results.compare;

import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.results.Results.CounterSource;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two scenarios beside each other.
 *
 * @param id of both, or of either
 * @param effects of the quantities known of both
 * @param decisive that the verdict rests on; null when it isn't known of both
 * @param tail judged beside it, by the same rule; none where somebody chose what decides, or where the
 *     rates were searched, so that each latency is one of another rate
 * @param faults which of them is not valid, and why
 * @param remarks what must be known to read it
 */
public record Pair(
        String id,
        List<Effect> effects,
        @Nullable Effect decisive,
        List<Effect> tail,
        Verdict verdict,
        List<Fault> faults,
        List<String> remarks) {
    /**
     * Why one of the two is not valid.
     *
     * @param name A or B
     */
    public record Fault(String name, List<String> reasons) {
        private static Optional<Fault> of(Scenario scenario, String name) {
            return scenario.valid()
                    ? Optional.empty()
                    : Optional.of(new Fault(name, scenario.invalidReasons()));
        }
    }

    /** Copies the lists. */
    public Pair {
        effects = List.copyOf(effects);
        tail = List.copyOf(tail);
        faults = List.copyOf(faults);
        remarks = List.copyOf(remarks);
    }

    /** {@return which is not valid and why; empty when both are} */
    public String notValid() {
        return faults.stream()
                .map(fault -> fault.name()
                        + (fault.reasons().isEmpty()
                                ? ""
                                : ": " + String.join("; ", fault.reasons())))
                .collect(Collectors.joining("; "));
    }

    /**
     * Compares.
     *
     * @param known remarks on their conditions
     */
    static Pair of(Scenario first, Scenario second, Rule rule, List<String> known) {
        List<String> remarks = new ArrayList<>(known);
        remarks(first, "A", remarks);
        remarks(second, "B", remarks);
        List<Effect> effects = effects(first, second, remarks);
        Quantity by = rule.decisive(first, second);
        Effect decisive = effects.stream()
                .filter(effect -> effect.quantity() == by)
                .findFirst()
                .orElse(null);
        if (rule.by() == null && by != Quantity.RATE) {
            remarks.add("by " + by.title()
                    + ": the rate was asked for, or searched only once, so it says nothing");
        }
        return new Pair(
                first.id().equals(second.id()) ? first.id() : first.id() + " / " + second.id(),
                effects,
                decisive,
                isTailJudged(first, second, rule)
                        ? effects.stream()
                                .filter(effect -> Quantity.TAIL.contains(effect.quantity()))
                                .toList()
                        : List.of(),
                verdict(first, second, decisive, by, rule, remarks),
                Stream.of(Fault.of(first, "A"), Fault.of(second, "B"))
                        .flatMap(Optional::stream)
                        .toList(),
                remarks);
    }

    private static boolean isTailJudged(Scenario first, Scenario second, Rule rule) {
        return rule.by() == null
                && !first.conditions().rateSearched()
                && !second.conditions().rateSearched();
    }

    private static Verdict verdict(
            Scenario first,
            Scenario second,
            @Nullable Effect decisive,
            Quantity by,
            Rule rule,
            List<String> remarks) {
        if (!first.valid() || !second.valid()) {
            return Verdict.NOT_VALID;
        }
        if (decisive == null) {
            remarks.add(by.title() + " are not known of both; --by has others");
            return Verdict.NO_VERDICT;
        }
        if (decisive.interval() == null) {
            remarks.add("a single repeat has no interval: measure with --repeat 3 or more");
        }
        return decisive.verdict(rule.smallest());
    }

    private static List<Effect> effects(Scenario first, Scenario second, List<String> remarks) {
        List<Effect> effects = new ArrayList<>();
        CounterSource from = first.figures().counterSource();
        CounterSource to = second.figures().counterSource();
        for (Quantity quantity : Quantity.values()) {
            Effect effect = Effect.of(quantity, first, second);
            if (effect == null) {
                continue;
            }
            if (quantity == Quantity.WRITES && !from.equals(to)) {
                remarks.add("writes are counted in different ways and can't be compared: log by "
                        + from.log() + " and " + to.log() + ", queue by " + from.queue() + " and "
                        + to.queue());
            } else {
                effects.add(effect);
            }
        }
        return effects;
    }

    private static void remarks(Scenario scenario, String name, List<String> remarks) {
        for (String reason : scenario.invalidReasons()) {
            remarks.add(name + " is not valid: " + reason);
        }
        if (scenario.conditions().safety().endangered()) {
            remarks.add(name + " is UNSAFE: " + scenario.conditions().safety().unsafeReason());
        }
        List<Scenario.Repeat> repeats = scenario.repeats();
        if (repeats.stream().anyMatch(repeat -> Boolean.FALSE.equals(repeat.steady()))) {
            remarks.add(name + " was not steady in all repeats");
        } else if (repeats.stream().anyMatch(repeat -> repeat.steady() == null)) {
            remarks.add(name + " may not have been steady in all repeats");
        }
        Double trend = scenario.spread().throughputTrendPercent();
        if (trend != null) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "the rate of %s %s over its repeats, by %.0f %% in all: they are not a sample"
                            + " of one rate",
                    name,
                    trend > 0 ? "rises" : "falls",
                    Math.abs(trend)));
        }
    }
}
