package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.hubmark.bench.kit.document.Estimate;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

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
    /** Copies the list; where all repeats shared one search there is none. */
    public SustainedRate {
        ofRepeatsMsgsPerS = ofRepeatsMsgsPerS == null ? List.of() : List.copyOf(ofRepeatsMsgsPerS);
    }

    /** {@return what one repeat found} */
    public static SustainedRate of(
            double msgsPerS,
            String reason,
            @Nullable Estimate at95Percent,
            @Nullable Estimate at50Percent) {
        return new SustainedRate(
                msgsPerS, reason, List.of(msgsPerS), null, at95Percent, at50Percent);
    }

    /** {@return that of all repeats, which were made in so many sittings; null when there is none} */
    public static @Nullable SustainedRate median(List<SustainedRate> ofRepeats, int sittings) {
        if (ofRepeats.isEmpty()) {
            return null;
        }
        SustainedRate middle = ofRepeats.stream()
                .sorted(Comparator.comparingDouble(SustainedRate::msgsPerS))
                .toList()
                .get((ofRepeats.size() - 1) / 2);
        boolean isAlike =
                ofRepeats.stream().map(SustainedRate::metric).distinct().count() == 1;
        return new SustainedRate(
                middle.msgsPerS,
                middle.reason,
                ofRepeats.stream().map(SustainedRate::msgsPerS).toList(),
                isAlike ? middle.metric : null,
                ofAll(ofRepeats, SustainedRate::at95Percent, sittings),
                ofAll(ofRepeats, SustainedRate::at50Percent, sittings));
    }

    /** {@return the same under the name of the metric; null where its conditions are not kept} */
    public SustainedRate named(@Nullable String name) {
        return new SustainedRate(
                msgsPerS, reason, ofRepeatsMsgsPerS, name, at95Percent, at50Percent);
    }

    /** A mean of some repeats only would be that of the slower ones; one repeat has what was fitted to it. */
    private static @Nullable Estimate ofAll(
            List<SustainedRate> ofRepeats,
            Function<SustainedRate, @Nullable Estimate> rate,
            int sittings) {
        List<Estimate> known = ofRepeats.stream()
                .flatMap(one -> Stream.ofNullable(rate.apply(one)))
                .toList();
        Estimate all = known.size() < ofRepeats.size()
                ? null
                : known.size() == 1
                        ? known.getFirst()
                        : Estimate.geometricMean(
                                known.stream().map(Estimate::value).toList());
        return all == null ? null : all.of(sittings);
    }
}
