package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Values as they are printed. */
final class Cells {
    static final String UNKNOWN = "-";

    private static final int DECIMALS = 3;

    private Cells() {}

    /** {@return a number with three decimals as the source has them, whole numbers whole} */
    static String of(JsonNode value) {
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

    static String of(double value) {
        return BigDecimal.valueOf(value)
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .toPlainString();
    }
}
