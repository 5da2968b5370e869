package org.hubmark.bench.mail.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.mail.cost.CostFit.Point;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

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
        assertThat(fit.points()).isEqualTo(6);
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
        int bases = 0;
        for (int run = 0; run < runs; run++) {
            List<Point> points = new ArrayList<>();
            for (double size : SIZES) {
                for (int repeat = 0; repeat < 3; repeat++) {
                    points.add(new Point(size, cost(size, random)));
                }
            }
            CostFit fit = Objects.requireNonNull(CostFit.of(points));
            slopes += Math.abs(fit.b() - 0.002) <= fit.bMargin() ? 1 : 0;
            bases += Math.abs(fit.a() - 0.5) <= fit.aMargin() ? 1 : 0;
        }
        assertThat(slopes).as("seed %d", seed).isBetween(1850, 1940);
        assertThat(bases).as("seed %d", seed).isBetween(1850, 1940);
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
    }
}
