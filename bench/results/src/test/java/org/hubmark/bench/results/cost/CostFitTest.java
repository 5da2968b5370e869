package org.hubmark.bench.results.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.results.cost.CostFit.Point;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/** A line is found again where there is one, with intervals that hold what they promise. */
class CostFitTest {
    private static final double[] SIZES = {4, 25, 57, 80, 1000, 10_000};

    @Test
    void findsAnExactLine() {
        List<Point> points = new ArrayList<>();
        for (double size : SIZES) {
            points.add(new Point(size, 0.5 + 0.002 * size));
        }
        CostFit fit = Objects.requireNonNull(CostFit.of(points));
        assertThat(fit.a()).isCloseTo(0.5, within(1e-9));
        assertThat(fit.b()).isCloseTo(0.002, within(1e-12));
        assertThat(fit.rSquared()).isCloseTo(1, within(1e-9));
        assertThat(fit.residualMaxPercent()).isCloseTo(0, within(1e-6));
        assertThat(fit.predict(100).cost()).isCloseTo(0.7, within(1e-9));
        assertThat(fit.points()).isEqualTo(6);
        assertThat(fit.extrapolates(100)).isFalse();
        assertThat(fit.extrapolates(3)).isTrue();
        assertThat(fit.extrapolates(20_000)).isTrue();
    }

