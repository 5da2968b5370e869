package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures.Counts;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes every derived figure of a results file anew: those of a repeat from the last row of its
 * samples and from its histograms, those of a step from the samples and histograms within it, those
 * of a scenario from its repeats, those of a cost model from
 * its scenarios.
 *
 * @param recomputed how many figures were made anew
 * @param mismatches those that came out different
 * @param unchecked what could not be made anew, and why
 * @param changedFiles that are not what the run wrote, by their SHA-256
 */
public record SelfCheck(
        int recomputed,
        List<Mismatch> mismatches,
        List<String> unchecked,
        List<String> changedFiles) {
    /** Relative: samples.csv has 15 digits, and sums may be taken in another order. */
    private static final double TOLERANCE = 1e-6;

    /** Copies the lists. */
    public SelfCheck {
        mismatches = List.copyOf(mismatches);
        unchecked = List.copyOf(unchecked);
        changedFiles = List.copyOf(changedFiles);
    }

    /** {@return whether nothing speaks against the figures} */
    public boolean clean() {
        return mismatches.isEmpty() && changedFiles.isEmpty();
    }

    /**
     * A figure that does not follow from what it is made of.
     *
     * @param scenario the scenario's id, or empty for a cost model
     * @param where the scenario and the repeat, or the cost model
     * @param field the figure's name in results.json
     * @param stated what results.json says
     * @param recomputed what comes out
     * @param source the file that it was made anew from
     */
    public record Mismatch(
            String scenario,
            String where,
            String field,
            double stated,
            double recomputed,
            String source) {
        /** {@return what, where, both values} */
        public String text() {
            return where + ": " + field + " is " + Digits.plain(stated) + " in results.json, but "
                    + source + " gives " + Digits.plain(recomputed);
        }
    }

    /** {@return what was found in short} */
    public String summary() {
        String unable = unchecked.isEmpty()
                ? ""
                : "; " + unchecked.size() + (unchecked.size() == 1 ? " kind" : " kinds")
                        + " could not be";
        return recomputed + " derived figures made anew from samples.csv, the .hlog files and the"
                + " repeats, " + mismatches.size() + " differ" + unable;
    }

    /** Checks a results file against what lies beside it. */
    static SelfCheck of(Results results, RawFiles raw) {
        Collector collector = new Collector();
        Repeat machines = results.machines();
        for (Scenario scenario : results.scenarios()) {
            Traced traced = raw.traced(scenario, machines);
            repeats(traced, collector);
            for (Field field : Fields.MADE) {
                collector.compare(
                        scenario.id(),
                        scenario.id(),
                        field.key(),
                        field.number(scenario),
                        field.origin().of(traced));
            }
            Steps.check(scenario, machines, raw, collector);
        }
        CostLine.check(results, collector);
        return collector.done(raw.changed(results));
    }

    private static void repeats(Traced traced, Collector collector) {
        String id = traced.scenario().id();
        for (int i = 0; i < traced.counted().size(); i++) {
            Scenario.Repeat repeat = traced.scenario().repeats().get(i);
            String which = "repeat " + repeat.repeat();
            String where = id + ", " + which;
            Repeat counted = traced.counted().get(i);
            for (Column column : Figure.MADE) {
                collector.compare(
                        id,
                        where,
                        column.key(),
                        repeat.figures().get(column),
                        Derivation.ofRepeat(column, counted, traced.log(), which));
            }
            Map<String, Double> counters = new TreeMap<>(repeat.counters());
            counters.remove(Repeat.SITTING.key());
            counters.forEach((key, value) -> collector.compare(
                    id,
                    where,
                    "counters." + key,
                    value,
                    new Derivation(
                            key, List.of(), counted.counters().get(key), Derivation.SAMPLES)));
            Counts counts = repeat.figures().counts();
            collector.compare(
                    id,
                    where,
                    Fields.SENT.key(),
                    (double) counts.sentMsgs(),
                    Derivation.sent(counts));
            lost(id, where, counts, collector);
        }
    }

    /** What the hub accepted beyond the driver's count is not in the file: a lower bound. */
    private static void lost(String id, String where, Counts counts, Collector collector) {
        Long lost = counts.lostMsgs();
        Long delivered = counts.deliveredMsgs();
        Long left = counts.leftInQueueMsgs();
        if (lost != null && delivered != null && left != null) {
            collector.compare(
                    id,
                    where,
                    Fields.LOST.key(),
                    (double) lost,
                    (double) Math.max(lost, counts.acceptedMsgs() - delivered - left),
                    "accepted - delivered - left in queue");
        }
    }

    /** Compares, and keeps what it finds. */
    static final class Collector {
        private final List<Mismatch> mismatches = new ArrayList<>();
        private final Map<String, Integer> unchecked = new TreeMap<>();
        private int recomputed;

        /** Compares a figure with what it is made of; nothing where it isn't known, or only read. */
        void compare(
                String scenario,
                String where,
                String field,
                @Nullable Double stated,
                @Nullable Derivation derivation) {
            if (stated == null || derivation == null) {
                return;
            }
            Double value = derivation.value();
            if (value == null) {
                unchecked.merge(
                        where + ": " + derivation.source() + " does not have what is needed",
                        1,
                        Integer::sum);
                return;
            }
            compare(scenario, where, field, stated, value, derivation.source());
        }

        /** Compares a figure with the same made anew. */
        void compare(
                String scenario,
                String where,
                String field,
                double stated,
                double value,
                String source) {
            recomputed++;
            double scale = Math.max(Math.abs(stated), Math.abs(value));
            if (Math.abs(stated - value) > TOLERANCE * scale + 1e-9) {
                mismatches.add(new Mismatch(scenario, where, field, stated, value, source));
            }
        }

        SelfCheck done(List<String> changedFiles) {
            List<String> lines = new ArrayList<>();
            unchecked.forEach((why, count) ->
                    lines.add(why + " (" + count + (count == 1 ? " figure)" : " figures)")));
            return new SelfCheck(recomputed, mismatches, lines, changedFiles);
        }
    }
}
