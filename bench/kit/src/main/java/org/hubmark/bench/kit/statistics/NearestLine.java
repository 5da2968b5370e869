package org.hubmark.bench.kit.statistics;

import org.jspecify.annotations.Nullable;

/** The straight line that is nearest to points, by least squares. Points that are not known are left out. */
public final class NearestLine {
    private static final int POINTS_MIN = 3;

    private NearestLine() {}

    /** Sums over the points, of their distances from the middle of all. */
    private record Sums(
            double count, double meanX, double meanY, double squaresX, double products) {
        static Sums of(double[] x, double[] y) {
            double count = 0;
            double sumX = 0;
            double sumY = 0;
            for (int i = 0; i < x.length; i++) {
                if (isKnown(x, y, i)) {
                    count++;
                    sumX += x[i];
                    sumY += y[i];
                }
            }
            double meanX = sumX / count;
            double meanY = sumY / count;
            double squaresX = 0;
            double products = 0;
            for (int i = 0; i < x.length; i++) {
                if (isKnown(x, y, i)) {
                    squaresX += (x[i] - meanX) * (x[i] - meanX);
                    products += (x[i] - meanX) * (y[i] - meanY);
                }
            }
            return new Sums(count, meanX, meanY, squaresX, products);
        }

        double slope() {
            return count < POINTS_MIN || squaresX <= 0 ? Double.NaN : products / squaresX;
        }
    }

    private static boolean isKnown(double[] x, double[] y, int i) {
        return Double.isFinite(x[i]) && Double.isFinite(y[i]);
    }

    /** {@return its slope; NaN of fewer than three points, or of points at one place} */
    public static double slope(double[] x, double[] y) {
        return Sums.of(x, y).slope();
    }

    /**
     * {@return Student's interval of the slope; null of fewer than three points, or of points at one place}
     * It holds for points that scatter around the line each by itself.
     */
    public static @Nullable Interval interval(double[] x, double[] y) {
        Sums sums = Sums.of(x, y);
        double slope = sums.slope();
        if (Double.isNaN(slope)) {
            return null;
        }
        double squares = 0;
        for (int i = 0; i < x.length; i++) {
            if (isKnown(x, y, i)) {
                double off = y[i] - sums.meanY - slope * (x[i] - sums.meanX);
                squares += off * off;
            }
        }
        double degrees = sums.count - 2;
        double error = Math.sqrt(squares / degrees / sums.squaresX);
        double reach = Inference.quantile(degrees) * error;
        return new Interval(slope - reach, slope + reach);
    }
}
