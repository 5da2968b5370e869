package org.hubmark.queue.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.queue.simulation.SimulatedDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** Proves what the store relies on when it gives a part of the log free: what was flushed is durable. */
final class QueueDatabaseTest {
    private static final int LIVES = 20;

    /** Each fills a memtable. */
    private static final int EXTENTS_A_WRITE = 1500;

    private static final int ROWS = 100;

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
        QueueDatabase.create(queueVolume, DatabaseSettings.BUFFERED);
        for (int id = 1; id <= LIVES; id++) {
            long flushed;
            SimulatedDatabase smallMemtables =
                    new SimulatedDatabase(queueVolume, QueueDatabase.FOLDER, Long.MAX_VALUE);
            try (QueueDatabase database = QueueDatabase.open(
                            queueVolume, DatabaseSettings.BUFFERED, smallMemtables);
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

    /** The rows of one block, again and again. */
    @Test
    void withoutAReadCacheEveryRowIsReadFromTheVolume() throws IOException {
        QueueDatabase.create(queueVolume, DatabaseSettings.BUFFERED);
        try (QueueDatabase database =
                        QueueDatabase.open(queueVolume, DatabaseSettings.BUFFERED, null);
                QueueBatch batch = database.newBatch()) {
            for (int extent = 0; extent < ROWS; extent++) {
                batch.putExtent(1, extent, new ContentPlace(1, 0, new ContentExtent(1, 0)));
            }
            database.write(batch);
            database.flush();
        }
        assertThat(readsOfAll(DatabaseSettings.BUFFERED)).isLessThan(ROWS / 4);
        assertThat(readsOfAll(new DatabaseSettings(false, 0))).isGreaterThanOrEqualTo(ROWS);
    }

    private long readsOfAll(DatabaseSettings settings) throws IOException {
        try (QueueDatabase database = QueueDatabase.open(queueVolume, settings, null)) {
            long before = database.counts().queueReads();
            for (int extent = 0; extent < ROWS; extent++) {
                assertThat(database.place(1, extent)).isNotNull();
            }
            return database.counts().queueReads() - before;
        }
    }
}
