package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Whether the figures of qualification.json follow from the raw files beside it, and from each other.
 *
 * @param cells how many were computed again
 * @param mismatches those that come out otherwise, a line each
 */
public record Recomputed(int cells, List<String> mismatches) {
    /** A histogram that was written and read keeps three digits. */
    private static final double NEAR = 0.001;

    /** Copies. */
    public Recomputed {
        mismatches = List.copyOf(mismatches);
    }

    /** Computes the figures of all phases again. */
    public static Recomputed of(JsonNode qualification, Path folder) throws IOException {
        Comparison comparison = new Comparison();
        for (JsonNode phase : qualification.path("phases")) {
            phase(phase, folder, comparison);
        }
        return new Recomputed(comparison.cells, comparison.mismatches);
    }

    private static void phase(JsonNode phase, Path folder, Comparison comparison)
            throws IOException {
        String name = phase.path("phase").asText();
        Map<String, Measured> raw = RawSamples.read(folder, name);
        List<Column> unseen = name.equals("recovery") ? Column.UNSEEN_IN_RECOVERY : List.of();
        List<InstanceFigures> instances = new ArrayList<>();
        List<Measured.Sample> samples = new ArrayList<>();
        double seconds = 0;
        for (JsonNode written : phase.path("instances")) {
            String instance = written.path("instance").asText();
            Measured measured = raw.get(instance);
            if (measured == null) {
                comparison.mismatches.add(name + ", " + instance + ": no raw samples");
                return;
            }
            InstanceFigures again = InstanceFigures.of(instance, measured).without(unseen);
            comparison.compare(name + ", " + instance, written, Qualification.treeOf(again));
            instances.add(again);
            samples.addAll(measured.samples());
            seconds = measured.seconds();
        }
        comparison.compare(name, phase, Qualification.treeOf(Averages.of(instances, seconds)));
        if (phase.path("loop").isTextual() && !instances.isEmpty()) {
            comparison.compare(
                    name + ", achieved_iops",
                    phase.path("achieved_iops"),
                    Qualification.treeOf(Judgement.achievedIops(instances)));
            comparison.compare(
                    name + ", read_latency_drift_ms_per_h",
                    phase.path("read_latency_drift_ms_per_h"),
                    Qualification.treeOf(Hours.driftMsPerHour(samples)));
            comparison.compare(
                    name + ", hours",
                    phase.path("hours"),
                    Qualification.treeOf(RawSamples.readHours(folder, name).hours()));
        }
        quotients(phase.path("backup"), "mb_per_s", "size_mb", "elapsed_s", name, comparison);
        quotients(
                phase.path("recovery"),
                "s_per_mb",
                "elapsed_s",
                "log_mb_replayed",
                name,
                comparison);
    }

    private static void quotients(
            JsonNode rows,
            String quotient,
            String dividend,
            String divisor,
            String phase,
            Comparison comparison) {
        for (JsonNode row : rows) {
            comparison.compare(
                    phase + ", " + row.path("instance").asText() + ", " + quotient,
                    row.path(quotient),
                    Qualification.treeOf(
                            row.path(dividend).asDouble() / row.path(divisor).asDouble()));
        }
    }

    /** Compares trees cell by cell. */
    private static final class Comparison {
        private final List<String> mismatches = new ArrayList<>();
        private int cells;

        /** What was written may have more than what was computed again. */
        void compare(String where, JsonNode written, JsonNode again) {
            if (again.isObject()) {
                again.properties()
                        .forEach(one -> compare(
                                where + ", " + one.getKey(),
                                written.path(one.getKey()),
                                one.getValue()));
            } else if (again.isArray()) {
                for (int i = 0; i < Math.max(again.size(), written.size()); i++) {
                    compare(where + " " + (i + 1), written.path(i), again.path(i));
                }
            } else {
                cells++;
                if (!isSame(written, again)) {
                    mismatches.add(
                            where + ": " + written.asText() + ", computed again " + again.asText());
                }
            }
        }

        private static boolean isSame(JsonNode written, JsonNode again) {
            if (!again.isNumber() || !written.isNumber()) {
                return written.equals(again);
            }
            double difference = Math.abs(written.asDouble() - again.asDouble());
            return difference <= NEAR * Math.abs(again.asDouble());
        }
    }
}
