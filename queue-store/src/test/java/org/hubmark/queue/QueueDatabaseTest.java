package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** Proves what the store relies on when it gives a part of the log free: what was flushed is durable. */
final class QueueDatabaseTest {
    private static final int LIVES = 20;

    /** Each fills a memtable. */
    private static final int EXTENTS_A_WRITE = 1500;

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
            SimulatedDatabase smallMemtables = new SimulatedDatabase(queueVolume, Long.MAX_VALUE);
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
}
