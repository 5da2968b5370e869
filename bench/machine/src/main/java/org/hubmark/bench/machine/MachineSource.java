package org.hubmark.bench.machine;

import java.io.IOException;

/** Where the counters of a machine are read: on it, or from elsewhere. One thread. */
public interface MachineSource extends AutoCloseable {
    /** {@return the counters that a measurement divides, now} Blocks for a limited time. */
    MachineReading read() throws IOException;

    /**
     * {@return the same with the I/O of the server's processes, where it can be had} It takes a file of each
     * process more.
     */
    default MachineReading readAll() throws IOException {
        return read();
    }

    @Override
    default void close() {}
}
