package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.core.Durations;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The percentiles of latency that an instance may have at most, where they are asked for.
 *
 * @param most by what they are of, such as read.p99; none where nothing is asked for
 */
public record PercentileLimits(Map<String, Duration> most) {
    /** The figures of an instance that can have one, by their names on the command line. */
    static final Map<String, Column> FIGURES = new LinkedHashMap<>();

    static {
        FIGURES.put("read.p95", InstanceFigures.P95_READ_LATENCY);
        FIGURES.put("read.p99", InstanceFigures.P99_READ_LATENCY);
        FIGURES.put("read.p99.9", InstanceFigures.P99_9_READ_LATENCY);
        FIGURES.put("log.p95", InstanceFigures.P95_LOG_LATENCY);
        FIGURES.put("log.p99", InstanceFigures.P99_LOG_LATENCY);
        FIGURES.put("log.p99.9", InstanceFigures.P99_9_LOG_LATENCY);
    }

    /** {@return the name of a limit in a file, where it is in milliseconds} */
    public static Name limit(String of) {
        return Name.note("thresholds." + of.replace('.', '_') + "_ms", "");
    }

    /**
     * Reads {@code read.p99=5ms,log.p99=2ms}.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    public static PercentileLimits parse(String text) {
        Map<String, Duration> most = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.split("=", -1);
            if (!FIGURES.containsKey(pair[0]) || pair.length != 2) {
                throw new IllegalArgumentException("'" + part + "' is not NAME=TIME, NAME one of "
                        + String.join(", ", FIGURES.keySet()));
            }
            Duration time = Durations.parse(pair[1]);
            if (time.isZero() || most.put(pair[0], time) != null) {
                throw new IllegalArgumentException(
                        "'" + text + "' has a time of zero or names " + pair[0] + " twice");
            }
        }
        return new PercentileLimits(most);
    }

    @Override
    public String toString() {
        return most.entrySet().stream()
                .map(one -> one.getKey() + "=" + Durations.format(one.getValue()))
                .collect(Collectors.joining(","));
    }
}