    @Test
    void agreesWithTheNormalEquations() {
        double[] x = {1, 1, 2, 2, 4, 4};
        double[] y = {2, 2.2, 3.1, 2.9, 5, 5.4};
        double[] mean = {2.1, 2.1, 3, 3, 5.2, 5.2};
        double w = 0;
        double wx = 0;
        double wy = 0;
        double wxx = 0;
        double wxy = 0;
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            double weight = 1 / (mean[i] * mean[i]);
            w += weight;
            wx += weight * x[i];
            wy += weight * y[i];
            wxx += weight * x[i] * x[i];
            wxy += weight * x[i] * y[i];
            points.add(new Point(x[i], y[i]));
        }
        double determinant = w * wxx - wx * wx;
        double a = (wxx * wy - wx * wxy) / determinant;
        double b = (w * wxy - wx * wy) / determinant;
        double left = 0;
        for (int i = 0; i < x.length; i++) {
            left += Math.pow((y[i] - a - b * x[i]) / mean[i], 2);
        }
        // Student's t for 4 degrees of freedom, two-sided 95 %.
        double margin = 2.776445 * Math.sqrt(left / 4 * w / determinant);
        CostFit fit = Objects.requireNonNull(CostFit.of(points));
        assertThat(fit.a()).isCloseTo(a, within(1e-9));
        assertThat(fit.b()).isCloseTo(b, within(1e-9));
        assertThat(fit.bMargin()).isCloseTo(margin, within(1e-5));
    }

    /** Of many fits to scattered costs, 95 of 100 intervals hold the truth, give or take chance. */
    @Test
    void intervalsHoldTheTruth() {
        long seed = 4711;
        Random random = new Random(seed);
        int runs = 2000;
        int slopes = 0;
        int predictions = 0;
        for (int run = 0; run < runs; run++) {
            List<Point> points = new ArrayList<>();
            for (double size : SIZES) {
                for (int repeat = 0; repeat < 3; repeat++) {
                    points.add(new Point(size, cost(size, random)));
                }
            }
            CostFit fit = Objects.requireNonNull(CostFit.of(points));
            slopes += Math.abs(fit.b() - 0.002) <= fit.bMargin() ? 1 : 0;
            CostFit.Prediction prediction = fit.predict(200);
            double further = cost(200, random);
            predictions += further >= prediction.low() && further <= prediction.high() ? 1 : 0;
        }
        assertThat(slopes).as("seed %d", seed).isBetween(1850, 1940);
        assertThat(predictions).as("seed %d", seed).isBetween(1850, 1940);
    }

    private static double cost(double size, Random random) {
        return (0.5 + 0.002 * size) * (1 + 0.05 * random.nextGaussian());
    }

    @Test
    void takesThreeSizes() {
        assertThat(CostFit.of(List.of(
                        new Point(57, 1), new Point(57, 1.1), new Point(80, 1), new Point(80, 2))))
                .isNull();
    }

    /** Nothing is written to a queue volume while mail is delivered at once. */
    @Test
    void fitsNothingButZeros() {
        CostFit fit = Objects.requireNonNull(
                CostFit.of(List.of(new Point(1, 0), new Point(2, 0), new Point(3, 0))));
        assertThat(fit.a()).isZero();
        assertThat(fit.b()).isZero();
        assertThat(fit.rSquared()).isNull();
        assertThat(fit.residualMaxPercent()).isZero();
        assertThat(fit.predict(5).cost()).isZero();
    }

    /** Each message bears its share of what runs anyway: 20 Mcycles a second at 20/s are one. */
    @Test
    void theBackgroundIsToldFromTheSizeWhereTheRatesTellIt() {
        List<Point> points = new ArrayList<>();
        for (double size : SIZES) {
            for (double rate : new double[] {20, 100, 500}) {
                points.add(new Point(size, 1 / rate, 0.5 + 0.002 * size + 20 / rate));
            }
        }
        CostFit fit = Objects.requireNonNull(CostFit.of(points));
        assertThat(fit.a()).isCloseTo(0.5, within(1e-9));
        assertThat(fit.b()).isCloseTo(0.002, within(1e-12));
        assertThat(fit.background()).isCloseTo(20, within(1e-6));
        assertThat(fit.misfit()).isNull();
        assertThat(fit.predict(100).cost()).isCloseTo(0.7, within(1e-9));
    }

    /** As many MB a second at every size: the larger the message, the larger its share. */
    @Test
    void aBackgroundThatHidesBehindTheSizeIsSaidAndNothingIsPredicted() {
        List<Point> points = new ArrayList<>();
        for (double size : SIZES) {
            double rate = 10_000 / size;
            points.add(new Point(size, 1 / rate, 0.5 + 0.002 * size + 20 / rate));
        }
        CostFit fit = Objects.requireNonNull(CostFit.of(points));
        // Twice what a KB costs, on a line as straight as can be.
        assertThat(fit.b()).isCloseTo(0.004, within(1e-9));
        assertThat(fit.rSquared()).isCloseTo(1, within(1e-9));
        assertThat(fit.misfit()).contains("measure all sizes at one rate");
    }

    @Test
    void atOneRateTheBackgroundIsPartOfA() {
        List<Point> points = new ArrayList<>();
        for (double size : SIZES) {
            points.add(new Point(size, 1 / 50.0, 0.5 + 0.002 * size + 20 / 50.0));
        }
        CostFit fit = Objects.requireNonNull(CostFit.of(points));
        assertThat(fit.a()).isCloseTo(0.9, within(1e-9));
        assertThat(fit.background()).isNull();
        assertThat(fit.misfit()).isNull();
    }

    /** A cost that grows with the square root of the size is no line, however precisely it is known. */
    @Test
    void whatIsNoLineDoesNotFit() {
        Random random = new Random(9);
        CostFit fit = Objects.requireNonNull(
                CostFit.of(scattered(random, size -> 0.5 + 0.1 * Math.sqrt(size))));
        assertThat(fit.lackOfFitP()).isLessThan(0.001);
        assertThat(fit.leftOutMaxPercent()).isGreaterThan(10);
        assertThat(fit.misfit()).contains("lie off the line by more than repeats do");
    }

    /** Of lines, a lack of fit is found as often as its test says; a misfit hardly ever. */
    @Test
    void aLineIsSeldomDenied() {
        long seed = 12;
        Random random = new Random(seed);
        int lacking = 0;
        int misfits = 0;
        for (int run = 0; run < 1000; run++) {
            CostFit fit = Objects.requireNonNull(
                    CostFit.of(scattered(random, size -> 0.5 + 0.002 * size)));
            lacking += Objects.requireNonNull(fit.lackOfFitP()) < 0.05 ? 1 : 0;
            misfits += fit.misfit() == null ? 0 : 1;
        }
        assertThat(lacking).as("of 1000, seed %d", seed).isBetween(25, 90);
        assertThat(misfits).as("of 1000, seed %d", seed).isLessThan(50);
    }

    private static List<Point> scattered(Random random, DoubleUnaryOperator cost) {
        List<Point> points = new ArrayList<>();
        for (double size : SIZES) {
            for (int repeat = 0; repeat < 3; repeat++) {
                points.add(new Point(
                        size, cost.applyAsDouble(size) * (1 + 0.03 * random.nextGaussian())));
            }
        }
        return points;
    }
}
