package org.hubmark.queue.table;

import org.hubmark.core.StoreException;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.LogRecord;

import java.nio.BufferUnderflowException;

/**
 * Contents of a record of the log, and its place there. The committer makes one with each record
 * that it writes; a start and a reader decode them from the log. {@link MessageTable#apply} is the
 * only place that gives them a meaning.
 */
public sealed interface Entry {
    long id();

    /** One whose record holds content. */
    sealed interface Stored extends Entry {
        /** {@return which extent of the message the content is} */
        int extent();

        /** {@return the record} */
        LogPosition place();
    }

    /**
     * The message is ours; its content here is its last extent.
     *
     * @param row all but its content
     * @param headBytes of the record, which hold the row
     */
    record Enqueued(long id, MessageRow row, LogPosition place, int headBytes) implements Stored {
        @Override
        public int extent() {
            return Math.max(0, row.extents().size() - 1);
        }
    }

    /** An extent of a message whose end has not come. */
    record ExtentStored(long id, int extent, LogPosition place) implements Stored {}

    /** The end of a message with extents will not come. */
    record Abandoned(long id) implements Entry {}

    /** The message was delivered, and leaves. */
    record Acknowledged(long id) implements Entry {}

    /** The message was deferred, has died, was set aside, or is to be tried again at once. */
    record Changed(long id, MessageState now) implements Entry {}

    /**
     * Decodes a record.
     *
     * @throws StoreException if it can't be understood
     */
    static Entry of(LogRecord log) throws StoreException {
        long id = log.id();
        try {
            return switch (log.type()) {
                case ENQUEUE -> {
                    int headBytes = log.head().remaining();
                    MessageRow row = MessageRow.decode(id, log.head());
                    yield new Enqueued(id, row, log.position(), headBytes);
                }
                case EXTENT -> new ExtentStored(id, log.head().getInt(), log.position());
                case ABANDON -> new Abandoned(id);
                case ACKNOWLEDGE -> new Acknowledged(id);
                case DEFER, DEAD_LETTER, RETRY, SET_ASIDE ->
                    new Changed(id, MessageState.decode(log.head()));
            };
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new StoreException(
                    "the log's record " + log.sequence() + " of type " + log.type()
                            + " can't be understood (" + e
                            + "); its checksum is right, so a bug wrote it: copy both volumes",
                    e);
        }
    }
}
