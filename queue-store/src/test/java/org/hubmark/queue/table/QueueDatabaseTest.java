package org.hubmark.queue.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Proves, with a database of its own, what the store relies on when it gives a part of the log free: what was
 * flushed is durable; and what a change of a message's state writes.
 */
final class QueueDatabaseTest {
    private static final int LIVES = 20;

    /** Each fills a memtable. */
    private static final int EXTENTS_A_WRITE = 1500;

    private static final int ROWS = 100;

    private static final int DEFERRALS = 500;

    private static final int EXTENTS = 2 * EXTENTS_A_WRITE;

    @TempDir
    Path queueVolume;

    /**
     * A memtable that has filled is being written in the background while a flush is asked for.
     * RocksDB pairs the column families with the memtables that it waits for in two different
     * orders, so that its flush may return before anything is durable (11.8.1).
     */
    @Test
    void aFlushHasEndedWhenItReturnsAlsoBesideAnother() throws IOException {
        QueueDatabase.create(queueVolume, false);
        for (int id = 1; id <= LIVES; id++) {
            long flushed;
            SimulatedDatabase smallMemtables =
                    new SimulatedDatabase(queueVolume, QueueDatabase.FOLDER, Long.MAX_VALUE);
            try (QueueDatabase database = QueueDatabase.open(queueVolume, false, smallMemtables);
                    QueueBatch batch = database.newBatch()) {
                for (int i = 0; i < 10; i++) {
                    // Each is a memtable of this family alone.
                    batch.putReplayFrom(id);
                    database.write(batch);
                    database.flush();
                }
                for (int extent = 0; extent < EXTENTS; extent++) {
                    batch.putExtent(id, extent, new ContentPlace(1, 0, new ContentExtent(1, 0)));
                    if ((extent + 1) % EXTENTS_A_WRITE == 0) {
                        database.write(batch);
                    }
                }
                database.flush();
                flushed = database.checkpoint();
            }
            try (QueueDatabase database =
                    QueueDatabase.openForReading(queueVolume, ContentFiles.readOnly(queueVolume))) {
                assertThat(database.checkpoint()).isEqualTo(flushed);
                assertThat(database.extentCount(id)).isEqualTo(EXTENTS);
            }
        }
    }

    /** Else the end of the process would wait until the last flush and the last merge are done. */
    @Test
    void whatIsLeftBeginsNeitherFlushNorMerge() throws IOException {
        QueueDatabase.create(queueVolume, false);
        try (QueueDatabase database = QueueDatabase.open(queueVolume, false, null);
                QueueBatch batch = database.newBatch()) {
            batch.putReplayFrom(1);
            database.write(batch);
            database.leave();
            assertThat(database.isLeft()).isTrue();
            assertThatThrownBy(database::flush).hasMessageContaining("ShutdownInProgress");
            assertThat(database.compact()).isFalse();
        }
    }

    /** The rows of one block, again and again. */
    @Test
    void withoutAReadCacheEveryRowIsReadFromTheVolume() throws IOException {
        QueueDatabase.create(queueVolume, false);
        try (QueueDatabase database = QueueDatabase.open(queueVolume, false, null);
                QueueBatch batch = database.newBatch()) {
            for (int extent = 0; extent < ROWS; extent++) {
                batch.putExtent(1, extent, new ContentPlace(1, 0, new ContentExtent(1, 0)));
            }
            database.write(batch);
            database.flush();
        }
        assertThat(readsOfAll()).isLessThan(ROWS / 4);
    }

    /** A thousand recipients, deferred again and again: the envelope is written once. */
    @Test
    void aDeferralWritesTheStateAndNotTheEnvelope() throws IOException {
        List<String> to = IntStream.range(0, 1000)
                .mapToObj(i -> "to" + i + "@example.org")
                .toList();
        MessageRow row = new MessageRow(
                new Envelope("", to, BodyType.SEVEN_BIT, Instant.EPOCH, ""),
                MessageState.fresh(),
                List.of());
        MessageState last = row.state();
        QueueDatabase.create(queueVolume, false);
        try (QueueDatabase database = QueueDatabase.open(queueVolume, false, null);
                DatabaseRows rows = new DatabaseRows(database)) {
            rows.add(1, row);
            rows.write();
            long before = database.unflushedBytes();
            for (int attempt = 1; attempt <= DEFERRALS; attempt++) {
                last = MessageState.due(attempt, attempt, "451 later", List.of());
                rows.change(1, row.with(last), last);
                rows.write();
            }
            assertThat(database.unflushedBytes() - before)
                    .isLessThan((long) DEFERRALS * row.bytesMax() / 3);
            assertThat(database.row(1)).isEqualTo(row.with(last));
            database.flush();
        }
        try (QueueDatabase database = QueueDatabase.open(queueVolume, false, null)) {
            assertThat(database.row(1)).isEqualTo(row.with(last));
        }
    }

    private long readsOfAll() throws IOException {
        try (QueueDatabase database = QueueDatabase.open(queueVolume, false, null)) {
            long before = database.counts().queueReads();
            for (int extent = 0; extent < ROWS; extent++) {
                assertThat(database.place(1, extent)).isNotNull();
            }
            return database.counts().queueReads() - before;
        }
    }
}
