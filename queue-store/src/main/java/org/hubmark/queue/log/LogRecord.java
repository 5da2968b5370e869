package org.hubmark.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A record as the scan or a reader found it, its checksum verified.
 *
 * @param type what it says
 * @param id of which message
 * @param sequence its place in the log's order
 * @param position where it lies
 * @param head the payload before the content; from the scan valid only during the visit
 * @param content the rest of the payload; likewise
 * @param contentChecksum its CRC32C; 0 where the content was not read
 */
public record LogRecord(
        RecordType type,
        long id,
        long sequence,
        LogPosition position,
        ByteBuffer head,
        ByteBuffer content,
        int contentChecksum) {

    /** Gets the records of a scan, in the order of their sequence. */
    @FunctionalInterface
    public interface Visitor {
        void visit(LogRecord record) throws IOException;

        /** {@return whether it holds so much that {@link #write} is due} Asked after each group. */
        default boolean isFull() {
            return false;
        }

        /**
         * Writes elsewhere what the records said. Called by the scan that opens the log, when all that was
         * visited is durable there: a power loss must not leave what follows from a record without it.
         */
        default void write() throws IOException {}
    }
}
