package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.DirectoryVolume;
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
import org.hubmark.queue.table.ContentFiles;
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
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Looks into a queue without changing it, also while a hub is running on it: then it sees the queue
 * as it stood at one moment shortly before, the queue database as it was last flushed, with the log
 * replayed on it in memory. A content may have left by the time it is opened.
 *
 * <p>One thread at a time. It needs memory for what the log holds that is not in the queue database yet.
 */
public final class QueueReader implements AutoCloseable {
    /** How often what a running store has moved since is looked for in a later reading. */
    private static final int ATTEMPTS_MAX = 5;

    /** How often both volumes are read before a store is called too fast for reading beside it. */
    private static final int OPENINGS_MAX = 100;

    private static final Logger LOG = LoggerFactory.getLogger(QueueReader.class);

    private final Source source;
    final QueueDatabase database;
    final MessageTable table;
    private final SegmentFiles files;
    private final LogReader log;
    final List<String> damage;
    private final Opened opened;

    /** Where that is read which a running store has moved since. */
    private @Nullable QueueReader later;

    private int attempt = 1;

    /**
     * A store to read.
     *
     * @param segments of its log
     * @param contents of its queue database
     */
    record Source(StoreIdentity identity, Volume segments, Volume contents, Path queueVolume) {}

    private QueueReader(
            Source source,
            QueueDatabase database,
            MessageTable table,
            SegmentFiles files,
            List<String> damage,
            Opened opened) {
        this.opened = opened;
        this.source = source;
        this.database = database;
        this.table = table;
        this.files = files;
        this.log = new LogReader(source.segments(), files::find, new LogCounters());
        this.damage = damage;
    }

    /**
     * {@return whether there is a queue on two volumes} Looks at their names only.
     *
     * @throws StoreException if they are not one store's; the message says what to do
     */
    public static boolean isThere(Path logVolume, Path queueVolume) throws StoreException {
        return StoreIdentity.find(logVolume, queueVolume) != null;
    }

    /**
     * Opens the queue on two volumes for reading.
     *
     * @throws StoreException if there is no queue there, or it can't be read
     */
    public static QueueReader open(Path logVolume, Path queueVolume) throws StoreException {
        StoreIdentity identity = StoreIdentity.require(logVolume, queueVolume);
        try {
            return open(new Source(
                    identity,
                    DirectoryVolume.readOnly(logVolume.resolve(StoreStart.SEGMENTS_FOLDER)),
                    ContentFiles.readOnly(queueVolume),
                    queueVolume));
        } catch (IOException e) {
            throw StoreStart.failure(
                    "can't read the queue on " + logVolume + " and " + queueVolume, e);
        }
    }

    /**
     * Reads both volumes; again if a store that runs has changed them meanwhile. RocksDB, for one,
     * reads which files there are and then opens them: one that was merged away in between looks
     * like a damaged manifest. Damage stays where it is, so it is what is found twice in a row; the
     * rest of a damaged log is read all the same.
     */
    static QueueReader open(Source source) throws IOException {
        String before = "";
        boolean acceptDamage = false;
        for (int opening = 1; ; opening++) {
            try {
                return openOnce(source, acceptDamage);
            } catch (IOException e) {
                String found = String.valueOf(e.getMessage());
                boolean stays = found.equals(before);
                if (opening == OPENINGS_MAX
                        || (stays && (acceptDamage || !(e instanceof LogException)))) {
                    throw e;
                }
                acceptDamage |= stays;
                before = found;
                LOG.debug("reading {} once more", source.queueVolume(), e);
            }
        }
    }

