package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.core.Durations;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The percentiles of latency that an instance may have at most, where they are asked for.
 *
 * @param most by what they are of, in the order of {@link Of}; none where nothing is asked for
 */
public record PercentileLimits(Map<Of, Duration> most) {
    private static final String ALLOWED =
            Arrays.stream(Of.values()).map(Of::label).collect(Collectors.joining(", "));

    /** A percentile of an instance that can have a limit. */
    public enum Of {
        READ_P95("read.p95", InstanceFigures.P95_READ_LATENCY),
        READ_P99("read.p99", InstanceFigures.P99_READ_LATENCY),
        READ_P99_9("read.p99.9", InstanceFigures.P99_9_READ_LATENCY),
        LOG_P95("log.p95", InstanceFigures.P95_LOG_LATENCY),
        LOG_P99("log.p99", InstanceFigures.P99_LOG_LATENCY),
        LOG_P99_9("log.p99.9", InstanceFigures.P99_9_LOG_LATENCY);

        private final String label;

        // Records of values.
        @SuppressWarnings("ImmutableEnumChecker")
        private final Column column;

        @SuppressWarnings("ImmutableEnumChecker")
        private final Name limit;

        Of(String label, Column column) {
            this.label = label;
            this.column = column;
            this.limit = Name.note("thresholds." + label.replace('.', '_') + "_ms", "");
        }

        /** {@return its name on the command line} */
        public String label() {
            return label;
        }

        /** {@return the figure of an instance} */
        public Column column() {
            return column;
        }

        /** {@return its limit in a file, milliseconds} */
        public Name limit() {
            return limit;
        }
    }

    /** Copies. */
    public PercentileLimits {
        most = Map.copyOf(most);
    }

    /**
     * Reads {@code read.p99=5ms,log.p99=2ms}.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    public static PercentileLimits parse(String text) {
        Map<Of, Duration> most = new EnumMap<>(Of.class);
        for (String part : text.split(",", -1)) {
            String[] pair = part.split("=", -1);
            Of of = Arrays.stream(Of.values())
                    .filter(one -> one.label.equals(pair[0]))
                    .findFirst()
                    .orElse(null);
            if (of == null || pair.length != 2) {
                throw new IllegalArgumentException(
                        "'" + part + "' is not NAME=TIME, NAME one of " + ALLOWED);
            }
            Duration time = Durations.parse(pair[1]);
            if (time.isZero() || most.put(of, time) != null) {
                throw new IllegalArgumentException(
                        "'" + text + "' has a time of zero or names " + of.label + " twice");
            }
        }
        return new PercentileLimits(most);
    }

    @Override
    public String toString() {
        return Arrays.stream(Of.values())
                .filter(most::containsKey)
                .map(of -> of.label + "=" + Durations.format(most.getOrDefault(of, Duration.ZERO)))
                .collect(Collectors.joining(","));
    }
}
