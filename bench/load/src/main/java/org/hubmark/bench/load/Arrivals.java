package org.hubmark.bench.load;

/** How the intended starts of an open loop lie. */
public enum Arrivals {
    /** Evenly spaced. */
    FIXED,
    /** As if senders knew nothing of each other: exponential gaps, repeatable by their seed. */
    POISSON
}
