package org.hubmark.bench.machine;

import java.io.IOException;

/** Where the counters of a machine are read: on it, or from elsewhere. One thread. */
public interface MachineSource extends AutoCloseable {
    /** {@return the counters that a measurement divides, now} Blocks for a limited time. */
    MachineReading read() throws IOException;

    @Override
    default void close() {}
}
