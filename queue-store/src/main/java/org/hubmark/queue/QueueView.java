package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.LogCounters;
import org.hubmark.queue.log.LogDamage;
import org.hubmark.queue.log.LogException;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.LogReader;
import org.hubmark.queue.log.LogRecord;
import org.hubmark.queue.log.LogScan;
import org.hubmark.queue.log.LogWitness;
import org.hubmark.queue.log.RecordHeader;
import org.hubmark.queue.log.SegmentFiles;
import org.hubmark.queue.log.SegmentHeader;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.table.ContentExtent;
import org.hubmark.queue.table.DatabaseRows;
import org.hubmark.queue.table.Entry;
import org.hubmark.queue.table.LogMessage;
import org.hubmark.queue.table.MessageRow;
import org.hubmark.queue.table.MessageState;
import org.hubmark.queue.table.MessageTable;
import org.hubmark.queue.table.QueueDatabase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A queue as it stood at one moment, read from both volumes without changing them: the queue
 * database as it was last flushed, with the log replayed on it in memory. One thread.
 */
final class QueueView implements AutoCloseable {
    /** How often what a running store has moved since is looked for in a later view. */
    private static final int ATTEMPTS_MAX = 5;

    /** How often both volumes are read before a store is called too fast for reading beside it. */
    private static final int OPENINGS_MAX = 100;

    private static final Logger LOG = LoggerFactory.getLogger(QueueView.class);

    private final StoreIdentity identity;
    private final Volume segments;
    private final Volume contents;
    private final Path queueVolume;
    private final QueueDatabase database;
    private final DatabaseRows rows;
    private final MessageTable table;
    private final SegmentFiles files;
    private final LogReader reader;
    private final List<String> damage;

    /** Where that is read which a running store has moved since. */
    private @Nullable QueueView later;

    private int attempt = 1;

    private QueueView(
            StoreIdentity identity,
            Volume segments,
            Volume contents,
            Path queueVolume,
            QueueDatabase database,
            DatabaseRows rows,
            MessageTable table,
            SegmentFiles files,
            LogReader reader,
            List<String> damage) {
        this.identity = identity;
        this.segments = segments;
        this.contents = contents;
        this.queueVolume = queueVolume;
        this.database = database;
        this.rows = rows;
        this.table = table;
        this.files = files;
        this.reader = reader;
        this.damage = damage;
    }

    /**
     * Reads both volumes; again if a store that runs has changed them meanwhile. RocksDB, for one,
     * reads which files there are and then opens them: one that was merged away in between looks
     * like a damaged manifest. Damage stays where it is, so it is what is found twice in a row; the
     * rest of a damaged log is read all the same.
     *
     * @throws IOException if that fails
     */
    static QueueView open(
            StoreIdentity identity, Volume segments, Volume contents, Path queueVolume)
            throws IOException {
        String before = "";
        boolean acceptDamage = false;
        for (int opening = 1; ; opening++) {
            try {
                return openOnce(identity, segments, contents, queueVolume, acceptDamage);
            } catch (IOException e) {
                String found = String.valueOf(e.getMessage());
                boolean stays = found.equals(before);
                if (opening == OPENINGS_MAX
                        || (stays && (acceptDamage || !(e instanceof LogException)))) {
                    throw e;
                }
                acceptDamage |= stays;
                before = found;
                LOG.debug("reading {} once more", queueVolume, e);
            }
        }
    }

    private static QueueView openOnce(
            StoreIdentity identity,
            Volume segments,
            Volume contents,
            Path queueVolume,
            boolean acceptDamage)
            throws IOException {
        LogDamage damage = new LogDamage(acceptDamage, id -> new QueueId(id).toString());
        LogWitness witness = StoreWitness.read(queueVolume, identity.store());
        SegmentHeader earlier = newest(segments, identity);
        QueueDatabase database = QueueDatabase.openForReading(queueVolume, contents);
        DatabaseRows rows = null;
        SegmentFiles files = null;
        boolean opened = false;
        try {
            rows = new DatabaseRows(database);
            DatabaseRows replayed = rows;
            MessageTable table = new MessageTable(database, rows);
            files = SegmentFiles.open(segments, identity.store());
            files.requireKnown(witness);
            List<SegmentFiles.Link> chain = files.chain(database.replayFrom());
            String where = segments.describe("segment-*.log");
            requireUnmoved(earlier, database, chain, where);
            LogRecord.Visitor visitor = record -> {
                table.apply(Entry.of(record));
                replayed.keepUnwritten();
            };
            LogScan.End end = new LogScan(segments, identity.store(), visitor, damage).run(chain);
            requireHeld(files, chain, end);
            witness.requireReached(end, where);
            table.abandonUnfinished();
            rows.keepUnwritten();
            LogReader reader = new LogReader(segments, files::find, new LogCounters());
            QueueView view = new QueueView(
                    identity,
                    segments,
                    contents,
                    queueVolume,
                    database,
                    rows,
                    table,
                    files,
                    reader,
                    damage.found());
            opened = true;
            return view;
        } finally {
            if (!opened) {
                close(database, rows, files);
            }
        }
    }

    QueueDatabase database() {
        return database;
    }

    MessageTable table() {
        return table;
    }

    /** {@return what of the log is damaged, a line each} */
    List<String> damage() {
        return damage;
    }

    /** Gets a message, its content apart. */
    interface MessageVisitor {
        void visit(long id, MessageRow row) throws IOException;
    }

