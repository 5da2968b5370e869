package org.hubmark.bench.kit.statistics;

import java.util.Locale;

/**
 * A confidence interval of 95 %.
 *
 * @param low its lower end
 * @param high its upper end
 */
public record Interval(double low, double high) {
    /** Ends that are so many times apart tell nothing of a ratio. */
    private static final double USABLE_MAX = 100;

    /** {@return the interval of a ratio, as changes in percent; or that its repeats differ too much} */
    public String changes() {
        return isUsable() ? change(low) + " to " + change(high) : "no usable interval";
    }

    boolean isUsable() {
        return high <= USABLE_MAX * low;
    }

    private static String change(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
    }
}
