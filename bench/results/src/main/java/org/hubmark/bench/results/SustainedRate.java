package org.hubmark.bench.results;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;

/**
 * The highest rate that is sustained. Each repeat searches it anew, is measured at what it found, and
 * goes lower until the measured time confirms it.
 *
 * @param msgsPerS messages a second; of several repeats, the median (the lower of two in the middle)
 * @param reason what set the bound in that repeat, in words
 * @param ofRepeatsMsgsPerS of each repeat, in their order
 */
public record SustainedRate(double msgsPerS, String reason, List<Double> ofRepeatsMsgsPerS) {
    /** Copies the list; where all repeats shared one search there is none. */
    public SustainedRate {
        ofRepeatsMsgsPerS = ofRepeatsMsgsPerS == null ? List.of() : List.copyOf(ofRepeatsMsgsPerS);
    }

    /** {@return what one repeat found} */
    public static SustainedRate of(double msgsPerS, String reason) {
        return new SustainedRate(msgsPerS, reason, List.of(msgsPerS));
    }

    /** {@return that of all repeats; null when there is none} */
    public static @Nullable SustainedRate median(List<SustainedRate> ofRepeats) {
        if (ofRepeats.isEmpty()) {
            return null;
        }
        SustainedRate middle = ofRepeats.stream()
                .sorted(Comparator.comparingDouble(SustainedRate::msgsPerS))
                .toList()
                .get((ofRepeats.size() - 1) / 2);
        List<Double> all = ofRepeats.stream().map(SustainedRate::msgsPerS).toList();
        return new SustainedRate(middle.msgsPerS, middle.reason, all);
    }
}
