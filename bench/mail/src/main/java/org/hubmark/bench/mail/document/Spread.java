package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * Scatter of the repeats of a scenario. In the file it stands flat in the scenario;
 * docs/measurement.md states each formula.
 *
 * @param throughputMsgsPerSMin of the slowest repeat
 * @param throughputMsgsPerSMax of the fastest repeat
 * @param throughputGeometricMeanMsgsPerS what the interval of the rate is of; null without a repeat,
 *     and where the rate was asked for and kept: then it is the driver's
 * @param throughputCi95MsgsPerS of that mean; null under 2 repeats too, or where
 *     the repeats lie too far apart for one that is {@linkplain Interval#usable usable}
 * @param throughputTrendPercent by how much the rate rises or falls from the first repeat to the
 *     last; null where it does neither
 */
public record Spread(
        @JsonProperty("throughput_msgs_per_s_min") @Nullable Double throughputMsgsPerSMin,
        @JsonProperty("throughput_msgs_per_s_max") @Nullable Double throughputMsgsPerSMax,
        @Nullable Double throughputGeometricMeanMsgsPerS,
        @Nullable Interval throughputCi95MsgsPerS,
        @Nullable Double throughputTrendPercent) {
    /** The ends of the rate, which each repeat has too, so that it is a whole row. */
    static final List<Name> ENDS = List.of(
            Name.note("throughput_msgs_per_s_min", ""), Name.note("throughput_msgs_per_s_max", ""));

    private static final int INTERVAL_MIN = 3;

    /** {@return what the repeats of a scenario show} One that isn't valid counts too, and is said. */
    static Spread of(Scenario scenario) {
        return of(
                scenario.values(Figure.THROUGHPUT_MSGS_PER_S),
                scenario.repeats().size(),
                scenario.rateAsked());
    }

    /**
     * {@return what repeats show}
     *
     * @param rates of all repeats, in the order in which they were measured; of fewer where it isn't
     *     known of all
     * @param repeats how many there are
     * @param asked whether the rate was asked for and kept
     */
    static Spread of(double[] rates, int repeats, boolean asked) {
        Double trend = rates.length == repeats ? Inference.trend(rates) : null;
        Estimate rate = estimate(asked ? new double[0] : rates);
        return new Spread(
                rates.length == 0 ? null : Arrays.stream(rates).min().getAsDouble(),
                rates.length == 0 ? null : Arrays.stream(rates).max().getAsDouble(),
                MailDocument.known(rate.value()),
                rate.range(),
                trend == null ? null : (Double) (100 * trend));
    }

    /**
     * {@return the geometric mean, the arithmetic one where a value is 0, with its interval} Of two repeats
     * Student's interval is 12.7 standard errors to either side, and reads like an answer.
     */
    static Estimate estimate(double[] repeats) {
        Estimate all = Estimate.Rule.GEOMETRIC_MEAN.of(repeats, repeats);
        return repeats.length < INTERVAL_MIN ? new Estimate(all.value(), null, all.values()) : all;
    }
}
