package org.hubmark.bench.results.cost;

import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;
import org.hipparchus.stat.regression.SimpleRegression;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What messages of several sizes cost: a + b x size + background / rate, by least squares of the
 * relative residuals, (measured - model) / mean measured in that cell. The scatter of a cost grows
 * with the cost, and sizes span decades, so that plain residuals would fit the largest size and
 * leave the smallest to chance. Where a mean is not above 0 the residuals are plain.
 *
 * <p>The background is what the server costs each second, whatever it is sent: at a fixed rate each
 * message bears its share, the larger the lower the rate. It is modelled where the rates tell it
 * apart from a and b.
 */
public final class CostFit {
    /** Two always lie on a line, which says nothing about how well it fits. */
    static final int SIZES_MIN = 3;

    /** A lack of fit that chance makes more often is none. */
    static final double LACK_OF_FIT_P_MIN = 0.05;

    /** A size that was left out may be missed by so much, percent. */
    static final double LEFT_OUT_PERCENT_MAX = 10;

    private static final double TWO_SIDED_95 = 0.975;

    /** Rates of which the sizes explain more than that can't tell the background from the size. */
    private static final double EXPLAINED_MAX = 0.98;

    private final List<Point> points;
    private final boolean relative;
    private final Map<Cell, Double> means;
    private final boolean background;
    private final double[] parameters;
    private final double[][] covariance;
    private final double variance;
    private final double t;
    private final @Nullable Double rSquared;
    private final @Nullable Double lackOfFitP;
    private final @Nullable Double leftOutMaxPercent;

    /**
     * One measurement.
     *
     * @param sizeKb KB of 1000
     * @param secondsPerMsg 1 / the rate of the cell; 0 at full load, where each message takes the time
     *     that it costs
     * @param cost of a message
     */
    public record Point(double sizeKb, double secondsPerMsg, double cost) {
        /** One at full load. */
        public Point(double sizeKb, double cost) {
            this(sizeKb, 0, cost);
        }

        private Cell cell() {
            return new Cell(sizeKb, secondsPerMsg);
        }
    }

    /** Repeats of one cell differ by chance alone. */
    private record Cell(double sizeKb, double secondsPerMsg) {}

    /**
     * A cost that was not measured.
     *
     * @param low of the interval that the cost of a further measurement lies in with 95 %
     * @param high of that interval
     */
    public record Prediction(double cost, double low, double high) {}

    private CostFit(List<Point> points, boolean judged) {
        this.points = points;
        this.means = points.stream()
                .collect(Collectors.groupingBy(
                        Point::cell, Collectors.averagingDouble(Point::cost)));
        this.relative = means.values().stream().allMatch(mean -> mean > 0);
        this.background = share(points) == Share.SEPARABLE;
        double[] y = new double[points.size()];
        double[][] x = new double[points.size()][];
        for (int i = 0; i < y.length; i++) {
            Point point = points.get(i);
            double scale = scale(point);
            y[i] = point.cost() / scale;
            x[i] = background
                    ? new double[] {1 / scale, point.sizeKb() / scale, point.secondsPerMsg() / scale
                    }
                    : new double[] {1 / scale, point.sizeKb() / scale};
        }
        OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
        regression.setNoIntercept(true);
        regression.newSampleData(y, x);
        this.parameters = regression.estimateRegressionParameters();
        int freedom = points.size() - parameters.length;
        this.variance = freedom == 0 ? Double.NaN : regression.estimateErrorVariance();
        this.covariance = regression.estimateRegressionParametersVariance();
        for (double[] row : covariance) {
            for (int i = 0; i < row.length; i++) {
                row[i] *= variance;
            }
        }
        this.t = freedom == 0
                ? Double.NaN
                : new TDistribution(freedom).inverseCumulativeProbability(TWO_SIDED_95);
        this.rSquared = squared(y, x);
        this.lackOfFitP = judged ? lackOfFit() : null;
        this.leftOutMaxPercent = judged ? leftOut() : null;
    }

    /** {@return the fit; null with fewer than three sizes} */
    public static @Nullable CostFit of(List<Point> points) {
        return sizes(points).size() < SIZES_MIN ? null : new CostFit(List.copyOf(points), true);
    }

    private static NavigableSet<Double> sizes(List<Point> points) {
        return points.stream().map(Point::sizeKb).collect(Collectors.toCollection(TreeSet::new));
    }

    /** How a background can be told from what a message and a KB cost. */
    private enum Share {
        /** Each message bears the same share, which is part of a; at full load it has none. */
        PART_OF_A,
        SEPARABLE,
        /** The larger the message, the lower the rate: its share is taken for what a KB costs. */
        HIDDEN_IN_B
    }

