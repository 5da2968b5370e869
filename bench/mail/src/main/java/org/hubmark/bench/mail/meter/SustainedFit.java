package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * At which rates half and 95 % of the trials are sustained: logistic regression of the trials on the
 * logarithm of the rate, over a grid of curves. Few trials can't tell how steep the curve is, and where
 * none fails below one that is kept the likelihood has no maximum; so each steepness of the grid counts
 * alike beforehand, and values and intervals are quantiles of what the trials leave of it. Some trials fail
 * whatever the rate, since a machine pauses now and then; what share, the grid leaves open too.
 *
 * @param half where half of the trials are sustained, messages a second
 * @param most where 95 % of them are
 */
public record SustainedFit(Estimate half, Estimate most) {
    /** Shares of the trials that a pause ends; what is asked for is 95 % of the others. */
    private static final double[] LAPSES = {0.01, 0.05, 0.15};

    /** What is called sustained. */
    static final double MOST = 0.95;

    private static final int PLACES = 240;
    private static final int WIDTHS = 16;

    /** Of the logistic curve, in the logarithm of the rate: 95 % lies 0.9 % below half. */
    private static final double WIDTH_MIN = 0.003;

    /** 95 % lies 21 % below half. */
    private static final double WIDTH_MAX = 0.08;

    /**
     * The trials at one rate.
     *
     * @param sustained how many of them were
     */
    record Rung(double ratePerSecond, int sustained, int trials) {}

    /** A curve of the grid. */
    private record Curve(double half, double most, double weight) {}

    /**
     * {@return the curve of at least one rung}
     *
     * @param beyond the curve may lie so many times above the highest rung or below the lowest
     */
    static SustainedFit of(List<Rung> rungs, double beyond) {
        double low =
                Math.log(rungs.stream().mapToDouble(Rung::ratePerSecond).min().orElseThrow());
        double high =
                Math.log(rungs.stream().mapToDouble(Rung::ratePerSecond).max().orElseThrow());
        double margin = Math.log(beyond);
        List<Curve> curves = new ArrayList<>(PLACES * WIDTHS * LAPSES.length);
        double odds = Math.log(MOST / (1 - MOST));
        for (int i = 0; i < PLACES; i++) {
            double place = low - margin + (high - low + 2 * margin) * i / (PLACES - 1);
            for (int j = 0; j < WIDTHS; j++) {
                double width = WIDTH_MIN * Math.pow(WIDTH_MAX / WIDTH_MIN, j / (WIDTHS - 1.0));
                for (double lapses : LAPSES) {
                    curves.add(new Curve(
                            Math.exp(place),
                            Math.exp(place - odds * width),
                            Math.exp(logLikelihood(rungs, place, width, lapses))));
                }
            }
        }
        int trials = rungs.stream().mapToInt(Rung::trials).sum();
        return new SustainedFit(
                estimate(curves, Curve::half, trials), estimate(curves, Curve::most, trials));
    }

    private static double logLikelihood(
            List<Rung> rungs, double place, double width, double lapses) {
        double sum = 0;
        for (Rung rung : rungs) {
            double curve = 1 / (1 + Math.exp((Math.log(rung.ratePerSecond) - place) / width));
            double kept = (1 - lapses) * curve;
            int failed = rung.trials - rung.sustained;
            // 0 times minus infinity is no number.
            sum += (rung.sustained == 0 ? 0 : rung.sustained * Math.log(kept))
                    + (failed == 0 ? 0 : failed * Math.log(1 - kept));
        }
        return sum;
    }

    private static Estimate estimate(List<Curve> curves, ToDoubleFunction<Curve> rate, int trials) {
        List<Curve> ordered = new ArrayList<>(curves);
        ordered.sort(Comparator.comparingDouble(rate));
        double tail = (1 - Inference.CONFIDENCE) / 2;
        return new Estimate(
                quantile(ordered, rate, 0.5),
                Estimate.Of.FITTED,
                new Interval(quantile(ordered, rate, tail), quantile(ordered, rate, 1 - tail)),
                trials,
                Estimate.Design.ONE_RUN,
                List.of());
    }

    private static double quantile(
            List<Curve> ordered, ToDoubleFunction<Curve> rate, double share) {
        double rest = share * ordered.stream().mapToDouble(Curve::weight).sum();
        for (Curve curve : ordered) {
            rest -= curve.weight;
            if (rest <= 0) {
                return rate.applyAsDouble(curve);
            }
        }
        return rate.applyAsDouble(ordered.getLast());
    }
}
