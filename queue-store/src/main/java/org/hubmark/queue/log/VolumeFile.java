package org.hubmark.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file of a {@link Volume}. One thread at a time writes, and one syncs, or as many as {@link
 * #syncsAtOnce}; any thread may read meanwhile, and an interrupt of a reader never harms the writer.
 */
public interface VolumeFile extends Closeable {
    /** {@return the length in bytes} */
    long length() throws IOException;

    /**
     * Writes what remains in the first buffers, in their order, and empties them.
     *
     * @return how many calls of the operating system it took
     * @throws IOException if it fails; what was written is then unknown
     */
    int write(long position, ByteBuffer[] buffers, int bufferCount) throws IOException;

    /**
     * Fills the buffer from a position on.
     *
     * @return how many bytes were read; less than remained only at the end of the file
     */
    int read(long position, ByteBuffer target) throws IOException;

    /** Nothing is written any more: gives back what only writing needs. */
    default void endWriting() throws IOException {}

    /** Makes the data written so far durable. Must not be retried when it fails. */
    void sync() throws IOException;

    /**
     * {@return how many syncs may be under way at once} The kernel tells each descriptor of a failed write,
     * and tells it once (Linux, errseq_t): of two syncs by one, either could be told of the other's failure.
     */
    default int syncsAtOnce() {
        return 1;
    }

    /** Syncs by one of so many descriptors; 0 or more. */
    default void sync(int descriptor) throws IOException {
        sync();
    }
}
