package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Content;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Proves that a recovered store cannot differ from the one that crashed: after every commit of a
 * random history (mail whole and in extents, given up and refused, settled in every way, changed by an
 * operator, moved by checkpoints, over restarts) what a start would read from both volumes at that
 * moment is compared with the running store, message by message, and the order in which they are
 * due. Segments are small, so checkpoints happen all the time. A failure names the seed.
 */
class RecoveryModelTest {
    private static final LogSettings LOG = new LogSettings(128 << 10, 3, 0);
    private static final int STEPS = 200;
    /** So that the list of a message's extents is shorter than a segment, as it is with real ones. */
    private static final int EXTENT_BYTES_MIN = 64;

    private static final Duration FAR = Duration.ofDays(1000);

    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void recoversWhatIsRunning() {
        long first = Long.getLong("hubmark.seed", System.nanoTime());
        // Both at once: each waits for syncs and for the database half of the time.
        LongStream.of(first, first + 1).parallel().forEach(this::run);
    }

    @Test
    @Tag("long")
    void recoversWhatIsRunningForManySeeds() {
        LongStream.range(0, 40).forEach(this::run);
    }

    private void run(long seed) {
        Path home = folder.resolve("seed" + seed);
        try {
            run(home, seed);
            StoreUnderTest.delete(home);
        } catch (AssertionError | IOException | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private static void run(Path home, long seed) throws IOException {
        try (StoreUnderTest queue = StoreUnderTest.open(home, LOG)) {
            History history = new History(queue, seed);
            for (int step = 0; step < STEPS; step++) {
                history.step();
                history.compare();
            }
            assertThat(history.checkpoints()).isGreaterThan(3);
        }
    }

    /** Random changes to one store. */
    private static final class History {
        private final StoreUnderTest queue;
        private final RandomGenerator random;
        private final TreeMap<QueueId, byte[]> contents = new TreeMap<>();
        private final TreeSet<QueueId> leased = new TreeSet<>();
        private long checkpointsBefore;

        History(StoreUnderTest queue, long seed) {
            this.queue = queue;
            this.random = new Random(seed);
        }

        long checkpoints() {
            return checkpointsBefore + queue.store().statistics().database().checkpoints();
        }

        void step() throws IOException {
            int choice = random.nextInt(20);
            if (choice < 8) {
                enqueue();
            } else if (choice < 11) {
                queue.store().lease(1 + random.nextInt(4)).forEach(lease -> leased.add(lease.id()));
            } else if (choice < 15) {
                settle();
            } else if (choice < 17) {
                operate();
            } else if (choice == 17) {
                giveUp();
            } else if (choice == 18) {
                queue.step(Duration.ofMillis(random.nextLong(-2_000, 10_000)));
            } else if (random.nextInt(3) == 0) {
                checkpointsBefore = checkpoints();
                queue.reopen();
                leased.clear();
            }
        }

        private void enqueue() {
            byte[] octets = StoreUnderTest.octets(random.nextLong(), random.nextInt(60_000));
            QueueId id = random.nextBoolean()
                    ? queue.enqueue(octets)
                    : queue.enqueueInExtents(octets, EXTENT_BYTES_MIN + random.nextInt(60_000));
            contents.put(id, octets);
        }

        private void settle() {
            if (leased.isEmpty()) {
                return;
            }
            QueueId id = any(leased);
            leased.remove(id);
            switch (random.nextInt(8)) {
                case 0, 1 -> queue.store().acknowledge(id);
                case 2, 3 -> {
                    Instant dueAt = queue.now().plusMillis(random.nextLong(-1_000, 20_000));
                    queue.store().defer(id, dueAt, "deferred");
                }
                case 4 -> queue.store().deadLetter(id, "died");
                case 5 -> queue.store().setAside(id, "can't be read");
                case 6 ->
                    queue.store().postpone(id, queue.now().plusMillis(3_000), "nobody was asked");
                default -> queue.store().release(id);
            }
        }

        private void operate() {
            if (contents.isEmpty()) {
                return;
            }
            QueueId id = any(contents.keySet());
            if (random.nextInt(5) == 0) {
                queue.store().operate(id, OperatorAction.DELETE);
            } else if (random.nextBoolean()) {
                queue.store().retry(id);
                queue.store().releaseSetAside(id);
            } else if (!leased.contains(id)) {
                queue.store().deadLetter(id, "by the operator");
            }
        }

        /** Mail that doesn't come to its end: given up, refused, or its peer still sends. */
        private void giveUp() {
            Content content = queue.content(new byte[random.nextInt(1, 50_000)]);
            assertThat(queue.storeExtent(content)).isEmpty();
            switch (random.nextInt(3)) {
                case 0 -> queue.store().abandon(content);
                case 1 -> content.close();
                default -> {
                    List<String> tooMany =
                            Collections.nCopies(30_000, "a".repeat(60) + "@example.org");
                    assertThat(StoreUnderTest.refused(queue.offer(content, tooMany)))
                            .isEqualTo(Receipt.Reason.ENVELOPE_TOO_LARGE);
                }
            }
        }

        void compare() throws IOException {
            // Waits until everything before it is committed.
            queue.store().find(new QueueId(0));
            TreeMap<QueueId, QueuedMessage> recovered = new TreeMap<>();
            try (QueueReader reader = QueueReader.open(queue.log(), queue.queue())) {
                reader.forEach(message -> recovered.put(message.id(), message));
                for (QueuedMessage message : recovered.values()) {
                    assertThat(queue.store().find(message.id())).contains(message);
                }
                if (!recovered.isEmpty()) {
                    QueueId id = any(recovered.keySet());
                    try (InputStream in = reader.content(id).open()) {
                        assertThat(in.readAllBytes()).isEqualTo(contents.get(id));
                    }
                }
            }
            contents.keySet().retainAll(recovered.keySet());
            compareTotals(List.copyOf(recovered.values()));
            if (random.nextInt(8) == 0) {
                compareSchedule(List.copyOf(recovered.values()));
            }
        }

        private void compareTotals(List<QueuedMessage> recovered) {
            StoreStatistics length = queue.store().statistics();
            assertThat(length.length().messages()).isEqualTo(recovered.size());
            assertThat(length.length().bytes())
                    .isEqualTo(recovered.stream()
                            .mapToLong(QueuedMessage::sizeBytes)
                            .sum());
            List<QueuedMessage> dead = recovered.stream()
                    .filter(message -> message.state().isDead())
                    .toList();
            assertThat(length.length().deadMessages()).isEqualTo(dead.size());
            assertThat(length.length().deadBytes())
                    .isEqualTo(dead.stream().mapToLong(QueuedMessage::sizeBytes).sum());
            assertThat(length.length().damagedMessages())
                    .isEqualTo(count(recovered, QueuedMessage.State.DAMAGED));
        }

        private static long count(List<QueuedMessage> messages, QueuedMessage.State state) {
            return messages.stream().filter(message -> message.state() == state).count();
        }

        /** A start leases the same as the running store, but what is leased. */
        private void compareSchedule(List<QueuedMessage> recovered) throws IOException {
            List<QueueId> expected = recovered.stream()
                    .filter(message -> isScheduled(message) && !leased.contains(message.id()))
                    .map(QueuedMessage::id)
                    .toList();
            List<QueueId> found = new ArrayList<>();
            queue.step(FAR);
            for (Lease lease : queue.store().lease(Integer.MAX_VALUE)) {
                found.add(lease.id());
                assertThat(StoreUnderTest.read(lease)).isEqualTo(contents.get(lease.id()));
            }
            queue.step(FAR.negated());
            found.forEach(queue.store()::release);
            assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        }

        private static boolean isScheduled(QueuedMessage message) {
            return message.state() == QueuedMessage.State.QUEUED
                    || message.state() == QueuedMessage.State.DEFERRED;
        }

        private QueueId any(Set<QueueId> ids) {
            return List.copyOf(ids).get(random.nextInt(ids.size()));
        }
    }
}
