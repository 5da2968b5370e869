package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.DirectoryVolume;
import org.hubmark.queue.log.Volume;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Proves that the memory of a store is bounded whatever the depth of its log: a process with a small
 * heap takes messages of 200 octets into a deep log, of which far fewer fill the heap than fit the
 * log, while the queue volume is slow; then it is killed and started again with the same heap, and
 * has everything that it had accepted. A process that ran out of memory would end.
 */
class IndexMemoryTest {
    private static final int CONTENT_BYTES = 200;

    /** What a checkpoint waits for on the slow queue volume. */
    private static final long CHECKPOINT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @TempDir
    Path folder;

    @Test
    void aSmallHeapHoldsForAWhile() throws Exception {
        // An index without a bound fills such a heap with some 200,000 messages.
        run("-Xmx48m", 300_000, 300_000, Duration.ofSeconds(90));
    }

    @Test
    @Tag("long")
    void theHeapOfASmallMachineHolds() throws Exception {
        run(
                "-Xmx256m",
                1_000_000,
                Long.MAX_VALUE,
                Duration.ofSeconds(Long.getLong("hubmark.test.seconds", 600)));
    }

    /** Takes mail until there are so many messages, or the time is over. */
    private void run(String heap, long messagesMin, long messagesMax, Duration timeMax)
            throws Exception {
        long accepted = child(heap, "fill", messagesMax, timeMax.toSeconds());
        assertThat(accepted).as("enough to fill the heap").isGreaterThanOrEqualTo(messagesMin);
        assertThat(child(heap, "count")).isGreaterThanOrEqualTo(accepted);
    }

    /** {@return the last number that the process printed} */
    private long child(String heap, String what, Object... limits) throws Exception {
        List<String> options = List.of(heap, "-XX:+ExitOnOutOfMemoryError");
        List<Object> arguments = new ArrayList<>(List.of(what, folder));
        arguments.addAll(List.of(limits));
        Process child = ChildJvm.of(options, Child.class, arguments.toArray())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long last = -1;
        boolean ended = false;
        try (BufferedReader lines = child.inputReader()) {
            String line = lines.readLine();
            while (line != null && !ended) {
                ended = line.equals("end");
                if (!ended) {
                    // A process that ends for want of memory says so here.
                    assertThat(line).as("said by the process with %s", heap).matches("\\d+");
                    last = Long.parseLong(line);
                }
                line = ended ? null : lines.readLine();
            }
            assertThat(ended).as("it came to its end, with %s", heap).isTrue();
        } finally {
            child.destroyForcibly().waitFor();
        }
        return last;
    }

    /** Takes mail until it is enough and waits to be killed, or counts what there is. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[1]);
            if (arguments[0].equals("fill")) {
                fill(folder, Long.parseLong(arguments[2]), Long.parseLong(arguments[3]));
            } else {
                count(folder);
            }
        }

        private static void fill(Path folder, long messages, long seconds) throws Exception {
            QueueStore store = open(folder, CHECKPOINT_NANOS);
            ContentBudget budget = new ContentBudget(16 << 20);
            Semaphore slots = new Semaphore(512);
            AtomicLong accepted = new AtomicLong();
            Envelope envelope = new Envelope(
                    "from@example.org",
                    List.of("to@example.org"),
                    BodyType.SEVEN_BIT,
                    StoreUnderTest.START,
                    "[192.0.2.1]");
            byte[] octets = new byte[CONTENT_BYTES];
            long startNanos = System.nanoTime();
            while (accepted.get() < messages
                    && System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(seconds)
                    && !store.failure().isDone()) {
                if (!slots.tryAcquire(100, TimeUnit.MILLISECONDS)) {
                    continue;
                }
                Content content = Content.open(store.nextId(), budget, CONTENT_BYTES);
                if (content == null) {
                    slots.release();
                    continue;
                }
                content.append(octets, 0, octets.length);
                store.enqueue(envelope, content, receipt -> {
                    slots.release();
                    if (receipt instanceof Receipt.Queued) {
                        accepted.incrementAndGet();
                    }
                });
            }
            System.out.println(accepted.get());
            System.out.println(store.failure().isDone() ? "failed" : "end");
            // Until it is killed: what is in the log is replayed then.
            store.failure().join();
        }

        private static void count(Path folder) throws IOException {
            try (QueueStore store = open(folder, 0)) {
                System.out.println(store.statistics().length().messages());
                for (Lease lease : store.lease(100)) {
                    lease.openContent().close();
                }
                System.out.println("end");
            }
        }

        private static QueueStore open(Path folder, long checkpointNanos) throws StoreException {
            StoreStart.Segments volumes = new StoreStart.Segments() {
                @Override
                public Volume open(Path logVolume) throws IOException {
                    return new DirectoryVolume(logVolume.resolve(StoreStart.SEGMENTS_FOLDER));
                }

                @Override
                public FreeSpace.Gauge queueFree(Path queueVolume) throws IOException {
                    FileStore queue = Files.getFileStore(queueVolume);
                    return () -> {
                        if (Thread.currentThread().getName().equals("checkpointer")) {
                            LockSupport.parkNanos(checkpointNanos);
                        }
                        return queue.getUsableSpace();
                    };
                }
            };
            return QueueStore.open(
                    new StoreConfiguration(
                            folder.resolve("log"),
                            folder.resolve("queue"),
                            new Durability.None(),
                            1L << 30,
                            Settings.defaults(),
                            InstantSource.system()),
                    new LogSettings(16 << 20, 64, 64 << 20),
                    volumes);
        }
    }
}
