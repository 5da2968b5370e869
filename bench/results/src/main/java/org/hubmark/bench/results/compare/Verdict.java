package org.hubmark.bench.results.compare;

import java.util.Locale;

/** What may be said of the second of two results. */
public enum Verdict {
    /** It accepts more, or costs less. */
    FASTER,
    /** It accepts less, or costs more. */
    SLOWER,
    /** Whatever difference there is, it is too small to matter. */
    EQUIVALENT,
    /** There may be a difference that matters or none: the repeats are too few to tell. */
    NOT_DISTINGUISHABLE,
    /** What decides isn't known of both, or of one repeat only. */
    NO_VERDICT,
    /** One of them is not valid. */
    NOT_VALID;

    /** {@return in words} */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