    private static Share share(List<Point> points) {
        SimpleRegression shares = new SimpleRegression();
        points.forEach(point -> shares.addData(point.sizeKb(), point.secondsPerMsg()));
        double least = points.stream().mapToDouble(Point::secondsPerMsg).min().orElse(0);
        double most = points.stream().mapToDouble(Point::secondsPerMsg).max().orElse(0);
        // The same rate was asked for: it was kept to a few percent.
        if (most <= 1.02 * least || sizes(points).size() < 2) {
            return Share.PART_OF_A;
        }
        return shares.getRSquare() <= EXPLAINED_MAX ? Share.SEPARABLE : Share.HIDDEN_IN_B;
    }

    private double scale(Point point) {
        return relative ? means.getOrDefault(point.cell(), 1.0) : 1;
    }

    /** {@return the cost of a message without content} */
    public double a() {
        return parameters[0];
    }

    /** {@return the cost of each KB} */
    public double b() {
        return parameters[1];
    }

    /** {@return the cost of each second, whatever is sent; null where it isn't modelled} */
    public @Nullable Double background() {
        return background ? (Double) parameters[2] : null;
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

    /** {@return the share of the variance that the model explains; null when there is none} */
    public @Nullable Double rSquared() {
        return rSquared;
    }

    /**
     * {@return how often chance alone would put the means of the cells so far from the model, by the
     * scatter within the cells; null where no cell was measured twice}
     */
    public @Nullable Double lackOfFitP() {
        return lackOfFitP;
    }

    /**
     * {@return by how much a size is missed at most, percent of what was measured, by the model of all
     * other sizes; null where one of them cost nothing}
     */
    public @Nullable Double leftOutMaxPercent() {
        return leftOutMaxPercent;
    }

    /** {@return why it must not be used; null when it fits} */
    public @Nullable String misfit() {
        if (share(points) == Share.HIDDEN_IN_B) {
            return "the rates fall as the sizes grow, so that what runs in the background can't be"
                    + " told from what a KB costs: measure all sizes at one rate, or one size at"
                    + " several";
        }
        Double missed = leftOutMaxPercent;
        boolean lacking = lackOfFitP == null || lackOfFitP < LACK_OF_FIT_P_MIN;
        return missed != null && missed > LEFT_OUT_PERCENT_MAX && lacking
                ? String.format(
                        Locale.ROOT,
                        "a size that is left out is missed by %.0f %%%s",
                        missed,
                        lackOfFitP == null
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        ", and the sizes lie off the line by more than repeats do"
                                                + " (p %.3f)",
                                        lackOfFitP))
                : null;
    }

    /** {@return the largest distance of a measurement from the model, percent of the model} */
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

    /** {@return whether a size lies outside of those measured} */
    public boolean extrapolates(double sizeKb) {
        return sizeKb < sizes(points).first() || sizeKb > sizes(points).last();
    }

    /** {@return what a message of that size would cost, without its share of the background} */
    public Prediction predict(double sizeKb) {
        double cost = a() + b() * sizeKb;
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

    private double at(Point point) {
        return a()
                + b() * point.sizeKb()
                + (background ? parameters[2] * point.secondsPerMsg() : 0);
    }

    /** The classical F test: what the means miss the model by, beside the scatter around the means. */
    private @Nullable Double lackOfFit() {
        int ofModel = means.size() - parameters.length;
        int ofRepeats = points.size() - means.size();
        if (ofModel <= 0 || ofRepeats <= 0) {
            return null;
        }
        double missed = 0;
        double scattered = 0;
        for (Point point : points) {
            double mean = means.getOrDefault(point.cell(), 0.0);
            missed += Math.pow((mean - at(point)) / scale(point), 2);
            scattered += Math.pow((point.cost() - mean) / scale(point), 2);
        }
        // What is left of a difference of doubles is no lack of fit.
        if (missed < 1e-18) {
            return 1.0;
        }
        double f = missed / ofModel / (scattered / ofRepeats);
        return Double.isInfinite(f)
                ? (Double) 0.0
                : (Double) (1 - new FDistribution(ofModel, ofRepeats).cumulativeProbability(f));
    }

    private @Nullable Double leftOut() {
        double largest = 0;
        for (double size : sizes(points)) {
            List<Point> others =
                    points.stream().filter(point -> point.sizeKb() != size).toList();
            // The regression takes one more than it has parameters.
            if (others.size() <= parameters.length) {
                return null;
            }
            CostFit fit = new CostFit(others, false);
            for (Map.Entry<Cell, Double> cell : means.entrySet()) {
                double mean = cell.getValue();
                if (cell.getKey().sizeKb() == size && mean == 0) {
                    return null;
                }
                if (cell.getKey().sizeKb() == size) {
                    double predicted = fit.at(new Point(size, cell.getKey().secondsPerMsg(), mean));
                    largest = Math.max(largest, 100 * Math.abs(predicted / mean - 1));
                }
            }
        }
        return largest;
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
            left += Math.pow((points.get(i).cost() - at(points.get(i))) / scale(points.get(i)), 2);
        }
        return total == 0 ? null : 1 - left / total;
    }
}
