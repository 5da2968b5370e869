package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;

/**
 * The highest rate that is sustained. Each repeat searches it anew, is measured at what it found, and
 * goes lower until the measured time confirms it.
 *
 * @param msgsPerS messages a second
 * @param reason what set the bound, in words
 */
public record SustainedRate(double msgsPerS, String reason) {
    /** {@return the median of all repeats, the lower of two in the middle; null when there is none} */
    static @Nullable SustainedRate median(List<SustainedRate> ofRepeats) {
        return ofRepeats.stream()
                .sorted(Comparator.comparingDouble(SustainedRate::msgsPerS))
                .skip(Math.max(0, (ofRepeats.size() - 1) / 2))
                .findFirst()
                .orElse(null);
    }
}
