package org.hubmark.bench.kit.page;

import com.fasterxml.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Values as they are printed. */
public final class Cells {
    /** What stands where nothing is known. */
    public static final String UNKNOWN = "-";

    private static final int DECIMALS = 3;

    private Cells() {}

    /** {@return a number with three decimals as the source has them, whole numbers whole} */
    public static String of(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return UNKNOWN;
        }
        if (value.isFloatingPointNumber()) {
            return of(value.asDouble());
        }
        if (value.isBoolean()) {
            return value.asBoolean() ? "yes" : "no";
        }
        return value.asText();
    }

    /** {@return a number with three decimals} */
    public static String of(double value) {
        return BigDecimal.valueOf(value)
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .toPlainString();
    }
}
