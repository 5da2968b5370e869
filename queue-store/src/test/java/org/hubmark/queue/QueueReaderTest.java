package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.QueueId;
import org.hubmark.core.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Proves that a reader sees what is queued, in order and with its content, also while a store is
 * writing to the same volumes, and changes nothing there.
 */
class QueueReaderTest {
    @TempDir
    Path folder;

    @Test
    void changesNothing() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder.resolve("now"))) {
            queue.enqueue(3_000_000);
            // The store itself makes segments and writes its witness whenever it likes.
            Path killed = folder.resolve("killed");
            StoreUnderTest.copyAtRest(folder.resolve("now"), killed);
            var before = StoreUnderTest.sizes(killed);
            Path log = killed.resolve("log");
            try (QueueReader reader = QueueReader.open(log, killed.resolve("queue"))) {
                assertThat(reader.check()).isEqualTo(new CheckReport(1, 3_000_000, List.of()));
                assertThatThrownBy(() -> reader.content(new QueueId(1)))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("no message " + new QueueId(1));
            }
            assertThat(StoreUnderTest.sizes(killed)).isEqualTo(before);
        }
    }

    @Test
    void readsBesideABusyStore() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            Thread writer = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 300; i++) {
                    queue.enqueue(500_000);
                    if (i % 3 != 0) {
                        queue.store().acknowledge(queue.leaseOne().id());
                    }
                }
            });
            do {
                assertThat(queue.check().problems()).isEmpty();
            } while (writer.isAlive());
            writer.join();
        }
    }

    @Test
    void opensBesideAStoreThatMergesFilesAllTheTime() throws Exception {
        // Small segments, each moved at once: a flush for every few messages, a merge for every few
        // flushes, so that files vanish between the reading of the manifest and their opening.
        try (StoreUnderTest queue = StoreUnderTest.at(folder).log(256 << 10, 4).open()) {
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                while (!enough.get()) {
                    queue.enqueue(20_000);
                    queue.enqueue(20_000);
                    queue.store().acknowledge(queue.leaseOne().id());
                }
            });
            try {
                for (int i = 0; i < 30; i++) {
                    QueueReader.open(queue.log(), queue.queue()).close();
                }
            } finally {
                enough.set(true);
                writer.join();
            }
        }
    }
}
