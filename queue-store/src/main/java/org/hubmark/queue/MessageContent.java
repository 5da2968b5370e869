package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;
import org.hubmark.queue.log.IntakeLog;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.LogRecord;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Opens the content of one message, part by part; each that is read from a volume is verified before its first octet is given.
 * A part is looked for where it lies at that moment: in the log, or in the queue database if it was
 * moved meanwhile.
 */
record MessageContent(
        Messages messages, IntakeLog log, QueueDatabase database, QueueId id, int partCount)
        implements ContentSource {

    @Override
    public InputStream open() {
        return new PartsStream(this::part, partCount);
    }

    private ByteBuffer part(int part) throws IOException {
        ByteBuffer held = partCount == 1 ? messages.fresh().read(id.value()) : null;
        if (held != null) {
            return held;
        }
        LogPosition place = messages.place(id.value(), part);
        LogRecord record = place == null ? null : log.read(place);
        if (record != null) {
            return record.content();
        }
        MessageRow row = messages.row(id.value());
        return stored(database, id, row, part);
    }

    /** {@return a part from the database, verified against the row} */
    static ByteBuffer stored(QueueDatabase database, QueueId id, @Nullable MessageRow row, int part)
            throws IOException {
        QueueDatabase.StoredPart found = row == null ? null : database.part(id.value(), part);
        if (found == null) {
            throw new IOException("the content of " + id + " is gone (part " + part
                    + "): the message has left, or the queue is damaged");
        }
        // A damaged record is moved as it is, so what was written may not be what was received.
        if (!Objects.requireNonNull(row).parts().get(part).equals(found.part())) {
            throw new IOException(
                    "the content of " + id + " doesn't match its checksum (part " + part + ")");
        }
        return found.octets();
    }
}
