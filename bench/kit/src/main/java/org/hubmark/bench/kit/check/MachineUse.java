package org.hubmark.bench.kit.check;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shares of a machine's CPU time over a measurement, and what follows from them; docs/measurement.md
 * states the bounds. An unknown share is NaN.
 *
 * @param cpuPercent of all cores, without the driver: what the server, the kernel and others used
 * @param stealPercent of all cores, that a hypervisor gave to others
 * @param foreignPercent of all cores, by processes that are neither server nor driver
 * @param throttledPercent of the time, in which a control group had used up its limit
 */
public record MachineUse(
        double cpuPercent, double stealPercent, double foreignPercent, double throttledPercent) {
    /** Nothing is known. */
    static final MachineUse UNKNOWN =
            new MachineUse(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** Percent of the time in which a control group may have used up its share. */
    private static final double THROTTLED_PERCENT_MAX = 1;

    /** Percent of all cores: by more than the smallest difference that two results can show. */
    private static final double STEAL_PERCENT_MAX = 2;

    /** Percent of all cores: a machine at rest has a percent or two of its own. */
    private static final double FOREIGN_PERCENT_MAX = 5;

    /** Percent of all cores: less is not told from nothing. */
    private static final double LEAST_PERCENT = 1;

    /** Of what the machine used for the server: the figure is wrong by as much. */
    private static final double SHARE_MAX = 0.1;

    /** Percent of the time: the smallest difference that two results can show is larger. */
    private static final double STANDSTILL_PERCENT_MAX = 1;

    /**
     * {@return one line for each disturbance; none when there was none, or nobody knows}
     *
     * @param others runs that measured at the same time, each by its process and command
     */
    public List<String> disturbances(List<String> others) {
        List<String> reasons = new ArrayList<>();
        for (String other : others) {
            reasons.add("another run measured at the same time: " + other);
        }
        above(
                reasons,
                stealPercent,
                bound(STEAL_PERCENT_MAX),
                "the hypervisor took %.1f%% of the machine's CPU time for others (steal; at most %.1f%%)");
        above(
                reasons,
                foreignPercent,
                bound(FOREIGN_PERCENT_MAX),
                "processes other than server and driver took %.1f%% of the machine's CPU time"
                        + " (at most %.1f%%): stop them");
        above(
                reasons,
                throttledPercent,
                THROTTLED_PERCENT_MAX,
                "the control group had used up its CPU limit, and its processes stood still, for"
                        + " %.1f%% of the time (throttled; at most %.1f%%)");
        return reasons;
    }

    private static void above(List<String> reasons, double percent, double max, String words) {
        if (percent > max) {
            reasons.add(String.format(Locale.ROOT, words, percent, max));
        }
    }

    /** Others may take a share of what is measured, and of the machine no more than that many percent. */
    private double bound(double most) {
        return Double.isNaN(cpuPercent)
                ? most
                : Math.clamp(SHARE_MAX * cpuPercent, LEAST_PERCENT, most);
    }

    /** {@return whether steal and other processes are known to have been within their bounds} */
    public boolean isUndisturbed() {
        return stealPercent <= bound(STEAL_PERCENT_MAX)
                && foreignPercent <= bound(FOREIGN_PERCENT_MAX);
    }

    /** {@return whether others took so much that the machine is not the server's} */
    public boolean isForeign() {
        return foreignPercent > bound(FOREIGN_PERCENT_MAX);
    }

    /**
     * {@return what can't be said of a machine whose CPU time is read; none where everything is known} A
     * container that has process numbers of its own does not see what others use.
     */
    public List<String> unknowns() {
        return Double.isNaN(foreignPercent)
                ? List.of(
                        "how much CPU time other processes took is not known: not all of them can be"
                                + " seen from here, and the machine's costs may hold theirs")
                : List.of();
    }

    /**
     * {@return why a measurement is not valid whose driver did not run; null where it stood still for too
     * short, or that isn't known}
     *
     * @param standstillNanos by {@link Standstill}; NaN where nobody looked
     */
    public static @Nullable String stoodStill(double standstillNanos, double measuredNanos) {
        return 100 * standstillNanos > STANDSTILL_PERCENT_MAX * measuredNanos
                ? String.format(
                        Locale.ROOT,
                        "the driver stood still for %.1f s of the measured time (at most %.0f%%): it was"
                                + " stopped, or its machine was, or it got no CPU",
                        standstillNanos / 1e9,
                        STANDSTILL_PERCENT_MAX)
                : null;
    }
}
