package org.hubmark.bench.qualify.result;

import org.HdrHistogram.Histogram;

import java.util.List;
import java.util.Map;

/**
 * What was counted of one database over a time, of which all its columns are made.
 *
 * @param counts how far the counters grew
 * @param seconds the length of the time
 * @param nanos how long the single operations took
 * @param samples the same in parts, one behind the other
 */
public record Measured(
        IoCounts counts, double seconds, Map<Column.Timed, Histogram> nanos, List<Sample> samples) {
    /** Copies. */
    public Measured {
        nanos = Map.copyOf(nanos);
        samples = List.copyOf(samples);
    }

    /**
     * A part of the time.
     *
     * @param atSeconds its end, from the begin of the collection
     * @param seconds its length
     */
    public record Sample(double atSeconds, double seconds, IoCounts counts) {}
}
