package org.hubmark.bench.mail.cost;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What messages of several sizes cost: a + b x size, by least squares of the relative residuals,
 * (measured - line) / mean measured at that size. The scatter of a cost grows with the cost, and sizes
 * span decades, so that plain residuals would fit the largest size and leave the smallest to chance.
 * Where a mean is not above 0 the residuals are plain.
 */
public final class CostFit {
    /** Two always lie on a line, which says nothing about how well it fits. */
    static final int SIZES_MIN = 3;

    private static final double TWO_SIDED_95 = 0.975;

    private final List<Point> points;
    /** Each size's mean, by which its residuals are divided; 1 where they are plain. */
    private final Map<Double, Double> scales;

    private final double[] parameters;
    private final double[][] covariance;
    private final double t;

    /**
     * One measurement.
     *
     * @param sizeKb KB of 1000
     * @param cost of a message
     */
    public record Point(double sizeKb, double cost) {}

    private CostFit(List<Point> points, Map<Double, Double> means) {
        this.points = points;
        this.scales = means;
        if (means.values().stream().anyMatch(mean -> mean <= 0)) {
            means.replaceAll((size, mean) -> 1.0);
        }
        OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
        regression.setNoIntercept(true);
        regression.newSampleData(
                points.stream()
                        .mapToDouble(point -> point.cost() / scale(point))
                        .toArray(),
                points.stream()
                        .map(point ->
                                new double[] {1 / scale(point), point.sizeKb() / scale(point)})
                        .toArray(double[][]::new));
        this.parameters = regression.estimateRegressionParameters();
        double variance = regression.estimateErrorVariance();
        this.covariance = regression.estimateRegressionParametersVariance();
        for (double[] row : covariance) {
            for (int i = 0; i < row.length; i++) {
                row[i] *= variance;
            }
        }
        this.t = new TDistribution(points.size() - parameters.length)
                .inverseCumulativeProbability(TWO_SIDED_95);
    }

    /** {@return the fit; null with fewer than three sizes} */
    public static @Nullable CostFit of(List<Point> points) {
        Map<Double, Double> means = points.stream()
                .collect(Collectors.groupingBy(
                        Point::sizeKb, Collectors.averagingDouble(Point::cost)));
        return means.size() < SIZES_MIN ? null : new CostFit(List.copyOf(points), means);
    }

    private double scale(Point point) {
        return scales.getOrDefault(point.sizeKb(), 1.0);
    }

    /** {@return the cost of a message without content} */
    public double a() {
        return parameters[0];
    }

    /** {@return the cost of each KB} */
    public double b() {
        return parameters[1];
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

    private double at(Point point) {
        return a() + b() * point.sizeKb();
    }

    /** {@return the largest distance of a measurement from the line, percent of the line} */
    public @Nullable Double residualMaxPercent() {
        double largest = 0;
        for (Point point : points) {
            double line = at(point);
            double distance = Math.abs(point.cost() - line);
            if (line <= 0 && distance > 0) {
                return null;
            }
            largest = Math.max(largest, distance == 0 ? 0 : 100 * distance / line);
        }
        return largest;
    }

    /**
     * {@return the share of the variance that the line explains, in the scale of the residuals; null
     * where there is no variance} The constant that it is compared with is weighted alike.
     */
    public @Nullable Double rSquared() {
        double weights = 0;
        double weighted = 0;
        for (Point point : points) {
            weights += 1 / (scale(point) * scale(point));
            weighted += point.cost() / (scale(point) * scale(point));
        }
        double constant = weighted / weights;
        double total = 0;
        double left = 0;
        for (Point point : points) {
            total += Math.pow((point.cost() - constant) / scale(point), 2);
            left += Math.pow((point.cost() - at(point)) / scale(point), 2);
        }
        return total == 0 ? null : 1 - left / total;
    }
}
