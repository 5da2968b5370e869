package org.hubmark.bench.results.cost;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A straight line through what messages of several sizes cost: a + b x size, by least squares of the
 * relative residuals, (measured - line) / mean measured at that size. The scatter of a cost grows
 * with the cost, and sizes span decades, so that plain residuals would fit the largest size and
 * leave the smallest to chance. Where a mean is not above 0 the residuals are plain.
 */
public final class CostFit {
    /** Two always lie on a line, which says nothing about how well it fits. */
    static final int SIZES_MIN = 3;

    private static final double TWO_SIDED_95 = 0.975;

    private final List<Point> points;
    private final boolean relative;
    private final double a;
    private final double b;
    private final double[][] covariance;
    private final double variance;
    private final double t;
    private final @Nullable Double rSquared;

    /**
     * One measurement.
     *
     * @param sizeKb KB of 1000
     * @param cost of a message
     */
    public record Point(double sizeKb, double cost) {}

    /**
     * A cost that was not measured.
     *
     * @param low of the interval that the cost of a further measurement lies in with 95 %
     * @param high of that interval
     */
    public record Prediction(double cost, double low, double high) {}

    private CostFit(List<Point> points) {
        this.points = points;
        TreeMap<Double, Double> means = points.stream()
                .collect(Collectors.groupingBy(
                        Point::sizeKb, TreeMap::new, Collectors.averagingDouble(Point::cost)));
        this.relative = means.values().stream().allMatch(mean -> mean > 0);
        double[] y = new double[points.size()];
        double[][] x = new double[points.size()][];
        for (int i = 0; i < y.length; i++) {
            Point point = points.get(i);
            double scale = relative ? means.getOrDefault(point.sizeKb(), 1.0) : 1;
            y[i] = point.cost() / scale;
            x[i] = new double[] {1 / scale, point.sizeKb() / scale};
        }
        OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
        regression.setNoIntercept(true);
        regression.newSampleData(y, x);
        double[] parameters = regression.estimateRegressionParameters();
        this.a = parameters[0];
        this.b = parameters[1];
        this.covariance = regression.estimateRegressionParametersVariance();
        this.variance = regression.estimateErrorVariance();
        int freedom = points.size() - 2;
        this.t = new TDistribution(freedom).inverseCumulativeProbability(TWO_SIDED_95);
        for (double[] row : covariance) {
            row[0] *= variance;
            row[1] *= variance;
        }
        this.rSquared = squared(y, x);
    }

    /** {@return the fit; null with fewer than three sizes} */
    public static @Nullable CostFit of(List<Point> points) {
        long sizes = points.stream().map(Point::sizeKb).distinct().count();
        return sizes < SIZES_MIN ? null : new CostFit(List.copyOf(points));
    }

    /** {@return the cost of a message without content} */
    public double a() {
        return a;
    }

    /** {@return the cost of each KB} */
    public double b() {
        return b;
    }

    /** {@return half the width of the confidence interval of a} */
    public double aMargin() {
        return t * Math.sqrt(covariance[0][0]);
    }

    /** {@return half the width of the confidence interval of b} */
    public double bMargin() {
        return t * Math.sqrt(covariance[1][1]);
    }

    /** {@return how many measurements it is fitted to} */
    public int points() {
        return points.size();
    }

    /** {@return the share of the variance that the line explains; null when there is none} */
    public @Nullable Double rSquared() {
        return rSquared;
    }

    /** {@return the largest distance of a measurement from the line, percent of the line} */
    public @Nullable Double residualMaxPercent() {
        double largest = 0;
        for (Point point : points) {
            double line = a + b * point.sizeKb();
            double distance = Math.abs(point.cost() - line);
            if (line <= 0 && distance > 0) {
                return null;
            }
            largest = Math.max(largest, distance == 0 ? 0 : 100 * distance / line);
        }
        return largest;
    }

    /** {@return whether a size lies outside of those measured} */
    public boolean extrapolates(double sizeKb) {
        return points.stream().allMatch(point -> point.sizeKb() < sizeKb)
                || points.stream().allMatch(point -> point.sizeKb() > sizeKb);
    }

    /** {@return what a message of that size would cost} */
    public Prediction predict(double sizeKb) {
        double cost = a + b * sizeKb;
        double ofLine = lineVariance(sizeKb);
        double ofOne = variance * (relative ? cost * cost : 1);
        double margin = t * Math.sqrt(ofLine + ofOne);
        return new Prediction(cost, cost - margin, cost + margin);
    }

    /** {@return half the width of the 95 % interval of the line at a size} */
    public double margin(double sizeKb) {
        return t * Math.sqrt(lineVariance(sizeKb));
    }

    private double lineVariance(double sizeKb) {
        return covariance[0][0]
                + 2 * sizeKb * covariance[0][1]
                + sizeKb * sizeKb * covariance[1][1];
    }

    /** In the scale of the residuals; the constant that it is compared with is weighted alike. */
    private @Nullable Double squared(double[] y, double[][] x) {
        double weights = 0;
        double weighted = 0;
        for (int i = 0; i < y.length; i++) {
            weights += x[i][0] * x[i][0];
            weighted += x[i][0] * y[i];
        }
        double constant = weighted / weights;
        double total = 0;
        double left = 0;
        for (int i = 0; i < y.length; i++) {
            total += Math.pow(y[i] - constant * x[i][0], 2);
            left += Math.pow(y[i] - a * x[i][0] - b * x[i][1], 2);
        }
        return total == 0 ? null : 1 - left / total;
    }
}
