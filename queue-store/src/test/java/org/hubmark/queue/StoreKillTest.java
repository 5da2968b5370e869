package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * Proves that a process that is killed (SIGKILL) while it takes mail loses nothing for which it has
 * given a receipt: a child process writes each receipt to its standard output, is killed in the
 * middle, and the store is opened here.
 */
class StoreKillTest {
    private static final int ROUNDS = 3;
    private static final int CONTENT_BYTES = 20_000;

    @TempDir
    Path folder;

    @Test
    void keepsEveryReceipt() throws Exception {
        long seed = System.nanoTime();
        try {
            keepsEveryReceipt(new Random(seed));
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private void keepsEveryReceipt(Random random) throws Exception {
        Set<QueueId> promised = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            promised.addAll(killAfter(1 + random.nextInt(3000)));
            Set<QueueId> found = new HashSet<>();
            try (QueueStore store = QueueStore.open(configuration(folder))) {
                for (Lease lease : store.lease(Integer.MAX_VALUE)) {
                    found.add(lease.id());
                    try (InputStream in = lease.openContent()) {
                        assertThat(in.readAllBytes())
                                .isEqualTo(
                                        StoreUnderTest.octets(lease.id().value(), CONTENT_BYTES));
                    }
                }
            }
            assertThat(found).containsAll(promised);
            try (QueueReader reader =
                    QueueReader.open(folder.resolve("log"), folder.resolve("queue"))) {
                assertThat(reader.check().problems()).isEmpty();
            }
        }
    }

    private Set<QueueId> killAfter(int receipts) throws Exception {
        Process child = ChildJvm.of(List.of("-Xmx256m"), Child.class, folder)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Set<QueueId> promised = new HashSet<>();
        try (BufferedReader lines = child.inputReader()) {
            String line = lines.readLine();
            while (line != null) {
                // The last line may be cut off.
                if (line.length() == 13) {
                    promised.add(QueueId.parse(line));
                }
                if (promised.size() == receipts) {
                    // The handle's, since the process's own closes the stream that is being read.
                    child.toHandle().destroyForcibly();
                }
                line = lines.readLine();
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(promised).hasSizeGreaterThanOrEqualTo(receipts);
        return promised;
    }

    private static StoreConfiguration configuration(Path folder) {
        // Small, so that the kill also meets checkpoints.
        return new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                new Durability.Synced(),
                8 << 20,
                new Settings(Map.of("store.log.segment-size", "4MiB")),
                InstantSource.system());
    }

    /** Takes mail until it is killed. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            QueueStore store = QueueStore.open(configuration(Path.of(arguments[0])));
            ContentBudget budget = new ContentBudget(64 << 20);
            Semaphore slots = new Semaphore(32);
            Envelope envelope = new Envelope(
                    "from@example.org",
                    List.of("to@example.org"),
                    BodyType.SEVEN_BIT,
                    Instant.EPOCH,
                    "");
            while (!store.failure().isDone()) {
                slots.acquire();
                Content content =
                        Objects.requireNonNull(Content.open(store.nextId(), budget, CONTENT_BYTES));
                content.append(
                        StoreUnderTest.octets(content.id().value(), CONTENT_BYTES),
                        0,
                        CONTENT_BYTES);
                store.enqueue(envelope, content, receipt -> {
                    slots.release();
                    if (receipt instanceof Receipt.Queued queued) {
                        System.out.println(queued.id());
                    }
                });
            }
        }
    }
}
