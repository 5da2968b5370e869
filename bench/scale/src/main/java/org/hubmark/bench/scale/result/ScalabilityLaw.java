package org.hubmark.bench.scale.result;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The universal scalability law, X(n) = a n / (1 + s (n - 1) + k n (n - 1)), fitted to throughputs: a
 * model, not a measurement (N. J. Gunther, "Guerrilla Capacity Planning", Springer 2007, chapter 4). As n / X(n) it is
 * linear in 1/a, s/a and k/a, and these are found by least squares of residuals relative to the mean of
 * each number of hosts. The intervals of 95 % are those of the linear fit, carried over to first order.
 *
 * @param perHost a, messages a second of one host alone
 * @param contention s, the share of the work that waits for what is shared
 * @param coherence k, what each pair of hosts costs
 * @param residualMaxPercent the largest distance of a run from the model, percent of the model
 * @param perHostCi95 null where the runs do not bound it
 * @param hostsAtPeak from so many hosts on, by the model, more are slower; null when there is none such
 */
public record ScalabilityLaw(
        double perHost,
        double contention,
        double coherence,
        @Nullable Interval perHostCi95,
        Interval contentionCi95,
        Interval coherenceCi95,
        double residualMaxPercent,
        @Nullable Double hostsAtPeak) {
    private static final int PARAMETERS = 3;
    private static final double TWO_SIDED_95 = 0.975;

    /**
     * A throughput of so many hosts.
     *
     * @param throughput above 0
     */
    public record Sample(int hosts, double throughput) {}

    /** {@return the fit; null with fewer than three numbers of hosts, or nothing beside to judge it by} */
    public static @Nullable ScalabilityLaw of(List<Sample> samples) {
        long sizes = samples.stream().map(Sample::hosts).distinct().count();
        boolean isKnown = samples.stream().allMatch(sample -> sample.throughput() > 0);
        return sizes < PARAMETERS || samples.size() <= PARAMETERS || !isKnown ? null : fit(samples);
    }

    private static ScalabilityLaw fit(List<Sample> samples) {
        Map<Integer, Double> means = samples.stream()
                .collect(Collectors.groupingBy(
                        Sample::hosts, Collectors.averagingDouble(Sample::throughput)));
        double[] y = new double[samples.size()];
        double[][] x = new double[y.length][];
        for (int i = 0; i < y.length; i++) {
            Sample sample = samples.get(i);
            double n = sample.hosts();
            double weight = means.getOrDefault(sample.hosts(), 1.0) / n;
            y[i] = weight * n / sample.throughput();
            x[i] = new double[] {weight, weight * (n - 1), weight * n * (n - 1)};
        }
        OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
        regression.setNoIntercept(true);
        regression.newSampleData(y, x);
        double[] found = regression.estimateRegressionParameters();
        double[][] covariance = regression.estimateRegressionParametersVariance();
        double variance = regression.estimateErrorVariance();
        double t =
                new TDistribution(y.length - PARAMETERS).inverseCumulativeProbability(TWO_SIDED_95);
        double perHost = 1 / found[0];
        double contention = found[1] / found[0];
        double coherence = found[2] / found[0];
        double reach = t * Math.sqrt(variance * covariance[0][0]);
        return new ScalabilityLaw(
                perHost,
                contention,
                coherence,
                // That of 1/a; where it reaches 0 there is no upper end.
                found[0] > reach
                        ? new Interval(1 / (found[0] + reach), 1 / (found[0] - reach))
                        : null,
                around(contention, t * error(found, covariance, variance, 1)),
                around(coherence, t * error(found, covariance, variance, 2)),
                residualMax(samples, perHost, contention, coherence),
                coherence > 0 && contention < 1
                        ? (Double) Math.sqrt((1 - contention) / coherence)
                        : null);
    }

    /**
     * {@return whether the parameters can be shares: contention between 0 and 1 and coherence not below
     * 0, each somewhere in its interval} Where not, the runs follow another law.
     */
    public boolean isPossible() {
        return contentionCi95.low() <= 1 && contentionCi95.high() >= 0 && coherenceCi95.high() >= 0;
    }

    /** {@return the throughput of so many hosts by the model} */
    public double at(double hosts) {
        return at(hosts, perHost, contention, coherence);
    }

    private static double at(double hosts, double perHost, double contention, double coherence) {
        return perHost * hosts / (1 + contention * (hosts - 1) + coherence * hosts * (hosts - 1));
    }

    /** The standard error of a parameter divided by the first one. */
    private static double error(double[] found, double[][] covariance, double variance, int which) {
        double byFirst = -found[which] / (found[0] * found[0]);
        double byOwn = 1 / found[0];
        return Math.sqrt(Math.max(
                0,
                variance
                        * (byFirst * byFirst * covariance[0][0]
                                + 2 * byFirst * byOwn * covariance[0][which]
                                + byOwn * byOwn * covariance[which][which])));
    }

    private static Interval around(double value, double reach) {
        return new Interval(value - reach, value + reach);
    }

    private static double residualMax(
            List<Sample> samples, double perHost, double contention, double coherence) {
        return samples.stream()
                .mapToDouble(sample -> 100
                        * Math.abs(sample.throughput()
                                        / at(sample.hosts(), perHost, contention, coherence)
                                - 1))
                .max()
                .orElse(0);
    }
}
