package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Durability;
import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Proves when the store syncs its log: as its durability says, and not for settling. */
class StoreSyncTest {
    @TempDir
    Path folder;

    @Test
    void syncsOnceForAGroupAndNotForAcknowledging() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            long before = syncs(queue);
            QueueId id = queue.enqueue("synced");
            assertThat(syncs(queue)).isEqualTo(before + 1);
            queue.leaseOne();
            long startNanos = System.nanoTime();
            queue.store().acknowledge(id);
            assertThat(queue.store().find(id)).isEmpty();
            long syncs = syncs(queue);
            // Settling that waits is synced after a second.
            long seconds = (System.nanoTime() - startNanos) / 1_000_000_000;
            assertThat(syncs).isBetween(before + 1, before + 1 + seconds);
        }
    }

    @Test
    @Timeout(60)
    void whatWasSettledIsSyncedWithinASecondAndNothingElseIs() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("settled");
            queue.leaseOne();
            long before = syncs(queue);
            queue.store().acknowledge(id);
            while (syncs(queue) == before) {
                Thread.onSpinWait();
            }
            // Nothing was written since, so nothing is synced, however long it takes.
            long untilNanos = System.nanoTime() + 2_500_000_000L;
            while (System.nanoTime() < untilNanos) {
                assertThat(queue.store().find(id)).isEmpty();
            }
            assertThat(syncs(queue)).isEqualTo(before + 1);
        }
    }

    @Test
    void tellsTheSizesOfWhatTheSyncsCoveredThatMessagesWaitedFor() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            for (int i = 0; i < 3; i++) {
                queue.enqueue("small");
            }
            queue.enqueue("x".repeat(100_000));
            queue.leaseOne();
            // A page each; what is left of 100,000 octets after 24 pages lies in that of the head.
            assertThat(queue.store().syncedGroups())
                    .containsExactly(
                            new SyncedGroups(4096, 3, 3, 3 * 4096, 3),
                            new SyncedGroups(131_072, 1, 1, 25 * 4096, 1));
        }
        try (StoreUnderTest queue = open("none", new Durability.None())) {
            queue.enqueue("no sync");
            assertThat(queue.store().syncedGroups()).isEmpty();
        }
    }

    @Test
    void syncsPeriodicallyOrNotAtAll() throws Exception {
        try (StoreUnderTest queue = open("none", new Durability.None())) {
            long before = syncs(queue);
            queue.enqueue("unsynced");
            assertThat(syncs(queue)).isEqualTo(before);
        }
        Durability hourly = new Durability.Periodic(Duration.ofHours(1));
        try (StoreUnderTest queue = open("hourly", hourly)) {
            long before = syncs(queue);
            queue.enqueue("one");
            queue.enqueue("two");
            assertThat(syncs(queue)).isLessThanOrEqualTo(before + 1);
        }
    }

    private StoreUnderTest open(String name, Durability durability) throws IOException {
        return StoreUnderTest.at(folder.resolve(name)).durability(durability).open();
    }

    private static long syncs(StoreUnderTest queue) {
        return queue.store().statistics().log().syncs();
    }
}
