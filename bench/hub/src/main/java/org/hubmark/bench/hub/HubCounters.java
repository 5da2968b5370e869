package org.hubmark.bench.hub;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * Metrics that a hub exports, in Prometheus' text form. A name stands for the sum of its values
 * over all labels; with its labels, as they are exported, for one of them.
 */
public final class HubCounters {
    private final Map<String, Double> values = new HashMap<>();

    private HubCounters() {}

    /** Reads an exposition; lines that are no samples are skipped. */
    public static HubCounters parse(String text) {
        HubCounters metrics = new HubCounters();
        for (String line : text.lines().toList()) {
            if (line.isEmpty() || line.charAt(0) == '#') {
                continue;
            }
            int brace = line.indexOf('{');
            int end = brace < 0 ? line.indexOf(' ') : line.lastIndexOf('}') + 1;
            if (end <= 0 || end >= line.length()) {
                continue;
            }
            String name = line.substring(0, brace < 0 ? end : brace);
            // A timestamp may follow the value.
            String value = line.substring(end).trim().split(" ", -1)[0];
            try {
                metrics.values.merge(name, Double.valueOf(value), Double::sum);
                if (brace >= 0) {
                    metrics.values.put(line.substring(0, end), Double.valueOf(value));
                }
            } catch (NumberFormatException e) {
                // +Inf and the like are of no use here.
            }
        }
        return metrics;
    }

    /** {@return the value, or null when the hub doesn't say it} */
    public @Nullable Double get(String name) {
        return values.get(name);
    }

    /** {@return the growth of a counter between two looks, or null when it isn't known} */
    public static @Nullable Double growth(
            @Nullable HubCounters before, @Nullable HubCounters after, String name) {
        Double now = before == null || after == null ? null : after.get(name);
        if (before == null || now == null) {
            return null;
        }
        Double then = before.get(name);
        // A counter with labels appears when it first counts.
        return now - (then == null ? 0 : then);
    }
}
