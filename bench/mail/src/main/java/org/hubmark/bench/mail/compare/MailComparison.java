package org.hubmark.bench.mail.compare;

import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.RowRule;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.mail.document.CounterSource;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.SustainedRate;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Two results of run, load or matrix side by side, scenario by scenario: one quantity decides, which is
 * settled before anybody looks at the figures; docs/decisions/0034 says why so.
 */
public final class MailComparison {
    /** A device counts others than the store does. */
    private static final Set<Column> WRITES = Set.of(
            ComparedScenarios.WRITES_PER_MSG,
            Figure.LOG_WRITES_PER_S,
            Figure.LOG_WRITES_PER_MSG,
            Figure.LOG_BYTES_PER_ACCEPTED_BYTE,
            Figure.QUEUE_WRITES_PER_S,
            Figure.QUEUE_WRITES_PER_MSG,
            Figure.QUEUE_BYTES_PER_ACCEPTED_BYTE);

    private final Results first;
    private final Results second;
    private final Rule rule;
    private final @Nullable Quantity by;

    private MailComparison(Results first, Results second, Rule rule, @Nullable Quantity by) {
        this.first = first;
        this.second = second;
        this.rule = rule;
        this.by = by;
    }

    /**
     * {@return the scenarios that both have under one id, compared}
     *
     * @param by the quantity that decides; null for the rate, or cycles where the rate was given
     */
    public static DocumentComparison of(
            Results first, Results second, Rule rule, @Nullable Quantity by) {
        MailComparison both = new MailComparison(first, second, rule, by);
        return DocumentComparison.of(
                ComparedScenarios.of(first),
                ComparedScenarios.of(second),
                rule,
                (from, to) -> both.rule(
                        scenario(first, from.id(ComparedScenarios.SCENARIOS)),
                        scenario(second, to.id(ComparedScenarios.SCENARIOS))));
    }

    private static Scenario scenario(Results results, String id) {
        return results.scenario(id).orElseThrow();
    }

    private RowRule rule(Scenario from, Scenario to) {
        List<String> obstacles = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        for (Difference difference : Difference.between(first, from, second, to)) {
            String text = difference.name() + " differs: " + difference.text();
            (rule.across().contains(difference.name()) ? remarks : obstacles).add(text);
        }
        remarks.addAll(Difference.remarks(first, from, second, to));
        remarks(from, "A", remarks);
        remarks(to, "B", remarks);
        Quantity decisive = decisive(from, to);
        if (by == null && decisive != Quantity.RATE) {
            remarks.add("by " + decisive.column().label()
                    + ": the rate was asked for, or searched only once, so it says nothing");
        }
        if (decisive.values(from).length == 0 || decisive.values(to).length == 0) {
            remarks.add(decisive.column().label() + " is not known of both; --by has others");
        }
        CounterSource before = from.counterSource();
        CounterSource after = to.counterSource();
        boolean isCountedAlike = before.equals(after);
        if (!isCountedAlike) {
            remarks.add("writes are counted in different ways and can't be compared: log by "
                    + before.log() + " and " + after.log() + ", queue by " + before.queue()
                    + " and " + after.queue());
        }
        List<String> faults = new ArrayList<>();
        fault(from, "A").ifPresent(faults::add);
        fault(to, "B").ifPresent(faults::add);
        return new RowRule(
                obstacles,
                remarks,
                faults,
                weights(decisive, isTailJudged(from, to)),
                isCountedAlike ? Set.of() : WRITES);
    }

    private static Map<Column, Pair.Weight> weights(Quantity decisive, boolean isTailJudged) {
        Map<Column, Pair.Weight> weights = new LinkedHashMap<>();
        for (Quantity quantity : Quantity.values()) {
            weights.put(
                    quantity.column(),
                    quantity == decisive
                            ? Pair.Weight.DECIDES
                            : isTailJudged && Quantity.TAIL.contains(quantity)
                                    ? Pair.Weight.BESIDE
                                    : Pair.Weight.SHOWN);
        }
        return weights;
    }

    /** {@return which is not valid and why; empty where it is} */
    private static Optional<String> fault(Scenario scenario, String name) {
        return scenario.validity().valid()
                ? Optional.empty()
                : Optional.of(name + " is not valid: "
                        + String.join("; ", scenario.validity().reasons()));
    }

    /** A server that takes as much may let some of it wait for long. Each latency is one of its own rate. */
    private boolean isTailJudged(Scenario from, Scenario to) {
        return by == null
                && !from.conditions().rateSearched()
                && !to.conditions().rateSearched();
    }

    private Quantity decisive(Scenario from, Scenario to) {
        if (by != null) {
            return by;
        }
        return isGiven(from) && isGiven(to) ? Quantity.CYCLES : Quantity.RATE;
    }

    /**
     * {@return whether the rate was asked for and kept, or searched once for all repeats: how far the
     * repeats lie apart then says nothing of how far two servers do}
     */
    static boolean isGiven(Scenario scenario) {
        SustainedRate found = scenario.sustainedRate();
        boolean searchedOnce = scenario.conditions().rateSearched()
                && (found == null || found.ofRepeatsMsgsPerS().isEmpty());
        return searchedOnce || scenario.rateAsked();
    }

    private static boolean isTooShort(Scenario.Repeat repeat) {
        return Figure.ACCEPT_P99.isShortOfTimes(repeat.counted());
    }

    private static void remarks(Scenario scenario, String name, List<String> remarks) {
        for (String reason : scenario.validity().reasons()) {
            remarks.add(name + " is not valid: " + reason);
        }
        if (scenario.conditions().safety().endangered()) {
            remarks.add(name + " is UNSAFE: " + scenario.conditions().safety().unsafeReason());
        }
        List<Scenario.Repeat> repeats = scenario.repeats();
        if (repeats.size() == 1) {
            remarks.add("a single repeat of " + name
                    + " has no interval: measure with --repeat 3 or more");
        }
        if (repeats.stream()
                .anyMatch(repeat -> Boolean.FALSE.equals(repeat.warmUp().steady()))) {
            remarks.add(name + " was not steady in all repeats");
        }
        if (repeats.stream().anyMatch(MailComparison::isTooShort)) {
            remarks.add("a repeat of " + name
                    + " has too few messages for the p99 of its accept latency");
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
