package org.hubmark.queue;

import org.hubmark.core.ContentSource;
import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A queue as it stood at one moment, read from both volumes without changing them: the queue
 * database as it was last flushed, with the log replayed on it in memory. One thread.
 */
final class QueueView implements AutoCloseable {
    private final QueueDatabase database;
    private final DatabaseRows rows;
    private final MessageTable table;
    private final SegmentFiles files;
    private final LogReader reader;

    private QueueView(
            QueueDatabase database,
            DatabaseRows rows,
            MessageTable table,
            SegmentFiles files,
            LogReader reader) {
        this.database = database;
        this.rows = rows;
        this.table = table;
        this.files = files;
        this.reader = reader;
    }

    /**
     * Reads both volumes.
     *
     * @throws IOException if that fails, also because a store that runs has changed them meanwhile
     */
    static QueueView open(StoreIdentity identity, Path logVolume, Path queueVolume)
            throws IOException {
        QueueDatabase database = QueueDatabase.openForReading(queueVolume);
        DatabaseRows rows = null;
        SegmentFiles files = null;
        boolean opened = false;
        try {
            rows = new DatabaseRows(database);
            DatabaseRows replayed = rows;
            MessageTable table = new MessageTable(database, rows);
            Volume volume = DirectoryVolume.readOnly(logVolume.resolve(StoreStart.SEGMENTS_FOLDER));
            files = SegmentFiles.open(volume, identity.store());
            LogScan scan = new LogScan(volume, identity.store(), record -> {
                table.replay(record);
                replayed.keepUnwritten();
            });
            scan.run(files.chain(database.replayFrom()));
            table.abandonUnfinished();
            rows.keepUnwritten();
            requireUnmoved(queueVolume, database.replayFrom());
            LogReader reader = new LogReader(volume, files::find, new LogCounters());
            QueueView view = new QueueView(database, rows, table, files, reader);
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

    /** Gets a message, its content apart. */
    interface RowVisitor {
        void visit(long id, MessageRow row) throws IOException;
    }

    /** Visits every message, the lowest id first. */
    void forEach(RowVisitor visitor) throws IOException {
        // What the log says comes first; it is bounded, so it can be sorted in memory.
        TreeMap<Long, Optional<MessageRow>> byLog = new TreeMap<>(rows.changed());
        for (LogMessage message : table.index().messages()) {
            byLog.put(message.id, Optional.empty());
        }
        database.scanRows((id, encoded) -> {
            visitBelow(byLog, id, visitor);
            Optional<MessageRow> changed = byLog.remove(id);
            if (changed == null) {
                visitor.visit(id, MessageRow.decode(id, encoded));
            } else {
                visitNow(id, changed, visitor);
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
        LogRecord record = reader.readHead(message.home, message.headBytes);
        if (record == null) {
            throw new IOException("the message " + new QueueId(id) + " has left meanwhile");
        }
        return MessageRow.decode(id, record.head()).with(message.standing);
    }

    /** {@return where the octets of a message come from} */
    ContentSource content(long id, MessageRow row) {
        return () -> new PartsStream(part -> part(id, row, part), row.parts().size());
    }

    /** {@return a part of a content, verified} */
    ByteBuffer part(long id, MessageRow row, int part) throws IOException {
        LogMessage message = table.index().find(id);
        LogPosition place = message == null ? null : message.place(part);
        if (place == null) {
            return MessageContent.stored(database, new QueueId(id), row, part);
        }
        LogRecord record = reader.read(place);
        if (record == null) {
            throw new IOException("the message " + new QueueId(id) + " has left meanwhile");
        }
        return record.content();
    }

    @Override
    public void close() throws IOException {
        close(database, rows, files);
    }

    private void visitBelow(
            NavigableMap<Long, Optional<MessageRow>> byLog, long id, RowVisitor visitor)
            throws IOException {
        while (!byLog.isEmpty() && byLog.firstKey() < id) {
            Map.Entry<Long, Optional<MessageRow>> first = byLog.firstEntry();
            byLog.remove(first.getKey());
            visitNow(first.getKey(), first.getValue(), visitor);
        }
    }

    private void visitNow(long id, Optional<MessageRow> changed, RowVisitor visitor)
            throws IOException {
        MessageRow row = changed.orElse(null);
        if (table.index().find(id) != null) {
            row = row(id);
        }
        if (row != null) {
            visitor.visit(id, row);
        }
    }

    /** What a running store has moved since the database was opened is missing in both. */
    private static void requireUnmoved(Path queueVolume, long replayFrom) throws IOException {
        try (QueueDatabase now = QueueDatabase.openForReading(queueVolume)) {
            if (now.replayFrom() != replayFrom) {
                throw new StoreException("the queue is changing faster than it can be read");
            }
        }
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
