package org.hubmark.bench.mail.compare;

import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.RowRule;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.CounterSource;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Warnings;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Two results of run, load or matrix side by side, scenario by scenario: one quantity decides, which is
 * settled before anybody looks at the figures; docs/decisions/0010 says why so. One thread.
 */
public final class MailComparison {
    /** The size of messages, as a condition. */
    static final String SIZE = "size";

    /** The hub's own, by key. */
    private static final String SETTINGS = "settings";

    /** A device counts others than the store does. */
    private static final Set<Column> WRITES = Set.of(
            Quantity.WRITES.column(),
            Figure.LOG_WRITES_PER_S,
            Figure.LOG_WRITES_PER_MSG,
            Figure.LOG_BYTES_PER_ACCEPTED_BYTE,
            Figure.QUEUE_WRITES_PER_S,
            Figure.QUEUE_WRITES_PER_MSG,
            Figure.QUEUE_BYTES_PER_ACCEPTED_BYTE);

    private final Set<String> across;
    private final Scenario from;
    private final Scenario to;
    private final List<String> obstacles = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private MailComparison(Set<String> across, Scenario from, Scenario to) {
        this.across = across;
        this.from = from;
        this.to = to;
    }

    /**
     * {@return the scenarios that both have under one id, compared}
     *
     * @param by the quantity that decides; null for the rate, or cycles where the rate was given
     */
    public static DocumentComparison of(
            Results first, Results second, Rule rule, @Nullable Quantity by) {
        Map<String, @Nullable Object> before = first.provenance().settings();
        Map<String, @Nullable Object> after = second.provenance().settings();
        return DocumentComparison.of(first.document(), second.document(), rule, (from, to) -> {
            MailComparison pair = new MailComparison(
                    rule.across(),
                    scenario(first.document(), from),
                    scenario(second.document(), to));
            pair.conditions();
            pair.settings(before, after);
            return pair.rule(by);
        });
    }

    private static Scenario scenario(Document document, Row row) {
        return new Scenario(document.table(MailDocument.SCENARIOS), row);
    }

    /** {@return the names of what has to be alike, as {@code compare --across} takes them} */
    public static List<String> names() {
        return Stream.concat(
                        Stream.of(SIZE, SETTINGS),
                        Arrays.stream(Condition.values()).map(Condition::option))
                .toList();
    }

    private void conditions() {
        differ(SIZE, "", size(from), size(to));
        for (Condition condition : Condition.values()) {
            Object before = from.conditions().get(condition);
            Object after = to.conditions().get(condition);
            differ(condition.option(), "", before, after);
            if (before == null != (after == null)) {
                remarks.add(condition.option() + " is known of " + (before == null ? "B" : "A")
                        + " only: " + (before == null ? after : before));
            }
        }
    }

    /** That of a cell that failed isn't known. */
    private static @Nullable String size(Scenario scenario) {
        double sizeKb = scenario.messageSizeKb();
        return Double.isNaN(sizeKb) ? null : sizeKb + " KB";
    }

    private void settings(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        new TreeMap<>(before).forEach((key, value) -> {
            // The options of the commands have no dot; those that matter are conditions.
            if (key.contains(".")) {
                differ(SETTINGS, key + " ", value, after.get(key));
            }
        });
    }

    private void differ(String name, String lead, @Nullable Object before, @Nullable Object after) {
        if (isOther(before, after)) {
            (across.contains(name) ? remarks : obstacles)
                    .add(name + " differs: " + lead + before + " and " + after);
        }
    }

    private static boolean isOther(@Nullable Object before, @Nullable Object after) {
        return before != null && after != null && !before.toString().equals(after.toString());
    }

    private RowRule rule(@Nullable Quantity by) {
        remarks(from, "A");
        remarks(to, "B");
        Quantity decisive = by != null
                ? by
                : from.rateAsked() && to.rateAsked() ? Quantity.CYCLES : Quantity.RATE;
        if (by == null && decisive != Quantity.RATE) {
            remarks.add("by " + decisive.column().label()
                    + ": the rate was given, so it can't be compared");
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
        // A server that takes as much may let some of it wait for long. Each latency is one of its
        // own rate.
        boolean isTailJudged = by == null
                && !from.conditions().rateSearched()
                && !to.conditions().rateSearched();
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
        return new RowRule(obstacles, remarks, faults, weights, isCountedAlike ? Set.of() : WRITES);
    }

    private void remarks(Scenario scenario, String name) {
        if (!scenario.validity().valid()) {
            faults.add(name + " is not valid: "
                    + String.join("; ", scenario.validity().reasons()));
        }
        if (scenario.isUnsafe()) {
            remarks.add(name + " is UNSAFE: " + scenario.conditions().safety().unsafeReason());
        }
        List<Scenario.Repeat> repeats = scenario.repeats();
        if (repeats.size() == 1) {
            remarks.add("a single repeat of " + name
                    + " has no interval: measure with --repeat 3 or more");
        }
        Warnings.of(scenario).forEach(warning -> remarks.add(name + ": " + warning.words()));
    }
}
