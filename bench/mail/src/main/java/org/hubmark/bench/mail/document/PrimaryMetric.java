package org.hubmark.bench.mail.document;

import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The one figure by which servers are compared: the highest rate that is sustained with the p99 of the
 * accept latency within 50 ms, synced, at 57 KB and at 4 KB, plain and by TLS. docs/run-rules.md states
 * its conditions; another set of them is another version.
 */
public final class PrimaryMetric {
    private static final String NAME = "hubmark-receive-1";

    /** The limit of latency that the metric has where nobody names another. */
    public static final Duration LIMIT = Duration.ofMillis(50);

    private static final Set<Double> SIZES_KB = Set.of(4.0, 57.0);

    private static final Map<Condition, Object> CONDITIONS = Map.of(
            Condition.DURABILITY, "synced",
            Condition.INTAKE, "store",
            Condition.DELIVER, "discard",
            Condition.TRANSFER, "data",
            Condition.PIPELINING, true,
            Condition.RECIPIENTS, 1,
            Condition.ARRIVALS, "fixed",
            Condition.MESSAGES_PER_CONNECTION, 0,
            Condition.CONTENT, "generated");

    private PrimaryMetric() {}

    /**
     * {@return its name with the limit, such as {@code hubmark-receive-1/50ms}; null where the rate was
     * not searched, or a condition is not kept or not known}
     *
     * @param limit of the p99 of the latency
     */
    public static @Nullable String name(Conditions under, double messageSizeKb, Duration limit) {
        boolean kept = under.rateSearched()
                && SIZES_KB.contains(messageSizeKb)
                && Boolean.FALSE.equals(under.safety().unsafe())
                && CONDITIONS.entrySet().stream()
                        .allMatch(one -> one.getValue().equals(under.get(one.getKey())));
        return kept ? NAME + "/" + Durations.format(limit) : null;
    }
}
