package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Durability;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

/** Proves when the store syncs its log: as its durability says, and not for settling. */
class StoreSyncTest {
    @TempDir
    Path folder;

    @Test
    void syncsOnceForAGroupAndNotForAcknowledging() throws Exception {
        try (TestQueue queue = TestQueue.open(folder)) {
            long before = queue.store().statistics().logSyncs();
            QueueId id = queue.enqueue("synced");
            assertThat(queue.store().statistics().logSyncs()).isEqualTo(before + 1);
            queue.leaseOne();
            queue.store().acknowledge(id);
            assertThat(queue.store().find(id)).isEmpty();
            assertThat(queue.store().statistics().logSyncs()).isEqualTo(before + 1);
        }
    }

    @Test
    void syncsPeriodicallyOrNotAtAll() throws Exception {
        try (TestQueue queue = TestQueue.open(folder.resolve("none"), new Durability.None())) {
            long before = queue.store().statistics().logSyncs();
            queue.enqueue("unsynced");
            assertThat(queue.store().statistics().logSyncs()).isEqualTo(before);
        }
        Durability hourly = new Durability.Periodic(Duration.ofHours(1));
        try (TestQueue queue = TestQueue.open(folder.resolve("hourly"), hourly)) {
            long before = queue.store().statistics().logSyncs();
            queue.enqueue("one");
            queue.enqueue("two");
            assertThat(queue.store().statistics().logSyncs()).isLessThanOrEqualTo(before + 1);
        }
        Durability often = new Durability.Periodic(Duration.ofMillis(1));
        try (TestQueue queue = TestQueue.open(folder.resolve("often"), often)) {
            long before = queue.store().statistics().logSyncs();
            queue.enqueue("soon synced");
            while (queue.store().statistics().logSyncs() == before) {
                Thread.onSpinWait();
            }
        }
    }
}
