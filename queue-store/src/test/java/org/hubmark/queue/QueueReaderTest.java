package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.QueueId;
import org.hubmark.core.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
    void seesEveryMessageInIdOrder() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            List<QueueId> ids = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                ids.add(queue.enqueue("message " + i));
                // Due in another order than they came.
                queue.step(Duration.ofMillis(-1));
            }
            try (QueueReader reader = QueueReader.open(queue.log(), queue.queue())) {
                List<QueueId> found = new ArrayList<>();
                reader.forEach(message -> found.add(message.id()));
                assertThat(found).isEqualTo(ids);
                assertThat(reader.find(ids.get(3)).orElseThrow().envelope())
                        .isEqualTo(queue.envelope(List.of("to@example.org")));
                assertThat(reader.find(new QueueId(1))).isEmpty();
                try (var in = reader.content(ids.get(7)).open()) {
                    assertThat(in.readAllBytes()).asString().isEqualTo("message 7");
                }
                assertThatThrownBy(() -> reader.content(new QueueId(1)))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("no message " + new QueueId(1));
            }
        }
    }

    @Test
    void changesNothing() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder.resolve("now"))) {
            queue.enqueueInExtents(StoreUnderTest.octets(1, 3_000_000), 1 << 20);
            // The store itself makes segments and writes its witness whenever it likes.
            Path killed = folder.resolve("killed");
            StoreUnderTest.copyAtRest(folder.resolve("now"), killed);
            var before = StoreUnderTest.sizes(killed);
            Path log = killed.resolve("log");
            try (QueueReader reader = QueueReader.open(log, killed.resolve("queue"))) {
                assertThat(reader.check()).isEqualTo(new CheckReport(1, 3_000_000, List.of()));
            }
            assertThat(StoreUnderTest.sizes(killed)).isEqualTo(before);
        }
    }

    @Test
    void readsBesideABusyStore() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            byte[] octets = StoreUnderTest.octets(2, 500_000);
            Thread writer = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 300; i++) {
                    QueueId id = queue.enqueue(octets);
                    if (i % 3 != 0) {
                        queue.store()
                                .lease(1)
                                .forEach(lease -> queue.store().acknowledge(lease.id()));
                    } else {
                        assertThat(queue.store().refusal()).as("%s", id).isNull();
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
        LogSettings segments = new LogSettings(256 << 10, 4, 0);
        StoreUnderTest queue = StoreUnderTest.open(folder, segments);
        try (queue) {
            byte[] octets = StoreUnderTest.octets(4, 20_000);
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                while (!enough.get()) {
                    queue.enqueue(octets);
                    queue.enqueue(octets);
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

    @Test
    void findsAFlippedBit() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder);
        byte[] octets = StoreUnderTest.octets(3, 50_000);
        QueueId id = queue.enqueue(octets);
        queue.reopen();
        queue.store().close();
        int flipped = 0;
        for (Path file : StoreUnderTest.sizes(folder).keySet()) {
            byte[] found = Files.readAllBytes(file);
            for (int i = 0; i + octets.length <= found.length; i++) {
                if (Arrays.equals(found, i, i + 1000, octets, 0, 1000)) {
                    found[i + 500] ^= 1;
                    Files.write(file, found);
                    flipped++;
                }
            }
        }
        assertThat(flipped).as("copies of the content on the volumes").isPositive();
        assertThat(queue.check().problems())
                .anySatisfy(problem -> assertThat(problem).startsWith(id + ": extent 0"));
        try (QueueReader reader = QueueReader.open(queue.log(), queue.queue());
                InputStream in = reader.content(id).open()) {
            assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
        }
    }
}
