package org.hubmark.bench.plan.formula;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a formula may call. plan/formulas.js has the same for the page, and a test holds both against each
 * other.
 */
public enum Function {
    /** The first that is known. */
    FIRST(1, Integer.MAX_VALUE),
    /** The smallest of those that are known. */
    LEAST(1, Integer.MAX_VALUE),
    /** The largest of those that are known. */
    GREATEST(1, Integer.MAX_VALUE),
    /** To a whole number, downwards. */
    DOWN(1, 1),
    /** To a whole number, upwards. */
    UP(1, 1),
    /** A number above 0, else not applicable. */
    IF_POSITIVE(1, 1),
    /** The most along a curve that is not above a limit. */
    MOST_WITHIN(2, 2),
    /** The height of a curve at a place. */
    HEIGHT_AT(2, 2),
    /** The least along a curve at which it reaches a height. */
    LEAST_REACHING(2, 2);

    /** What binary fractions are off by must not cost a user or a disk. */
    private static final double NEAR = 1e-9;

    private final int argumentsMin;
    private final int argumentsMax;

    Function(int argumentsMin, int argumentsMax) {
        this.argumentsMin = argumentsMin;
        this.argumentsMax = argumentsMax;
    }

    /** {@return the function that a formula calls so} */
    static Optional<Function> of(String text) {
        return Arrays.stream(values()).filter(one -> one.text().equals(text)).findFirst();
    }

    /** {@return its name in formulas} */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean takes(int arguments) {
        return arguments >= argumentsMin && arguments <= argumentsMax;
    }

    boolean ofCurve() {
        return this == MOST_WITHIN || this == HEIGHT_AT || this == LEAST_REACHING;
    }

    static double down(double value) {
        return Math.floor(value + NEAR * Math.max(1, Math.abs(value)));
    }

    static double up(double value) {
        return Math.ceil(value - NEAR * Math.max(1, Math.abs(value)));
    }
}
