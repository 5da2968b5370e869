package org.hubmark.bench.scale.report;

import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** Figures as they are printed: a dash where one isn't known. */
final class Shown {
    private static final double[] NO_REPEATS = {};

    private Shown() {}

    /** {@return a figure with the digits that a single measurement allows} */
    static String number(@Nullable Double value) {
        return value == null ? Cells.UNKNOWN : Digits.text(value, NO_REPEATS, 3);
    }

    /** {@return a figure with as many digits as its runs allow, and its interval} */
    static String number(double value, double[] runs, @Nullable Interval interval) {
        String text = Digits.text(value, runs, 3);
        return interval == null ? text : text + " (" + range(interval, runs) + ")";
    }

    /** {@return a share with two decimals, and its interval} */
    static String share(@Nullable Double value, @Nullable Interval interval) {
        if (value == null) {
            return Cells.UNKNOWN;
        }
        String text = String.format(Locale.ROOT, "%.2f", value);
        return interval == null
                ? text
                : text
                        + String.format(
                                Locale.ROOT, " (%.2f to %.2f)", interval.low(), interval.high());
    }

    /** {@return a parameter of the model with its interval} */
    static String parameter(double value, @Nullable Interval interval) {
        return interval == null
                ? number(value)
                : number(value) + " (" + number(interval.low()) + " to " + number(interval.high())
                        + ")";
    }

    private static String range(Interval interval, double[] runs) {
        return Digits.ofRange(interval.low(), interval.high(), runs, 3) + " to "
                + Digits.ofRange(interval.high(), interval.low(), runs, 3);
    }
}