    /** Visits every message, the lowest id first. */
    void forEach(MessageVisitor visitor) throws IOException {
        // What the log says comes first; it is bounded, so it can be sorted in memory.
        TreeMap<Long, Optional<MessageState>> byLog = new TreeMap<>(rows.changed());
        for (LogMessage message : table.index().messages()) {
            byLog.put(message.id, Optional.empty());
        }
        database.scanRows((id, encoded) -> {
            visitBelow(byLog, id, visitor);
            if (byLog.remove(id) == null) {
                visitor.visit(id, encoded.decode());
            } else {
                visitNow(id, visitor);
            }
        });
        visitBelow(byLog, Long.MAX_VALUE, visitor);
    }

    /** {@return the row of a message, or null when it isn't there} */
    @Nullable
    MessageRow row(long id) throws IOException {
        LogMessage message = table.index().find(id);
        if (message == null) {
            return rows.row(id);
        }
        LogRecord record;
        try {
            record = read(message.home, RecordHeader.BYTES + message.headBytes);
        } catch (LogException e) {
            return unreadable(message, e);
        }
        return record == null
                ? later().row(id)
                : MessageRow.decode(id, record.head()).with(message.state());
    }

    /** {@return what is known of a message without its row} It is damaged, whatever it was before. */
    private static MessageRow unreadable(LogMessage message, LogException cause) {
        MessageState before = message.state();
        MessageState state = before.kind() == QueuedMessage.State.DAMAGED
                ? before
                : MessageState.damaged(
                        before.dueMillis(),
                        before.attempts(),
                        String.valueOf(cause.getMessage()),
                        List.of());
        List<ContentExtent> extents = new ArrayList<>();
        for (int extent = 0; extent < message.extentCount; extent++) {
            extents.add(new ContentExtent(message.extentBytes(extent), 0));
        }
        return new MessageRow(MessageRow.ENVELOPE_LOST, state, extents);
    }

    /** {@return where the octets of a message come from} */
    ContentSource content(long id, MessageRow row) {
        return () -> new ExtentsStream(
                extent -> extent(id, row, extent), row.extents().size());
    }

    /** {@return an extent of a content, verified} */
    ByteBuffer extent(long id, MessageRow row, int extent) throws IOException {
        LogMessage message = table.index().find(id);
        LogPosition place = message == null ? null : message.place(extent);
        if (place != null) {
            LogRecord record = read(place, place.recordBytes());
            return record == null ? later().extent(id, row, extent) : record.content();
        }
        try {
            return MessageContent.stored(database, new QueueId(id), row, extent);
        } catch (IOException e) {
            if (attempt == ATTEMPTS_MAX) {
                throw e;
            }
            // The file may have been merged into another one since; damage stays where it is.
            return later().extent(id, row, extent);
        }
    }

    @Override
    public void close() throws IOException {
        if (later != null) {
            later.close();
        }
        close(database, rows, files);
    }

    /** {@return a record, or null when a running store has used its segment for something else} */
    private @Nullable LogRecord read(LogPosition place, int bytes) throws IOException {
        try {
            return bytes == place.recordBytes()
                    ? reader.read(place)
                    : reader.readHead(place, bytes - RecordHeader.BYTES);
        } catch (LogException e) {
            if (files.stillHolds(place.generation())) {
                throw e;
            }
            return null;
        }
    }

    /** {@return a view that was opened after this} */
    private QueueView later() throws IOException {
        if (later == null) {
            later = open(identity, segments, contents, queueVolume);
            later.attempt = attempt + 1;
        }
        return later;
    }

    private void visitBelow(
            NavigableMap<Long, Optional<MessageState>> byLog, long id, MessageVisitor visitor)
            throws IOException {
        while (!byLog.isEmpty() && byLog.firstKey() < id) {
            visitNow(byLog.pollFirstEntry().getKey(), visitor);
        }
    }

    private void visitNow(long id, MessageVisitor visitor) throws IOException {
        MessageRow row = row(id);
        if (row != null) {
            visitor.visit(id, row);
        }
    }

    /**
     * What a running store has moved since the database was opened is missing in both. A segment
     * that had left the log before, which the database needed then, had nothing in it.
     *
     * @param earlier the log's newest segment before the database was opened, if it had any; the
     *     database must have what the log was relieved of by then
     */
    private static void requireUnmoved(
            @Nullable SegmentHeader earlier,
            QueueDatabase database,
            List<SegmentFiles.Link> chain,
            String where)
            throws IOException {
        if (earlier != null) {
            earlier.requireDatabase(database.checkpoint(), where);
        }
        long lowWater = earlier == null ? 0 : earlier.lowWaterGeneration();
        long first = chain.isEmpty() ? 0 : chain.getFirst().header().generation();
        if (first > database.replayFrom() && first > lowWater) {
            throw tooFast(first);
        }
    }

    private static @Nullable SegmentHeader newest(Volume segments, StoreIdentity identity)
            throws IOException {
        try (SegmentFiles files = SegmentFiles.open(segments, identity.store())) {
            return files.newest();
        }
    }

    /** A segment that was used again while it was read looks like the end of the log. */
    private static void requireHeld(
            SegmentFiles files, List<SegmentFiles.Link> chain, LogScan.End end) throws IOException {
        if (end.links() < chain.size()) {
            long last = chain.get(end.links() - 1).header().generation();
            if (!files.stillHolds(last)) {
                throw tooFast(last);
            }
        }
    }

    private static StoreException tooFast(long generation) {
        return new StoreException("the queue is changing faster than it can be read (the log's"
                + " generation " + generation + "); try again when it is less busy");
    }

    private static void close(
            QueueDatabase database, @Nullable DatabaseRows rows, @Nullable SegmentFiles files)
            throws IOException {
        try {
            if (files != null) {
                files.close();
            }
        } finally {
            if (rows != null) {
                rows.close();
            }
            database.close();
        }
    }
}
