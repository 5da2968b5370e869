package org.hubmark.bench.kit.statistics;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.StatUtils;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The ratio of the geometric means of two samples of positive values, the second over the first, by
 * Welch's test of the logarithms: the samples may scatter differently.
 *
 * @param value the ratio
 * @param error the standard error of its logarithm; no number where a sample has less than two values
 * @param degrees of freedom of that error, by Welch and Satterthwaite
 * @param level of its interval, 0 to 1; see {@link Holm}
 */
public record Ratio(double value, double error, double degrees, double level) {
    /** {@return the ratio of two samples} */
    public static Ratio of(double[] first, double[] second) {
        double[] from = Inference.logarithms(first);
        double[] to = Inference.logarithms(second);
        double fromVariance = from.length < 2 ? Double.NaN : StatUtils.variance(from);
        double toVariance = to.length < 2 ? Double.NaN : StatUtils.variance(to);
        double fromError = fromVariance / from.length;
        double toError = toVariance / to.length;
        return new Ratio(
                Math.exp(StatUtils.mean(to) - StatUtils.mean(from)),
                Math.sqrt(fromError + toError),
                Math.pow(fromError + toError, 2)
                        / (fromError * fromError / (from.length - 1)
                                + toError * toError / (to.length - 1)),
                Inference.CONFIDENCE);
    }

    /**
     * {@return the ratio of two samples whose values belong together in pairs, by Student's test of the
     * logarithms of the ratios of the pairs}
     *
     * @param ratios of the pairs, at least one, all above 0
     */
    public static Ratio ofPairs(double... ratios) {
        double[] logarithms = Inference.logarithms(ratios);
        double variance = ratios.length < 2 ? Double.NaN : StatUtils.variance(logarithms);
        return new Ratio(
                Math.exp(StatUtils.mean(logarithms)),
                Math.sqrt(variance / ratios.length),
                ratios.length - 1.0,
                Inference.CONFIDENCE);
    }

    /** {@return the same with an interval of another level} */
    public Ratio at(double other) {
        return new Ratio(value, error, degrees, other);
    }

    /**
     * {@return the chance, two-sided, that samples of one mean lie as far apart; NaN where a sample has less
     * than two values}
     */
    public double chance() {
        if (error == 0) {
            return value == 1 ? 1 : 0;
        }
        return Double.isNaN(error)
                ? Double.NaN
                : 2
                        * new TDistribution(degrees)
                                .cumulativeProbability(-Math.abs(Math.log(value)) / error);
    }

    /** {@return the geometric mean of ratios of samples that have nothing in common} */
    public static Ratio mean(List<Ratio> ratios) {
        double logarithms = 0;
        double errors = 0;
        double squares = 0;
        for (Ratio ratio : ratios) {
            double own = ratio.error * ratio.error;
            logarithms += Math.log(ratio.value);
            errors += own;
            squares += own == 0 ? 0 : own * own / ratio.degrees;
        }
        int count = ratios.size();
        return new Ratio(
                Math.exp(logarithms / count),
                Math.sqrt(errors) / count,
                errors * errors / squares,
                Inference.CONFIDENCE);
    }

    /** {@return its interval; null where there is none} */
    public @Nullable Interval interval() {
        if (Double.isNaN(error)) {
            return null;
        }
        double half = error == 0 ? 0 : quantile((1 + level) / 2, degrees) * error;
        return new Interval(value * Math.exp(-half), value * Math.exp(half));
    }

    /** {@return its interval where that is {@linkplain Interval#usable usable}; null else} */
    public @Nullable Interval usableInterval() {
        Interval interval = interval();
        return interval == null ? null : interval.usable();
    }

    /** {@return its interval as changes, with its level; a dash where there is none} */
    public String intervalText() {
        Interval interval = interval();
        return interval == null ? "-" : interval.changes(level);
    }

    private static double quantile(double probability, double degrees) {
        return new TDistribution(degrees).inverseCumulativeProbability(probability);
    }
}
