package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.Figure;
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
    static final String LATENCY_AT = "latency_at";

    /** Relative: samples.csv has 15 digits, and sums may be taken in another order. */
    private static final double TOLERANCE = 1e-6;

    private static final List<String> LATENCIES =
            List.of("mean", "p50", "p95", "p99", "p99_9", "max");

    private static final List<String> OF_SCENARIOS = List.of(
            "throughput_msgs_per_s_min",
            "throughput_msgs_per_s_max",
            "throughput_trimmed_mean_msgs_per_s",
            "throughput_ci95_msgs_per_s.low",
            "throughput_ci95_msgs_per_s.high",
            "cost_ci95_mcycles_per_msg.low",
            "cost_ci95_mcycles_per_msg.high",
            "aggregate_queue_length_max_msgs",
            "queue_size_max_mb",
            "ceilings.receive_percent",
            "ceilings.log_device_percent",
            "ceilings.loopback_percent",
            "sent_msgs",
            "accepted_msgs",
            "refused_msgs",
            "failed_msgs",
            "delivered_msgs",
            "left_in_queue_msgs",
            "lost_msgs");

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
            return where + ": " + field + " is " + Figure.text(stated) + " in results.json, but "
                    + source + " gives " + Figure.text(recomputed);
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
    static SelfCheck of(JsonNode results, RawFiles raw) {
        Collector collector = new Collector();
        for (JsonNode scenario : results.path("scenarios")) {
            scenario(scenario, new Machines(results), raw, collector);
        }
        CostLine.check(results, collector::compare);
        return collector.done(raw.changed(results));
    }

    private static void scenario(
            JsonNode scenario, Machines machines, RawFiles raw, Collector collector) {
        String id = scenario.path("id").asText();
        List<Repeat> repeats = Repeat.of(scenario, machines, raw);
        for (Repeat repeat : repeats) {
            String where = id + ", repeat " + repeat.number();
            List<String> fields = figures();
            fields.add("sent_msgs");
            fields.addAll(latencies(repeat.stated()));
            for (String field : fields) {
                collector.compare(
                        id,
                        where,
                        field,
                        repeat.stated(),
                        Derivation.ofRepeat(id, repeat, field, raw));
            }
            lost(id, where, repeat, collector);
        }
        List<String> fields = figures();
        fields.addAll(OF_SCENARIOS);
        fields.addAll(latencies(scenario));
        for (String field : fields) {
            collector.compare(
                    id, id, field, scenario, Derivation.ofScenario(scenario, repeats, field, raw));
        }
        Steps.check(scenario, machines, raw, collector::compare);
        beside(scenario, machines, raw.beside(), collector);
    }

    /** {@return where the latency at a rate beside stands} */
    static String beside(String scenario) {
        return scenario + ", latency at a rate";
    }

    /** The latency at a rate beside has raw files of its own, as of one repeat. */
    private static void beside(
            JsonNode scenario, Machines machines, RawFiles raw, Collector collector) {
        JsonNode stated = scenario.path(LATENCY_AT);
        if (!stated.isObject()) {
            return;
        }
        String id = scenario.path("id").asText();
        Repeat repeat = Repeat.ofLatencyAt(stated, id, machines, raw);
        List<String> fields = new ArrayList<>(latencies(stated));
        fields.add(Figure.THROUGHPUT_MSGS_PER_S.key());
        for (String field : fields) {
            collector.compare(
                    id, beside(id), field, stated, Derivation.ofRepeat(id, repeat, field, raw));
        }
    }

    private static List<String> figures() {
        return new ArrayList<>(Figure.OF_REPEATS.stream().map(Figure::key).toList());
    }

    /** What the hub accepted beyond the driver's count is not in the file: a lower bound. */
    private static void lost(String id, String where, Repeat repeat, Collector collector) {
        Double lost = repeat.stated("lost_msgs");
        Double delivered = repeat.stated("delivered_msgs");
        Double left = repeat.stated("left_in_queue_msgs");
        Double accepted = repeat.stated("accepted_msgs");
        if (lost != null && delivered != null && left != null && accepted != null) {
            double least = Math.max(0, accepted - delivered - left);
            collector.compare(
                    id,
                    where,
                    "lost_msgs",
                    lost,
                    Math.max(lost, least),
                    "accepted - delivered - left in queue");
        }
    }

    private static List<String> latencies(JsonNode figures) {
        List<String> fields = new ArrayList<>();
        for (String latency : List.of("accept_latency_ms", "accept_latency_uncorrected_ms")) {
            if (figures.path(latency).isObject()) {
                LATENCIES.forEach(percentile -> fields.add(latency + "." + percentile));
            }
        }
        return fields;
    }

    /** Compares, and keeps what it finds. */
    private static final class Collector {
        private final List<Mismatch> mismatches = new ArrayList<>();
        private final Map<String, Integer> unchecked = new TreeMap<>();
        private int recomputed;

        void compare(
                String scenario,
                String where,
                String field,
                JsonNode figures,
                @Nullable Derivation derivation) {
            Double stated = Repeat.number(Repeat.at(figures, field));
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
