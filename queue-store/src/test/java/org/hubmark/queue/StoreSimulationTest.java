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
import org.hubmark.core.StoreException;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;

/**
 * Proves that the whole store keeps its promise over power losses: random mail and settling on a log
 * of small segments, so that checkpoints and recycling happen all the time, on a volume that loses,
 * tears and reorders what was not synced and fails writes and syncs, and whose queue database has no room now
 * and then. After each crash the store is
 * opened again, everything promised must be there with its content, and both volumes must agree. A
 * failure names its seed.
 */
class StoreSimulationTest {
    private static final int LIVES = 4;
    private static final int AT_ONCE = 60;
    private static final Envelope ENVELOPE = new Envelope(
            "from@example.org",
            List.of("to@example.org"),
            BodyType.SEVEN_BIT,
            StoreUnderTest.START,
            "");
    private static final int STEPS_MAX = 120;

    /** Writes and flushes of the queue database that find no room, one after the other. */
    private static final int FULL_MAX = 30;

    private static final int SEGMENT_BYTES = 128 << 10;
    private static final long MEMTABLE_BYTES = 1 << 10;
    private static final List<Durability> CLASSES = List.of(
            new Durability.Synced(),
            new Durability.Synced(),
            new Durability.Periodic(Duration.ofMillis(1)),
            new Durability.None());

    @TempDir(factory = InMemoryFolder.class)
    Path folder;

    @Test
    void keepsItsPromise() {
        run(0, 24);
    }

    @Test
    @Tag("long")
    void keepsItsPromiseManyTimes() {
        run(24, 1000);
    }

    private void run(long from, long to) {
        // A history needs a processor and nothing else of the machine, so there is one on each.
        Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();
        long checkpoints = LongStream.range(from, to)
                .parallel()
                .map(seed -> run(seed, failures))
                .sum();
        // Not before all have ended: the folder goes then, and would go under the others.
        failures.stream().findFirst().ifPresent(failure -> {
            failures.stream().skip(1).forEach(failure::addSuppressed);
            throw failure;
        });
        // Without them the moves between the volumes would not have been tried.
        assertThat(checkpoints).isGreaterThan(to - from);
    }

    /** {@return the number of checkpoints} */
    private long run(long seed, Queue<AssertionError> failures) {
        Path home = folder.resolve("seed" + seed);
        try {
            long checkpoints = new History(home, seed).run();
            StoreUnderTest.delete(home);
            return checkpoints;
        } catch (IOException | RuntimeException | AssertionError e) {
            failures.add(new AssertionError("seed " + seed + ": " + e.getMessage(), e));
            return 0;
        }
    }

    /** One store, from its making over some crashes. */
    private static final class History {
        private final Path home;
        private final Random random;
        private final Durability durability;
        private final SimulatedLogVolume volume =
                new SimulatedLogVolume("segments", SEGMENT_BYTES, MEMTABLE_BYTES);
        private final SimulatedVolume segments = volume.volume();
        private final ContentBudget budget = new ContentBudget(64 << 20);

        /** What was handed over, by id: the seed of its content and its length. */
        private final Map<QueueId, int[]> offered = new TreeMap<>();

        private final Set<QueueId> promised = ConcurrentHashMap.newKeySet();
        private final List<CompletableFuture<Receipt>> answers = new ArrayList<>();
        private final Set<QueueId> settled = new HashSet<>();
        private final Set<QueueId> leased = new HashSet<>();
        private long nowMillis = StoreUnderTest.START.toEpochMilli();

        History(Path home, long seed) {
            this.home = home;
            this.random = new Random(seed);
            this.durability = CLASSES.get((int) (seed % CLASSES.size()));
        }

        long run() throws IOException {
            long checkpoints = 0;
            for (int life = 0; life < LIVES; life++) {
                QueueStore store = open();
                check(store);
                live(store);
                checkpoints += store.statistics().database().checkpoints();
                end(store);
                requireAgreement();
            }
            QueueStore store = open();
            check(store);
            store.close();
            requireAgreement();
            assertThat(budget.bytesUsed()).isZero();
            return checkpoints;
        }

