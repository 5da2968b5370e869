package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/** Values as tables have them: a dash where one isn't known. */
final class CellText {
    static final String UNKNOWN = Cells.UNKNOWN;

    private static final double[] NO_REPEATS = {};

    private CellText() {}

    /** {@return a number with the digits that a single measurement allows} */
    static String number(double value, int decimals) {
        return Double.isFinite(value) ? Digits.text(value, NO_REPEATS, decimals) : UNKNOWN;
    }

    /** {@return a name or a setting; of several one after the other} */
    static String text(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.isEmpty()
                    ? UNKNOWN
                    : list.stream().map(CellText::text).collect(Collectors.joining(", "));
        }
        return value == null ? UNKNOWN : Cells.of(JsonFile.tree(value));
    }
}
