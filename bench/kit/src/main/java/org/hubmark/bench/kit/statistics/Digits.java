package org.hubmark.bench.kit.statistics;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * Number of digits of a figure that are shown: as many as its repeats support. The last one shown
 * is that of the largest power of ten that is at most a quarter of the width of the 95 % interval,
 * so that rounding takes away at most an eighth of that width. Files keep all digits.
 */
public final class Digits {
    /** Digits of a figure without an interval, that of a single repeat. */
    static final int WITHOUT_INTERVAL = 3;

    private static final double MILLION = 1e6;

    /** Below, a whole number is one of 64 bits. */
    private static final double LONG_MAX = 1e18;

    private Digits() {}

    /**
     * {@return the figure as it is shown}
     *
     * @param repeats the figure in each of them; none where that isn't known
     * @param decimalsMax it never has more digits after the point
     */
    public static String text(double value, double[] repeats, int decimalsMax) {
        int decimals = Math.min(decimalsMax, decimals(value, Inference.student(repeats)));
        double low = Arrays.stream(repeats).min().orElse(value);
        double high = Arrays.stream(repeats).max().orElse(value);
        // However wide the interval is: what no repeat had is no digit of theirs.
        boolean isOfSeveral = repeats.length > 1 && low <= value && value <= high;
        while (isOfSeveral && decimals < decimalsMax && !isWithin(value, decimals, low, high)) {
            decimals++;
        }
        return rounded(value, decimals);
    }

    private static boolean isWithin(double value, int decimals, double low, double high) {
        double shown = Double.parseDouble(rounded(value, decimals));
        return low <= shown && shown <= high;
    }

    /**
     * {@return one end of a range over repeats as it is shown: with the digits of their mean, at least
     * those of a single repeat, since that is what it is, and so many that the ends differ where they do}
     *
     * @param other the other end
     */
    public static String ofRange(double end, double other, double[] repeats, int decimalsMax) {
        double larger = Math.max(Math.abs(end), Math.abs(other));
        int decimals =
                Math.max(decimals(larger, null), decimals(larger, Inference.student(repeats)));
        if (end != other) {
            decimals = Math.max(decimals, -exponent(end - other));
        }
        return rounded(end, Math.min(decimalsMax, decimals));
    }

    /** {@return how many digits after the point; below 0 where zeros stand before it} */
    private static int decimals(double value, @Nullable Interval interval) {
        if (value == 0) {
            return Integer.MAX_VALUE;
        }
        int first = exponent(value);
        if (interval == null) {
            return WITHOUT_INTERVAL - 1 - first;
        }
        double width = interval.high() - interval.low();
        // One digit stays even where the interval allows none.
        return width == 0 ? Integer.MAX_VALUE : Math.max(-exponent(width / 4), -first);
    }

    private static int exponent(double value) {
        return (int) Math.floor(Math.log10(Math.abs(value)));
    }

    /** {@return up to 7 digits that count and all before the point; a dash for what is no number} */
    public static String plain(double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        if (value == Math.rint(value) && Math.abs(value) < LONG_MAX) {
            return BigDecimal.valueOf((long) value).toPlainString();
        }
        return new BigDecimal(value)
                .round(new MathContext(Math.abs(value) >= MILLION ? 10 : 7))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static String rounded(double value, int decimals) {
        BigDecimal shown = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
        return shown.setScale(Math.max(0, decimals)).toPlainString();
    }
}