    private static QueueReader openOnce(Source source, boolean acceptDamage) throws IOException {
        LogDamage damage = new LogDamage(acceptDamage, id -> new QueueId(id).toString());
        Volume segments = source.segments();
        StoreIdentity identity = source.identity();
        LogWitness witness = StoreWitness.read(source.queueVolume(), identity.store());
        SegmentHeader earlier = newest(source);
        Opened opened = new Opened();
        try {
            QueueDatabase database =
                    QueueDatabase.openForReading(source.queueVolume(), source.contents());
            opened.add(database::close);
            DatabaseRows rows = new DatabaseRows(database);
            opened.add(rows::close);
            MessageTable table = new MessageTable(database, rows);
            SegmentFiles files = SegmentFiles.open(segments, identity.store());
            opened.add(files);
            files.requireKnown(witness);
            List<SegmentFiles.Link> chain = files.chain(database.replayFrom());
            String where = segments.describe("segment-*.log");
            requireUnmoved(earlier, database, chain, where);
            LogRecord.Visitor visitor = record -> {
                table.apply(Entry.of(record));
                rows.keepUnwritten();
            };
            LogScan.End end = new LogScan(segments, identity.store(), visitor, damage).run(chain);
            requireHeld(files, chain, end);
            witness.requireReached(end, where);
            table.abandonUnfinished();
            rows.keepUnwritten();
            return new QueueReader(source, database, table, files, damage.found(), opened);
        } catch (IOException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    /** Visits every message, oldest id first, with memory that doesn't grow with their number. */
    public void forEach(Consumer<QueuedMessage> visitor) throws IOException {
        forEachRow((id, row) -> visitor.accept(row.message(new QueueId(id))));
    }

    /** {@return one message, if it is there} */
    public Optional<QueuedMessage> find(QueueId id) throws IOException {
        return Optional.ofNullable(row(id.value())).map(row -> row.message(id));
    }

    /**
     * {@return opens a message's content}
     *
     * @throws StoreException if there is no such message
     */
    public ContentSource content(QueueId id) throws IOException {
        MessageRow row = row(id.value());
        if (row == null) {
            throw new StoreException("there is no message " + id + " in the queue");
        }
        return () -> new ExtentsStream(
                extent -> extent(id.value(), row, extent), row.extents().size());
    }

    /**
     * Reads everything, verifies every checksum and the agreement of index, schedule and content.
     * While a hub is running on the queue a message may leave during the check: what was found is
     * looked at again in a later state of the queue, and reported if it is still there.
     */
    public CheckReport check() throws IOException {
        CheckReport report = new QueueCheck(this).run();
        Set<String> lasting = new LinkedHashSet<>(report.problems());
        for (int again = 1; again < ATTEMPTS_MAX && !lasting.isEmpty(); again++) {
            try (QueueReader next = open(source)) {
                lasting.retainAll(new QueueCheck(next).run().problems());
            }
        }
        return new CheckReport(report.messages(), report.bytes(), List.copyOf(lasting));
    }

    /** Gets a message, its content apart. */
    interface RowVisitor {
        void visit(long id, MessageRow row) throws IOException;
    }

    /** Visits every message, the lowest id first. */
    void forEachRow(RowVisitor visitor) throws IOException {
        // What the log says comes first; it is bounded, so it can be sorted in memory.
        TreeMap<Long, Optional<MessageState>> byLog = new TreeMap<>(table.rows().changed());
        for (LogMessage message : table.index().messages()) {
            byLog.put(message.id, Optional.empty());
        }
        database.scanRows(0, (id, encoded) -> {
            visitBelow(byLog, id, visitor);
            if (byLog.remove(id) == null) {
                visitor.visit(id, encoded.decode());
            } else {
                visitNow(id, visitor);
            }
            return true;
        });
        visitBelow(byLog, Long.MAX_VALUE, visitor);
    }

    /** {@return the row of a message, or null when it isn't there} */
    private @Nullable MessageRow row(long id) throws IOException {
        LogMessage message = table.index().find(id);
        if (message == null) {
            return table.rows().row(id);
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
                : new MessageState(
                        QueuedMessage.State.DAMAGED,
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

    /** {@return an extent of a content, verified} */
    ByteBuffer extent(long id, MessageRow row, int extent) throws IOException {
        LogMessage message = table.index().find(id);
        LogPosition place = message == null ? null : message.place(extent);
        if (place != null) {
            LogRecord record = read(place, place.recordBytes);
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
    public void close() {
        try {
            if (later != null) {
                later.close();
            }
            opened.close();
        } catch (IOException e) {
            // Files that were only read.
            throw new UncheckedIOException(e);
        }
    }

    /** {@return a record, or null when a running store has used its segment for something else} */
    private @Nullable LogRecord read(LogPosition place, int bytes) throws IOException {
        try {
            return bytes == place.recordBytes
                    ? log.read(place)
                    : log.readHead(place, bytes - RecordHeader.BYTES);
        } catch (LogException e) {
            if (files.stillHolds(place.generation)) {
                throw e;
            }
            return null;
        }
    }

    /** {@return a reader that was opened after this} */
    private QueueReader later() throws IOException {
        if (later == null) {
            later = open(source);
            later.attempt = attempt + 1;
        }
        return later;
    }

    private void visitBelow(
            NavigableMap<Long, Optional<MessageState>> byLog, long id, RowVisitor visitor)
            throws IOException {
        while (!byLog.isEmpty() && byLog.firstKey() < id) {
            visitNow(byLog.pollFirstEntry().getKey(), visitor);
        }
    }

    private void visitNow(long id, RowVisitor visitor) throws IOException {
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

    private static @Nullable SegmentHeader newest(Source source) throws IOException {
        try (SegmentFiles files =
                SegmentFiles.open(source.segments(), source.identity().store())) {
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
}
