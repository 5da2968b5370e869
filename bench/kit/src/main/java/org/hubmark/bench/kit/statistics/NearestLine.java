package org.hubmark.bench.kit.statistics;

/** The straight line that is nearest to points, by least squares. */
public final class NearestLine {
    private static final int POINTS_MIN = 3;

    private NearestLine() {}

    /** {@return its slope; NaN of fewer than three points that are known, or of points at one place} */
    public static double slope(double[] x, double[] y) {
        double count = 0;
        double sumX = 0;
        double sumY = 0;
        double sumXx = 0;
        double sumXy = 0;
        for (int i = 0; i < x.length; i++) {
            if (Double.isFinite(x[i]) && Double.isFinite(y[i])) {
                count++;
                sumX += x[i];
                sumY += y[i];
                sumXx += x[i] * x[i];
                sumXy += x[i] * y[i];
            }
        }
        double spread = count * sumXx - sumX * sumX;
        return count < POINTS_MIN || spread <= 0
                ? Double.NaN
                : (count * sumXy - sumX * sumY) / spread;
    }
}