        private QueueStore open() throws IOException {
            InstantSource clock = () -> Instant.ofEpochMilli(nowMillis);
            StoreConfiguration configuration = new StoreConfiguration(
                    home.resolve("log"),
                    home.resolve("queue"),
                    durability,
                    1 << 20,
                    new Settings(Map.of("store.free-space-min", "0B")),
                    clock);
            segments.shortenWrites(random.nextLong());
            try {
                return volume.openStore(configuration);
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("no room to open the queue");
                volume.turnOn(home.resolve("queue")).fill(0);
                return volume.openStore(configuration);
            }
        }

        private void end(QueueStore store) throws IOException {
            boolean unsyncedIsLost = false;
            switch (random.nextInt(4)) {
                case 0 -> {
                    closeInOrder(store);
                    leased.clear();
                    return;
                }
                case 1 -> kill();
                default -> {
                    volume.cutPower(random.nextLong());
                    unsyncedIsLost = !(durability instanceof Durability.Synced);
                }
            }
            // It finds its files gone; closing a broken store adds nothing to either volume.
            store.closeBroken(new IOException("the power is gone (simulated)"));
            awaitAnswers();
            if (unsyncedIsLost) {
                promised.clear();
            }
            leased.clear();
        }

        private void closeInOrder(QueueStore store) throws IOException {
            try {
                store.close();
            } catch (IOException e) {
                // The fault that waited for it; the log holds all the same.
                assertThat(e).hasMessageContaining("simulated");
            }
            awaitAnswers();
            kill();
        }

        private void kill() throws StoreException {
            segments.kill();
            contents().kill();
        }

        private SimulatedVolume contents() throws StoreException {
            return volume.turnOn(home.resolve("queue")).content();
        }

        private void live(QueueStore store) throws IOException {
            boolean inContents = random.nextInt(4) == 0;
            SimulatedVolume faulty = inContents ? contents() : segments;
            // The contents are written more rarely.
            int nth = 1 + random.nextInt(inContents ? 20 : 200);
            if (random.nextInt(3) == 0) {
                faulty.failSync(nth, random.nextLong());
            } else if (random.nextInt(3) == 0) {
                faulty.failWrite(nth, random.nextLong());
            }
            int steps = random.nextInt(STEPS_MAX);
            int fullAt = random.nextInt(2 * STEPS_MAX);
            for (int i = 0; i < steps; i++) {
                if (i == fullAt) {
                    volume.turnOn(home.resolve("queue")).fill(1 + random.nextInt(FULL_MAX));
                }
                int choice = random.nextInt(10);
                if (choice == 0 && random.nextInt(4) == 0) {
                    enqueueAtOnce(store);
                } else if (choice < 5) {
                    enqueue(store);
                } else if (choice < 9) {
                    settle(store);
                } else {
                    nowMillis += random.nextInt(5000);
                }
            }
        }

        /**
         * So much at a time that groups are written while others are synced. Not all of it is waited
         * for: the power may be cut meanwhile.
         */
        private void enqueueAtOnce(QueueStore store) {
            segments.delaySync(Duration.ofNanos(random.nextInt(2_000_000)));
            for (int i = 0; i < AT_ONCE; i++) {
                int lengthBytes = random.nextInt(i % 8 == 0 ? 30_000 : 6_000);
                int seed = random.nextInt();
                Content content =
                        Objects.requireNonNull(Content.open(store.nextId(), budget, lengthBytes));
                content.append(StoreUnderTest.octets(seed, lengthBytes), 0, lengthBytes);
                QueueId id = content.id();
                offered.put(id, new int[] {seed, lengthBytes});
                CompletableFuture<Receipt> answer = new CompletableFuture<>();
                answers.add(answer);
                store.enqueue(ENVELOPE, content, receipt -> {
                    if (receipt instanceof Receipt.Queued) {
                        promised.add(id);
                    }
                    answer.complete(receipt);
                });
            }
            if (random.nextBoolean()) {
                awaitAnswers();
            }
            segments.delaySync(Duration.ZERO);
        }

