package org.hubmark.bench.results;

/** What else a machine may do while it measures; docs/measurement.md says why. */
public final class DisturbanceBounds {
    /** Percent of all cores: by more than the smallest difference that two results can show. */
    public static final double STEAL_PERCENT_MAX = 2;

    /** Percent of all cores: a machine at rest has a percent or two of its own. */
    public static final double FOREIGN_PERCENT_MAX = 5;

    private DisturbanceBounds() {}
}
