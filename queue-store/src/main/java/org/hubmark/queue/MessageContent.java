package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.LogReader;
import org.hubmark.queue.log.LogRecord;
import org.hubmark.queue.table.MessageRow;
import org.hubmark.queue.table.QueueDatabase;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Opens the content of one message, extent by extent; each that is read from a volume is verified before its first octet is given.
 * An extent is looked for where it lies at that moment: in the log, or in the queue database if it was
 * moved meanwhile.
 */
record MessageContent(
        Messages messages, LogReader log, QueueDatabase database, QueueId id, int extentCount)
        implements ContentSource {

    @Override
    public InputStream open() {
        InputStream held = extentCount == 1 ? messages.fresh().open(id.value()) : null;
        return held == null ? new ExtentsStream(this::extent, extentCount) : held;
    }

    private ByteBuffer extent(int extent) throws IOException {
        LogPosition place = messages.place(id.value(), extent);
        LogRecord record = place == null ? null : log.read(place);
        if (record != null) {
            return record.content();
        }
        return stored(database, id, messages.row(id.value()), extent);
    }

    /** {@return an extent from the database, verified against the row} */
    static ByteBuffer stored(
            QueueDatabase database, QueueId id, @Nullable MessageRow row, int extent)
            throws IOException {
        QueueDatabase.StoredExtent found = row == null ? null : database.extent(id.value(), extent);
        if (found == null) {
            throw new IOException("the content of " + id + " is gone (extent " + extent
                    + "): the message has left, or the queue is damaged");
        }
        // A damaged record is moved as it is, so what was written may not be what was received.
        if (!Objects.requireNonNull(row).extents().get(extent).equals(found.extent())) {
            throw new IOException(
                    "the content of " + id + " doesn't match its checksum (extent " + extent + ")");
        }
        return found.octets();
    }
}
