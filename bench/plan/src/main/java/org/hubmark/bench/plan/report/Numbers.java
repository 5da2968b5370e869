package org.hubmark.bench.plan.report;

import org.hubmark.bench.kit.page.Cells;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as the report prints them. */
final class Numbers {
    private static final MathContext DIGITS = new MathContext(4);
    private static final double LARGE = 1000;

    private Numbers() {}

    /** {@return four digits that count, more where they stand before the point; a dash for what isn't known} */
    static String text(@Nullable Double value) {
        if (value == null || Double.isNaN(value)) {
            return Cells.UNKNOWN;
        }
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (Math.abs(value) >= LARGE) {
            return String.format(Locale.ROOT, "%,.1f", value);
        }
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    /** {@return the same with its unit} */
    static String text(@Nullable Double value, String unit) {
        String number = text(value);
        return number.equals(Cells.UNKNOWN) || unit.isEmpty() ? number : number + " " + unit;
    }

    /** {@return a change with its sign, one digit behind the point; a dash for what isn't known} */
    static String change(@Nullable Double percent) {
        return percent == null ? Cells.UNKNOWN : String.format(Locale.ROOT, "%+.1f %%", percent);
    }
}
