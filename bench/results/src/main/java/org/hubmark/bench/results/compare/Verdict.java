package org.hubmark.bench.results.compare;

import java.util.Locale;

/** What may be said of the second of two results. */
public enum Verdict {
    /** It accepts more, or costs less. */
    FASTER,
    /** It accepts less, or costs more. */
    SLOWER,
    /** The difference is within what repeats of the same setting show. */
    NOT_DISTINGUISHABLE,
    /** One of them is not valid. */
    NOT_VALID;

    /** {@return in words} */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
