package org.hubmark.bench.results;

import org.jspecify.annotations.Nullable;

/** Limits of other work on a machine while it measures; docs/measurement.md gives the reasons. */
public final class DisturbanceBounds {
    /** Percent of the time in which a control group may have used up its share. */
    public static final double THROTTLED_PERCENT_MAX = 1;

    /** Percent of all cores: by more than the smallest difference that two results can show. */
    private static final double STEAL_PERCENT_MAX = 2;

    /** Percent of all cores: a machine at rest has a percent or two of its own. */
    private static final double FOREIGN_PERCENT_MAX = 5;

    /** Percent of all cores: less is not told from nothing. */
    private static final double LEAST_PERCENT = 1;

    /** Share of the CPU that the machine used for the server: the figure is wrong by as much. */
    private static final double SHARE_MAX = 0.1;

    private DisturbanceBounds() {}

    /**
     * {@return how much of all cores a hypervisor may have taken, percent}
     *
     * @param cpuPercent what the machine used without the driver; null where that isn't known
     */
    public static double stealPercentMax(@Nullable Double cpuPercent) {
        return max(STEAL_PERCENT_MAX, cpuPercent);
    }

    /** {@return the same of processes that are neither server nor driver} */
    public static double foreignPercentMax(@Nullable Double cpuPercent) {
        return max(FOREIGN_PERCENT_MAX, cpuPercent);
    }

    private static double max(double most, @Nullable Double cpuPercent) {
        return cpuPercent == null
                ? most
                : Math.clamp(SHARE_MAX * cpuPercent, Math.min(LEAST_PERCENT, most), most);
    }
}
