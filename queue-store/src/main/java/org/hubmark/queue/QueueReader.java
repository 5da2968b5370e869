package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks into a queue without changing it, also while a hub is running on it: then it sees the queue
 * as it stood at one moment shortly before.
 */
public final class QueueReader implements AutoCloseable {
    private QueueReader() {}

    /**
     * Opens the queue on two volumes for reading.
     *
     * @throws StoreException if there is no queue there, or it can't be read
     */
    public static QueueReader open(Path logVolume, Path queueVolume) throws StoreException {
        throw new StoreException("skeleton");
    }

    /** Visits every message, oldest id first, with memory that doesn't grow with their number. */
    public void forEach(Consumer<QueuedMessage> visitor) throws IOException {}

    /** {@return one message, if it is there} */
    public Optional<QueuedMessage> find(QueueId id) throws IOException {
        return Optional.empty();
    }

    /** {@return opens a message's content} */
    public ContentSource content(QueueId id) throws IOException {
        throw new StoreException("skeleton");
    }

    /** Reads everything, verifies every checksum and the agreement of index, schedule and content. */
    public CheckReport check() throws IOException {
        throw new StoreException("skeleton");
    }

    @Override
    public void close() {}
}
