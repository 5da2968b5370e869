package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Proves that the store says no at once and why: when its hand-off is full, a volume has no room, it
 * is closing or a write has failed. The store is checked for consistency after each case.
 */
class StoreRefusalTest {
    @TempDir
    Path folder;

    @Test
    void refusesAtOnceWhenTheHandOffIsFull() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            CompletableFuture<Receipt> held = new CompletableFuture<>();
            CompletableFuture<Void> go = new CompletableFuture<>();
            queue.store()
                    .enqueue(
                            queue.envelope(List.of("a@example.org")),
                            queue.content(new byte[10]),
                            receipt -> {
                                held.complete(receipt);
                                go.join();
                            });
            assertThat(held.join()).isInstanceOf(Receipt.Queued.class);
            // The committer is busy with the listener above: some thousand fit, the next doesn't.
            List<CompletableFuture<Receipt>> fit = new ArrayList<>();
            CompletableFuture<Receipt> last = offer(queue);
            while (!last.isDone()) {
                fit.add(last);
                last = offer(queue);
            }
            assertThat(StoreUnderTest.refused(last)).isEqualTo(Receipt.Reason.BUSY);
            assertThat(fit).hasSize(4096);
            assertThat(queue.store().statistics().arrivals().refusedBusy()).isEqualTo(1);
            go.complete(null);
            for (CompletableFuture<Receipt> one : fit) {
                StoreUnderTest.queued(one);
            }
        }
    }

    private static CompletableFuture<Receipt> offer(StoreUnderTest queue) {
        return queue.offer(queue.content(new byte[10]), List.of("b@example.org"));
    }

    @Test
    void refusesWhenAVolumeIsTooFull() throws Exception {
        // More than is free, and less than there is.
        FileStore disk = Files.getFileStore(folder);
        long bytes = (disk.getUsableSpace() + disk.getTotalSpace()) / 2;
        try (StoreUnderTest queue =
                StoreUnderTest.open(folder, Map.of("store.free-space-min", bytes + "B"))) {
            assertThat(queue.store().refusal())
                    .extracting(Receipt.Refused::reason)
                    .isEqualTo(Receipt.Reason.STORAGE_FULL);
            assertThat(StoreUnderTest.refused(
                            queue.offer(queue.content(new byte[1]), List.of("a@b"))))
                    .isEqualTo(Receipt.Reason.STORAGE_FULL);
            assertThat(queue.store().statistics().arrivals().refusedFull()).isEqualTo(1);
        }
    }

    @Test
    void takesNothingNewWhileClosingButSettlesWhatItHas() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("last");
            queue.store().stopAccepting();
            assertThat(queue.store().refusal())
                    .extracting(Receipt.Refused::reason)
                    .isEqualTo(Receipt.Reason.CLOSING);
            assertThat(StoreUnderTest.refused(
                            queue.offer(queue.content(new byte[1]), List.of("a@b"))))
                    .isEqualTo(Receipt.Reason.CLOSING);
            assertThat(queue.leaseOne().id()).isEqualTo(id);
            queue.store().acknowledge(id);
            assertThat(queue.store().find(id)).isEmpty();
            queue.store().close();
            assertThat(StoreUnderTest.refused(
                            queue.offer(queue.content(new byte[1]), List.of("a@b"))))
                    .isEqualTo(Receipt.Reason.CLOSING);
            assertThatThrownBy(() -> queue.store().find(id))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closing");
        }
    }

    @Test
    void stopsForGoodWhenItCannotWrite() throws Exception {
        Path gone = folder.resolve("gone");
        StoreUnderTest queue = StoreUnderTest.open(gone);
        // The folders vanish under the running store: sooner or later it needs a new file there.
        StoreUnderTest.delete(gone);
        Receipt last = new Receipt.Queued(new QueueId(0));
        byte[] octets = StoreUnderTest.octets(1, 1 << 20);
        for (int i = 0; i < 1000 && last instanceof Receipt.Queued; i++) {
            last = queue.offer(queue.content(octets), List.of("a@b")).join();
        }
        assertThat(last)
                .isInstanceOfSatisfying(
                        Receipt.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Receipt.Reason.BROKEN));
        assertThat(queue.store().failure()).succeedsWithin(Duration.ofMinutes(1));
        assertThat(queue.store().refusal())
                .extracting(Receipt.Refused::reason)
                .isEqualTo(Receipt.Reason.BROKEN);
        assertThatThrownBy(() -> queue.store().retry(new QueueId(1)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(queue.budget.bytesUsed()).isZero();
        queue.store().close();
    }
}
