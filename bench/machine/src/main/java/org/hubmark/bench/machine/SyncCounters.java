package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * What an emulated device has done. The kernel's counters don't know of its delays.
 *
 * @param syncs answered
 * @param nanos that they took, from call to answer
 */
public record SyncCounters(long syncs, long nanos) {
    /** Reads them. */
    @FunctionalInterface
    public interface Source {
        /** {@return the counters now, or null when there are none} */
        @Nullable
        SyncCounters read() throws IOException;
    }
}
