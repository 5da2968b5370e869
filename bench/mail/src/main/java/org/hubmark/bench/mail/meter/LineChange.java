package org.hubmark.bench.mail.meter;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * Change from the first to the last of some points, by the line of least squares through them.
 *
 * @param size by the line
 * @param reach half the width of its interval
 */
record LineChange(double size, double reach) {
    /**
     * {@return the change}
     *
     * @param length from the first point to the last
     * @param risk of each of the two one-sided tests that make the interval
     * @param widening of the error, where neighbouring points resemble each other; 1 where they don't
     */
    static LineChange of(SimpleRegression line, double length, double risk, double widening) {
        double t = new TDistribution(line.getN() - 2.0).inverseCumulativeProbability(1 - risk);
        return new LineChange(
                line.getSlope() * length, t * line.getSlopeStdErr() * widening * length);
    }

    /** {@return whether two one-sided tests show that the change is smaller than a bound} */
    boolean isWithin(double bound) {
        return Math.abs(size) + reach < bound;
    }
}
