package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.hubmark.bench.kit.document.Estimate;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The highest rate that is sustained. Each repeat searches it anew, is measured at what it found, and
 * goes lower until the measured time confirms it.
 *
 * @param msgsPerS messages a second; of several repeats, the median (the lower of two in the middle)
 * @param reason what set the bound in that repeat, in words
 * @param ofRepeatsMsgsPerS of each repeat, in their order
 * @param metric name of the {@link PrimaryMetric}; null where its conditions are not kept
 * @param at95Percent at which rate 95 % of the search's trials are sustained: of one repeat as the
 *     trials say, of several the geometric mean; null where no rate was too much
 * @param at50Percent at which half of them are
 */
public record SustainedRate(
        double msgsPerS,
        String reason,
        List<Double> ofRepeatsMsgsPerS,
        @Nullable String metric,

        @JsonProperty("rate_at_95_percent_msgs_per_s") @Nullable
        Estimate at95Percent,

        @JsonProperty("rate_at_50_percent_msgs_per_s") @Nullable
        Estimate at50Percent) {
    /** Copies the list. */
    public SustainedRate {
        ofRepeatsMsgsPerS = List.copyOf(ofRepeatsMsgsPerS);
    }

    /** {@return what one repeat found} */
    public static SustainedRate of(
            double msgsPerS,
            String reason,
            @Nullable String metric,
            @Nullable Estimate at95Percent,
            @Nullable Estimate at50Percent) {
        return new SustainedRate(
                msgsPerS, reason, List.of(msgsPerS), metric, at95Percent, at50Percent);
    }

    /**
     * {@return that of all repeats; null when there is none}
     *
     * @param sittings in which they were made
     */
    public static @Nullable SustainedRate median(List<SustainedRate> ofRepeats, int sittings) {
        if (ofRepeats.size() < 2) {
            return ofRepeats.isEmpty() ? null : ofRepeats.getFirst();
        }
        SustainedRate middle = ofRepeats.stream()
                .sorted(Comparator.comparingDouble(SustainedRate::msgsPerS))
                .toList()
                .get((ofRepeats.size() - 1) / 2);
        boolean alike = ofRepeats.stream().map(SustainedRate::metric).distinct().count() == 1;
        return new SustainedRate(
                middle.msgsPerS,
                middle.reason,
                ofRepeats.stream().map(SustainedRate::msgsPerS).toList(),
                alike ? middle.metric : null,
                ofAll(ofRepeats, sittings, SustainedRate::at95Percent),
                ofAll(ofRepeats, sittings, SustainedRate::at50Percent));
    }

    /** A mean of some repeats only would be that of the slower ones. */
    private static @Nullable Estimate ofAll(
            List<SustainedRate> ofRepeats,
            int sittings,
            Function<SustainedRate, @Nullable Estimate> rate) {
        List<Double> known = ofRepeats.stream()
                .map(rate)
                .filter(Objects::nonNull)
                .map(Estimate::value)
                .toList();
        Estimate mean = known.size() < ofRepeats.size() ? null : Estimate.geometricMean(known);
        return mean == null ? null : mean.of(sittings);
    }
}
