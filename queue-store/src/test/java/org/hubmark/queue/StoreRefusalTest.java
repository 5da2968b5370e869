package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Receipt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
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
                            StoreUnderTest.envelope(StoreUnderTest.TO),
                            queue.content(new byte[10]),
                            receipt -> {
                                held.complete(receipt);
                                go.join();
                            });
            assertThat(held.join()).isInstanceOf(Receipt.Queued.class);
            // The committer is busy with the listener above: some thousand fit, the next doesn't.
            List<CompletableFuture<Receipt>> fit = new ArrayList<>();
            CompletableFuture<Receipt> last = queue.offer(10, StoreUnderTest.TO);
            while (!last.isDone()) {
                fit.add(last);
                last = queue.offer(10, StoreUnderTest.TO);
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

    @Test
    void refusesWhenAVolumeIsTooFull() throws Exception {
        // More than is free, and less than there is.
        FileStore disk = Files.getFileStore(folder);
        long bytes = (disk.getUsableSpace() + disk.getTotalSpace()) / 2;
        try (StoreUnderTest queue = StoreUnderTest.at(folder)
                .settings(Map.of("store.free-space-min", bytes + "B"))
                .open()) {
            assertThat(StoreUnderTest.refused(queue.offer(1, StoreUnderTest.TO)))
                    .isEqualTo(Receipt.Reason.STORAGE_FULL);
            assertThat(queue.store().statistics().arrivals().refusedFull()).isEqualTo(1);
        }
    }
}
