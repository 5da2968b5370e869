package org.hubmark.bench.kit.compare;

import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;

import java.util.Locale;

/** What may be said of the second of two results. */
public enum Verdict {
    /** It accepts more, or costs less. */
    FASTER,
    /** It accepts less, or costs more. */
    SLOWER,
    /** What is asked of it is so now, and was not. */
    BETTER,
    /** What is asked of it was so, and is not now. */
    WORSE,
    /** Whatever difference there is, it is too small to matter. */
    EQUIVALENT,
    /** There may be a difference that matters or none: the repeats are too few to tell. */
    NOT_DISTINGUISHABLE,
    /** What decides isn't known of both, or of one repeat only. */
    NO_VERDICT,
    /** One of them is not valid. */
    NOT_VALID;

    /**
     * {@return what may be said of a ratio, the second over the first}
     *
     * @param smallest a smaller difference, as a share, does not matter
     */
    public static Verdict of(Ratio ratio, boolean moreIsBetter, double smallest) {
        Interval interval = ratio.interval();
        if (interval == null) {
            return NO_VERDICT;
        }
        if (interval.low() >= 1 - smallest && interval.high() <= 1 + smallest) {
            return EQUIVALENT;
        }
        boolean apart = interval.low() > 1 || interval.high() < 1;
        if (!apart || Math.abs(ratio.value() - 1) < smallest) {
            return NOT_DISTINGUISHABLE;
        }
        return ratio.value() < 1 == moreIsBetter ? SLOWER : FASTER;
    }

    /** {@return in words} */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
