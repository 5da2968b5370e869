package org.hubmark.queue.table;

import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFullException;
import org.rocksdb.AbstractEventListener;

import java.io.IOException;

/**
 * Files of a queue database that are not simply those of a folder: the tests' simulation of power cuts
 * lies below it so. A database on real files has none. Any thread.
 */
public interface DatabaseFiles {
    /** {@return the volume of the contents} */
    Volume content();

    /** {@return what RocksDB is to tell of its syncs} To be closed after the database. */
    AbstractEventListener listener();

    /** RocksDB is about to open the folder. */
    void beginOpen() throws IOException;

    /** RocksDB has opened it. */
    void opened() throws IOException;

    /**
     * A write or a flush is about to be done.
     *
     * @throws VolumeFullException if there is no room; then it is not done
     */
    void beginOperation() throws VolumeFullException;

    /** {@return whether what is in memory is to be flushed after a write of so many bytes} */
    boolean fillsMemtable(long bytes);
}
