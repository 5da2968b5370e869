package org.hubmark.queue;

import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.queue.log.LogException;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.LogReader;
import org.hubmark.queue.log.LogRecord;
import org.hubmark.queue.log.RecordHeader;
import org.hubmark.queue.table.ContentExtent;
import org.hubmark.queue.table.ContentPlace;
import org.hubmark.queue.table.Entry;
import org.hubmark.queue.table.LogMessage;
import org.hubmark.queue.table.MessageRow;
import org.hubmark.queue.table.MessageState;
import org.hubmark.queue.table.QueueDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves what is needed of a segment that can't be read through, since the medium has changed it. The
 * index in memory knows where each record lies, so the rest can be had. A content is moved as it is,
 * with zeros for what can't be read:
 * that it is damaged shows when it is read, by its checksum in the row. A row that is damaged is made
 * anew from what memory knows; without the envelope, if that is lost. Checkpointer's thread.
 */
record DamagedSegment(Messages messages, LogReader log, QueueDatabase database) {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedSegment.class);

    /** Gets what is to be moved. */
    interface Mover {
        void move(Entry.Stored stored, ByteBuffer content, ContentExtent extent) throws IOException;
    }

    void move(long generation, Mover mover) throws IOException {
        for (Entry.ExtentStored extent : messages.extentsIn(generation)) {
            move(extent, content(extent.place(), Integer.BYTES), mover);
        }
        for (LogMessage known : messages.messagesIn(generation)) {
            Entry.Enqueued enqueued =
                    new Entry.Enqueued(known.id, row(known), known.home, known.headBytes);
            move(enqueued, content(known.home, known.headBytes), mover);
        }
    }

    private void move(Entry.Stored stored, ByteBuffer content, Mover mover) throws IOException {
        ContentExtent extent = ContentExtent.of(content);
        if (content.hasRemaining() && extent.crc32c() != log.contentChecksum(stored.place())) {
            LOG.error(
                    "the content of {} is damaged (extent {}); it is set aside when it is due",
                    new QueueId(stored.id()),
                    stored.extent());
        }
        // Where it is damaged it differs from what the row says.
        mover.move(stored, content, extent);
    }

    private ByteBuffer content(LogPosition place, int headBytes) throws IOException {
        ByteBuffer content = log.readUnverified(place, headBytes);
        if (content == null) {
            throw new IllegalStateException("generation " + place.generation + " is gone");
        }
        return content;
    }

    private MessageRow row(LogMessage known) throws IOException {
        try {
            LogRecord head = log.readHead(known.home, known.headBytes);
            if (head != null) {
                return MessageRow.decode(known.id, head.head());
            }
        } catch (LogException e) {
            LOG.error("the envelope of {} is damaged", new QueueId(known.id), e);
        }
        Envelope kept = messages.recentEnvelope(known.id);
        Envelope envelope = kept == null ? MessageRow.ENVELOPE_LOST : kept;
        // In whatever state it is: it gets that when it is moved.
        return new MessageRow(envelope, MessageState.fresh(), extents(known));
    }

    private List<ContentExtent> extents(LogMessage known) throws IOException {
        List<ContentExtent> extents = new ArrayList<>();
        for (int extent = 0; extent < known.extentCount; extent++) {
            LogPosition place = messages.place(known.id, extent);
            if (place != null) {
                boolean isHome = place.equals(known.home);
                int headBytes = isHome ? known.headBytes : Integer.BYTES;
                // Not that of the content as it is now, which would make a damaged one look sound.
                extents.add(new ContentExtent(
                        place.recordBytes - RecordHeader.BYTES - headBytes,
                        log.contentChecksum(place)));
            } else {
                ContentPlace stored = database.place(known.id, extent);
                extents.add(stored == null ? new ContentExtent(0, 0) : stored.extent());
            }
        }
        return extents;
    }
}
