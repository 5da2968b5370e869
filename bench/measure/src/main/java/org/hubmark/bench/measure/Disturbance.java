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
                new Shares(
                        figures.get(Figure.CPU_PERCENT),
                        figures.get(Figure.STEAL_PERCENT),
                        figures.get(Figure.FOREIGN_CPU_PERCENT),
                        figures.get(Figure.THROTTLED_PERCENT)),
                others);
    }

    /**
     * Use of a machine; null where it is unknown.
     *
     * @param cpuPercent of all cores, without the driver
     * @param stealPercent of all cores, that the hypervisor took
     * @param foreignPercent of all cores, by processes that are neither server nor driver
     * @param throttledPercent of the time, in which a control group had used up its share
     */
    public record Shares(
            @Nullable Double cpuPercent,
            @Nullable Double stealPercent,
            @Nullable Double foreignPercent,
            @Nullable Double throttledPercent) {}

    /**
     * {@return one line for each disturbance; none when there was none, or nobody knows}
     *
     * @param others runs that measured at the same time, each by its process and command
     */
    public static List<String> reasons(Shares shares, List<String> others) {
        List<String> reasons = new ArrayList<>();
        Double cpu = shares.cpuPercent;
        for (String other : others) {
            reasons.add("another run measured at the same time: " + other);
        }
        above(
                reasons,
                shares.stealPercent,
                DisturbanceBounds.stealPercentMax(cpu),
                "the hypervisor took %.1f%% of the machine's CPU time for others (steal; at most %.1f%%)");
        above(
                reasons,
                shares.foreignPercent,
                DisturbanceBounds.foreignPercentMax(cpu),
                "processes other than server and driver took %.1f%% of the machine's CPU time (at"
                        + " most %.1f%%)");
        above(
                reasons,
                shares.throttledPercent,
                DisturbanceBounds.THROTTLED_PERCENT_MAX,
                "the control group had used up its CPU limit, and its processes stood still, for"
                        + " %.1f%% of the time (throttled; at most %.1f%%)");
        return reasons;
    }

    /**
     * {@return what can't be said of a server on this machine; none where everything is known} A container
     * that has process numbers of its own does not see what others use.
     */
    static List<String> unknown(Figures figures, boolean isElsewhere) {
        return !isElsewhere
                        && figures.get(Figure.SERVER_CPU_US_PER_MSG) != null
                        && figures.get(Figure.FOREIGN_CPU_PERCENT) == null
                ? List.of(
                        "how much CPU time other processes took is not known: not all of them can be"
                                + " seen from here, and the machine's costs may hold theirs")
                : List.of();
    }

    private static void above(
            List<String> reasons, @Nullable Double percent, double max, String words) {
        if (percent != null && percent > max) {
            reasons.add(String.format(Locale.ROOT, words, percent, max));
        }
    }
}
