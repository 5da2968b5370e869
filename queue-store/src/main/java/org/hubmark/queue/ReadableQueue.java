package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** A look into a queue that changes nothing, wherever the queue is kept; its caller closes it. */
public interface ReadableQueue extends AutoCloseable {
    /**
     * Visits every message, with memory that doesn't grow with their number.
     *
     * @throws IOException if the queue can't be read
     */
    void forEach(Consumer<QueuedMessage> visitor) throws IOException;

    /** {@return one message, if it is there} */
    Optional<QueuedMessage> find(QueueId id) throws IOException;

    /**
     * {@return opens a message's content}
     *
     * @throws IOException if there is no such message
     */
    ContentSource content(QueueId id) throws IOException;

    /**
     * Reads everything and verifies it.
     *
     * @param bytesPerSecond content that is read at most
     */
    CheckReport check(long bytesPerSecond) throws IOException;

    @Override
    void close();
}
