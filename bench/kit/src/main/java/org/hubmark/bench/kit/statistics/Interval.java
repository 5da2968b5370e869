package org.hubmark.bench.kit.statistics;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * A confidence interval, of 95 % where nothing else is said.
 *
 * @param low its lower end
 * @param high its upper end
 */
public record Interval(double low, double high) {
    /** Ends that are so many times apart tell nothing but that the repeats are too few. */
    private static final double USABLE_MAX = 100;

    /**
     * {@return it; null where its ends are more than a hundred times apart} One that reaches below 0 is kept: it
     * is of values near 0, which may well differ by so much.
     */
    public @Nullable Interval usable() {
        return isUsable() ? this : null;
    }

    /** {@return the interval of a ratio, as changes in percent; or that its repeats differ too much} */
    public String changes() {
        return isUsable() ? change(low) + " to " + change(high) : "no usable interval";
    }

    /** {@return the same with the level of the interval, 0 to 1} */
    public String changes(double level) {
        return changes() + (isUsable() ? " (" + text(level) + ")" : "");
    }

    private boolean isUsable() {
        return low < 0 || high <= USABLE_MAX * low;
    }

    /** With as many digits as tell it from all. */
    static String text(double level) {
        int decimals = Math.max(1, (int) Math.ceil(-Math.log10(100 * (1 - level))) + 1);
        return Digits.plain(new BigDecimal(100 * level)
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .doubleValue())
                + " %";
    }

    private static String change(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
    }
}
