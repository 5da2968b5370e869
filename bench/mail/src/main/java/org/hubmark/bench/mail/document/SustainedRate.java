package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.hubmark.bench.kit.document.Estimate;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The highest rate that is sustained. Each repeat searches it anew, is measured at what it found, and
 * goes lower until the measured time confirms it.
 *
 * @param msgsPerS messages a second; of several repeats, the median (the lower of two in the middle)
 * @param reason what set the bound in that repeat, in words
 * @param ofRepeatsMsgsPerS of each repeat, in their order
 * @param at95Percent at which rate 95 % of the search's trials are sustained: of one repeat as the
 *     trials say, of several the geometric mean; null where no rate was too much
 */
public record SustainedRate(
        double msgsPerS,
        String reason,
        List<Double> ofRepeatsMsgsPerS,

        @JsonProperty("rate_at_95_percent_msgs_per_s") @Nullable
        Estimate at95Percent) {
    /** Copies the list. */
    public SustainedRate {
        ofRepeatsMsgsPerS = List.copyOf(ofRepeatsMsgsPerS);
    }

    /** {@return what one repeat found} */
    public static SustainedRate of(double msgsPerS, String reason, @Nullable Estimate at95Percent) {
        return new SustainedRate(msgsPerS, reason, List.of(msgsPerS), at95Percent);
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
        return new SustainedRate(
                middle.msgsPerS,
                middle.reason,
                ofRepeats.stream().map(SustainedRate::msgsPerS).toList(),
                ofAll(ofRepeats, sittings));
    }

    /** A mean of some repeats only would be that of the slower ones. */
    private static @Nullable Estimate ofAll(List<SustainedRate> ofRepeats, int sittings) {
        List<Double> known = ofRepeats.stream()
                .map(SustainedRate::at95Percent)
                .filter(Objects::nonNull)
                .map(Estimate::value)
                .toList();
        Estimate mean = known.size() < ofRepeats.size() ? null : Estimate.geometricMean(known);
        return mean == null ? null : mean.of(sittings);
    }
}
