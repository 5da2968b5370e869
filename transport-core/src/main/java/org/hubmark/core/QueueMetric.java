package org.hubmark.core;

import java.util.function.DoubleSupplier;

/**
 * A figure that a queue keeps of itself.
 *
 * @param name words of lower case with dots between them, without the kind; {@code hubmark.cluster.pending.messages}
 * @param meaning what it counts, with its unit; a sentence
 * @param kind how it moves
 * @param value reads it; any thread, at once; not a number where it isn't known
 */
public record QueueMetric(String name, String meaning, Kind kind, DoubleSupplier value) {
    /** Kind of a figure: counter or gauge. */
    public enum Kind {
        /** Up and down. */
        GAUGE,
        /** Only up, from the start of the hub. */
        COUNTER
    }
}