        private void awaitAnswers() {
            answers.forEach(CompletableFuture::join);
            answers.clear();
        }

        private void enqueue(QueueStore store) {
            int lengthBytes =
                    random.nextInt(8) == 0 ? random.nextInt(120_000) : random.nextInt(12_000);
            int seed = random.nextInt();
            Content content =
                    Objects.requireNonNull(Content.open(store.nextId(), budget, lengthBytes));
            byte[] octets = StoreUnderTest.octets(seed, lengthBytes);
            int storedBytes = random.nextInt(4) == 0 ? random.nextInt(lengthBytes + 1) : 0;
            offered.put(content.id(), new int[] {seed, lengthBytes});
            if (storedBytes > 0) {
                content.append(octets, 0, storedBytes);
                CompletableFuture<Boolean> taken = new CompletableFuture<>();
                store.storeExtent(content, refused -> taken.complete(refused.isEmpty()));
                if (!taken.join() || random.nextInt(5) == 0) {
                    settled.add(content.id());
                    store.abandon(content);
                    return;
                }
            }
            content.append(octets, storedBytes, lengthBytes - storedBytes);
            CompletableFuture<Receipt> answer = new CompletableFuture<>();
            QueueId id = content.id();
            store.enqueue(ENVELOPE, content, answer::complete);
            if (answer.join() instanceof Receipt.Queued) {
                promised.add(id);
            }
        }

        private void settle(QueueStore store) throws IOException {
            for (Lease lease : store.lease(1 + random.nextInt(3))) {
                leased.add(lease.id());
                if (random.nextInt(4) == 0) {
                    requireContent(lease);
                }
            }
            for (QueueId id : List.copyOf(leased)) {
                int choice = random.nextInt(9);
                if (choice < 3) {
                    settled.add(id);
                    store.acknowledge(id);
                } else if (choice == 3) {
                    store.defer(id, Instant.ofEpochMilli(nowMillis + 3000), "later");
                } else if (choice == 4) {
                    store.deadLetter(id, "dead");
                } else if (choice == 5) {
                    store.release(id);
                } else if (choice == 6) {
                    store.postpone(id, Instant.ofEpochMilli(nowMillis + 3000), "not yet");
                } else {
                    continue;
                }
                leased.remove(id);
            }
        }

        /** Everything promised and not settled is there, and nothing that nobody has sent. */
        private void check(QueueStore store) throws IOException {
            Set<QueueId> missing = new HashSet<>(promised);
            missing.removeAll(settled);
            missing.removeIf(id -> store.find(id).isPresent());
            assertThat(missing)
                    .as("promised, not settled, gone (%s)", durability)
                    .isEmpty();
            nowMillis += 10_000;
            long seen = 0;
            for (Lease lease : store.lease(Integer.MAX_VALUE)) {
                requireContent(lease);
                store.release(lease.id());
                seen++;
            }
            StoreStatistics statistics = store.statistics();
            assertThat(seen + statistics.length().deadMessages())
                    .isEqualTo(statistics.length().messages());
        }

        private void requireContent(Lease lease) throws IOException {
            int[] content = offered.get(lease.id());
            assertThat(content).as("%s was handed over", lease.id()).isNotNull();
            try (InputStream in = lease.openContent()) {
                byte[] octets =
                        StoreUnderTest.octets(Objects.requireNonNull(content)[0], content[1]);
                assertThat(in.readAllBytes()).isEqualTo(octets);
            }
        }

        private void requireAgreement() throws IOException {
            StoreIdentity identity =
                    StoreIdentity.require(home.resolve("log"), home.resolve("queue"));
            try (QueueReader reader = QueueReader.open(new QueueReader.Source(
                    identity, segments, contents(), home.resolve("queue")))) {
                assertThat(new QueueCheck(reader).run().problems()).isEmpty();
            }
        }
    }
}
