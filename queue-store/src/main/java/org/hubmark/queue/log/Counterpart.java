package org.hubmark.queue.log;

import java.util.function.LongSupplier;

/**
 * Facts about the queue volume that the log stores, so that either volume can detect that the other
 * is older.
 *
 * @param replayFrom the oldest generation that the queue database needs, or 0 when it has never
 *     been fed
 * @param checkpoint the newest checkpoint of the queue database that is durable, now; the header of
 *     each new segment carries it
 * @param witness what the queue volume knows of the log
 */
public record Counterpart(long replayFrom, LongSupplier checkpoint, LogWitness witness) {
    /** For a log without a queue database. */
    public static final Counterpart NONE = new Counterpart(0, () -> 0, LogWitness.NONE);
}
