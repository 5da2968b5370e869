package org.hubmark.bench.load;

import java.util.Locale;

/** How the intended starts of an open loop lie. */
public enum Arrivals {
    /** Evenly spaced. */
    FIXED,
    /** As if senders knew nothing of each other: exponential gaps, repeatable by their seed. */
    POISSON;

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
