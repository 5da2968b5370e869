package org.hubmark.bench.measure;

import org.hubmark.bench.results.DisturbanceBounds;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says what else the machine did while it measured; docs/measurement.md states the bounds. */
public final class Disturbance {
    private Disturbance() {}

    /**
     * {@return one line for each disturbance; none when there was none, or nobody knows}
     *
     * @param others runs that measured at the same time, each by its process and command
     */
    public static List<String> reasons(Figures figures, List<String> others) {
        return reasons(
                figures.get(Figure.STEAL_PERCENT), figures.get(Figure.FOREIGN_CPU_PERCENT), others);
    }

    /**
     * {@return one line for each disturbance; none when there was none, or nobody knows}
     *
     * @param stealPercent CPU that the hypervisor took, of all cores; null where that isn't known
     * @param foreignPercent CPU of other processes; null where that isn't known
     * @param others runs that measured at the same time, each by its process and command
     */
    public static List<String> reasons(
            @Nullable Double stealPercent, @Nullable Double foreignPercent, List<String> others) {
        List<String> reasons = new ArrayList<>();
        for (String other : others) {
            reasons.add("another run measured at the same time: " + other);
        }
        above(
                reasons,
                stealPercent,
                DisturbanceBounds.STEAL_PERCENT_MAX,
                "the hypervisor took %.1f%% of the machine's CPU time for others (steal; at most %.0f%%)");
        above(
                reasons,
                foreignPercent,
                DisturbanceBounds.FOREIGN_PERCENT_MAX,
                "processes that are neither server nor driver took %.1f%% of the machine's CPU time"
                        + " (at most %.0f%%)");
        return reasons;
    }

    private static void above(
            List<String> reasons, @Nullable Double percent, double max, String words) {
        if (percent != null && percent > max) {
            reasons.add(String.format(Locale.ROOT, words, percent, max));
        }
    }
}
