package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Durability;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.Settings;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.log.VolumeFile;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Proves what a log volume without room does to mail: it is refused while there is no segment, taken
 * again by itself when there is room, and a log that can't grow to its depth goes on in what it has,
 * by moving mail to the queue database earlier. A queue volume that fills up does the same. The log
 * is on a simulated volume with a limit, and the test says how much of the queue volume is free.
 */
class StoreRoomTest {
    private static final int SEGMENT_BYTES = 128 << 10;
    private static final LogSettings LOG = new LogSettings(SEGMENT_BYTES, 8, 0);

    @TempDir
    Path folder;

    private final SimulatedVolume segments = new SimulatedVolume("segments");
    private final ContentBudget budget = new ContentBudget(64 << 20);

    @Test
    void refusesWithoutASegmentAndRecovers() throws IOException {
        segments.limit(0);
        try (QueueStore store = open()) {
            assertThat(enqueue(store, 1000))
                    .isInstanceOfSatisfying(
                            Receipt.Refused.class,
                            refused -> assertThat(refused.reason())
                                    .isEqualTo(Receipt.Reason.STORAGE_FULL));
            assertThat(store.statistics().arrivals().refusedFull()).isPositive();
            segments.limit(Long.MAX_VALUE);
            while (store.refusal() != null) {
                Thread.onSpinWait();
            }
            assertThat(enqueue(store, 1000)).isInstanceOf(Receipt.Queued.class);
        }
    }

    @Test
    void aFullQueueVolumeRefusesMailUntilThereIsRoom() throws IOException {
        long reserve = 10 << 20;
        AtomicLong free = new AtomicLong(reserve + 3 * SEGMENT_BYTES);
        StoreStart.Segments volumes = new StoreStart.Segments() {
            @Override
            public Volume open(Path logVolume) {
                return segments;
            }

            @Override
            public FreeSpace.Gauge queueFree(Path queueVolume) {
                return free::get;
            }
        };
        try (QueueStore store = QueueStore.open(
                configuration(), new LogSettings(SEGMENT_BYTES, 8, reserve), volumes)) {
            // What the log holds may have to be moved, so it counts before it is.
            int accepted = 0;
            Receipt receipt = enqueue(store, 10_000);
            while (receipt instanceof Receipt.Queued) {
                accepted++;
                assertThat(accepted).isLessThan(1000);
                receipt = enqueue(store, 10_000);
            }
            assertThat(((Receipt.Refused) receipt).reason()).isEqualTo(Receipt.Reason.STORAGE_FULL);
            assertThat(((Receipt.Refused) receipt).detail()).contains("queue volume");
            assertThat(store.queueFreePercent()).isBetween(90L, 99L);
            List<Lease> leases = store.lease(accepted);
            assertThat(leases).hasSize(accepted);
            leases.forEach(lease -> store.acknowledge(lease.id()));
            while (store.refusal() != null) {
                Thread.onSpinWait();
            }
            assertThat(enqueue(store, 10_000)).isInstanceOf(Receipt.Queued.class);

            free.set(reserve - 1);
            while (store.refusal() == null) {
                Thread.onSpinWait();
            }
            free.set(1L << 40);
            while (store.refusal() != null) {
                Thread.onSpinWait();
            }
            assertThat(store.queueFreePercent()).isGreaterThan(1_000_000);
            assertThat(enqueue(store, 10_000)).isInstanceOf(Receipt.Queued.class);
        }
    }

    @Test
    @Timeout(120)
    void aHubWithBothVolumesFullFreesItselfAsMailLeaves() throws IOException {
        segments.limit(4 * SEGMENT_BYTES);
        // Envelopes that weigh more than content.
        List<String> recipients = Collections.nCopies(100, "a.long.recipient@example.org");
        String reason = "x".repeat(4000);
        try (QueueStore store = QueueStore.open(configuration(), LOG, withoutQueueRoom())) {
            int accepted = 0;
            while (enqueue(store, 100, recipients) instanceof Receipt.Queued) {
                accepted++;
            }
            assertThat(accepted).isGreaterThan(30);
            // Deferrals one by one, a page and more each, of many times what is left.
            for (int round = 0; round < 3 * SEGMENT_BYTES / 4096; round++) {
                for (Lease lease : store.lease(1)) {
                    store.defer(lease.id(), StoreUnderTest.START, reason);
                    assertThat(store.find(lease.id())).isPresent();
                }
            }
            List<Lease> leases = store.lease(accepted);
            assertThat(leases).isNotEmpty();
            for (Lease lease : leases) {
                store.acknowledge(lease.id());
                assertThat(store.find(lease.id())).isEmpty();
            }
            // Those whose deferral waited for room come back when it was written.
            while (store.statistics().length().messages() > 0) {
                store.lease(accepted).forEach(lease -> store.acknowledge(lease.id()));
            }
            // The gate may open before the last segment is free.
            while (enqueue(store, 100, recipients) instanceof Receipt.Refused) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    @Timeout(120)
    void aLogAtItsBoundGivesUpOnRoomThatNeverComes() throws Exception {
        String reason = "x".repeat(4000);
        try (QueueStore store = QueueStore.open(configuration(), LOG, withoutQueueRoom())) {
            int accepted = 0;
            while (enqueue(store, 10_000) instanceof Receipt.Queued) {
                accepted++;
            }
            List<Lease> leases = store.lease(accepted);
            QueueId first = leases.getFirst().id();
            store.release(first);
            // Many times what is left, handed over during one sync, so that they are one group.
            segments.delaySync(Duration.ofSeconds(1));
            long syncs = segments.syncs();
            CompletableFuture<OperatorResult> deleted = CompletableFuture.supplyAsync(
                    () -> store.operate(first, OperatorAction.DELETE));
            while (segments.syncs() == syncs) {
                Thread.onSpinWait();
            }
            for (Lease lease : leases.subList(1, leases.size())) {
                store.defer(lease.id(), StoreUnderTest.START, reason);
            }
            segments.delaySync(Duration.ZERO);
            assertThat(deleted).succeedsWithin(Duration.ofSeconds(60));
            while (store.statistics().length().messages() > 0) {
                store.lease(accepted).forEach(lease -> store.acknowledge(lease.id()));
            }
            assertThat(store.failure()).isNotDone();
        }
    }

    @Test
    @Timeout(120)
    void aDeletionIsDurableWhenItIsAnsweredAlsoWhereRoomIsShort() throws Exception {
        segments.limit(4 * SEGMENT_BYTES);
        List<String> recipients = Collections.nCopies(100, "a.long.recipient@example.org");
        String reason = "x".repeat(4000);
        QueueStore store = QueueStore.open(configuration(), LOG, withoutQueueRoom());
        int accepted = 0;
        while (enqueue(store, 100, recipients) instanceof Receipt.Queued) {
            accepted++;
        }
        for (int round = 0; round < 3 * SEGMENT_BYTES / 4096; round++) {
            for (Lease lease : store.lease(1)) {
                store.defer(lease.id(), StoreUnderTest.START, reason);
                assertThat(store.find(lease.id())).isPresent();
            }
        }
        QueueId leased = store.lease(1).getFirst().id();
        store.acknowledge(leased);
        QueueId deleted = store.lease(1).getFirst().id();
        store.release(deleted);
        assertThat(store.operate(deleted, OperatorAction.DELETE)).isEqualTo(OperatorResult.DONE);
        segments.crash(3);
        store.closeBroken(new IOException("the power is gone"));
        segments.limit(Long.MAX_VALUE);
        try (QueueStore again = open()) {
            assertThat(again.find(deleted)).isEmpty();
            assertThat(again.statistics().length().messages()).isGreaterThanOrEqualTo(accepted - 2);
        }
    }

    @Test
    void anEnvelopeThatNeverFitsIsRefusedForGood() throws Exception {
        String longest = "a".repeat(Envelope.PATH_OCTETS_MAX - 12) + "@example.org";
        LogSettings log = new LogSettings(4 << 20, 4, 0);
        try (QueueStore store = QueueStore.open(configuration(), log, path -> segments)) {
            assertThat(enqueue(
                            store,
                            100,
                            Collections.nCopies(Envelope.FORWARD_PATHS_TAKEN_MAX, longest)))
                    .isInstanceOf(Receipt.Queued.class);
            Receipt refused =
                    enqueue(store, 100, Collections.nCopies(Envelope.FORWARD_PATHS_MAX, longest));
            assertThat(((Receipt.Refused) refused).reason())
                    .isEqualTo(Receipt.Reason.ENVELOPE_TOO_LARGE);
        }
    }

    /** The segments, and a queue volume that nothing can be moved to. */
    private StoreStart.Segments withoutQueueRoom() {
        return new StoreStart.Segments() {
            @Override
            public Volume open(Path logVolume) {
                return segments;
            }

            @Override
            public FreeSpace.Gauge queueFree(Path queueVolume) {
                return () -> Thread.currentThread().getName().equals("checkpointer")
                        ? 0
                        : Long.MAX_VALUE;
            }
        };
    }

    @Test
    @Timeout(120)
    void mailWhoseSegmentCanNotBeMadeAfterAllIsRefused() throws Exception {
        CountDownLatch full = new CountDownLatch(1);
        Volume fillsUp = new LateFullVolume(segments, 3, full);
        StoreStart.Segments volumes = new StoreStart.Segments() {
            @Override
            public Volume open(Path logVolume) {
                return fillsUp;
            }

            @Override
            public FreeSpace.Gauge queueFree(Path queueVolume) {
                return () -> Thread.currentThread().getName().equals("checkpointer")
                        ? 0
                        : Long.MAX_VALUE;
            }
        };
        try (QueueStore store = QueueStore.open(configuration(), LOG, volumes)) {
            // More than three segments take, while a fourth seems to come.
            List<CompletableFuture<Receipt>> answers = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                answers.add(offer(store, 10_000, List.of("to@example.org")));
            }
            while (!committerAwaitsASegment()) {
                Thread.onSpinWait();
            }
            full.countDown();
            int accepted = 0;
            for (CompletableFuture<Receipt> answer : answers) {
                switch (answer.get(60, TimeUnit.SECONDS)) {
                    case Receipt.Queued queued -> accepted++;
                    case Receipt.Refused refused ->
                        assertThat(refused.reason()).isEqualTo(Receipt.Reason.STORAGE_FULL);
                }
            }
            assertThat(accepted).isBetween(20, 45);
            assertThat(store.statistics().length().messages()).isEqualTo(accepted);
            while (store.statistics().length().messages() > 0) {
                store.lease(accepted).forEach(lease -> store.acknowledge(lease.id()));
            }
        }
    }

    private static boolean committerAwaitsASegment() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("committer"))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals("awaitSpare"));
    }

    /**
     * A volume that has room for so many segments and finds that out late.
     *
     * @param full until when it tries to make another
     */
    private record LateFullVolume(SimulatedVolume volume, int segmentsMax, CountDownLatch full)
            implements Volume {
        @Override
        public VolumeFile create(String name) throws IOException {
            if (name.startsWith("segment-") && volume.list().size() >= segmentsMax) {
                try {
                    full.await();
                } catch (InterruptedException e) {
                    throw new IOException("interrupted", e);
                }
                volume.limit((long) segmentsMax * SEGMENT_BYTES);
            }
            return volume.create(name);
        }

        @Override
        public List<String> list() throws IOException {
            return volume.list();
        }

        @Override
        public VolumeFile open(String name) throws IOException {
            return volume.open(name);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            volume.rename(from, to);
        }

        @Override
        public void delete(String name) throws IOException {
            volume.delete(name);
        }

        @Override
        public void syncNames() throws IOException {
            volume.syncNames();
        }

        @Override
        public long freeBytes() throws IOException {
            return volume.freeBytes();
        }

        @Override
        public String describe(String name) {
            return volume.describe(name);
        }
    }

    @Test
    void goesOnInTheSegmentsThatItHas() throws IOException {
        segments.limit(3 * SEGMENT_BYTES);
        int messages = 200;
        try (QueueStore store = open()) {
            for (int accepted = 0; accepted < messages; ) {
                Receipt receipt = enqueue(store, 10_000);
                if (receipt instanceof Receipt.Queued) {
                    accepted++;
                } else {
                    assertThat(((Receipt.Refused) receipt).reason())
                            .isEqualTo(Receipt.Reason.STORAGE_FULL);
                }
            }
            assertThat(store.statistics().database().checkpoints()).isPositive();
            assertThat(store.statistics().length().messages()).isEqualTo(messages);
            List<Lease> leases = store.lease(messages);
            assertThat(leases).hasSize(messages);
            for (Lease lease : leases) {
                try (InputStream content = lease.openContent()) {
                    assertThat(content.readAllBytes()).hasSize(10_000);
                }
                store.acknowledge(lease.id());
            }
            assertThat(store.find(leases.getLast().id())).isEmpty();
            assertThat(store.statistics().length().messages()).isZero();
        }
        assertThat(segments.list()).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void aShortQueueNeverTouchesTheQueueDatabase() throws IOException {
        try (QueueStore store = open()) {
            for (int i = 0; i < 500; i++) {
                assertThat(enqueue(store, 10_000)).isInstanceOf(Receipt.Queued.class);
                for (Lease lease : store.lease(10)) {
                    store.acknowledge(lease.id());
                }
            }
            StoreStatistics statistics = store.statistics();
            assertThat(statistics.database().bytesWritten()).isZero();
            assertThat(statistics.database().checkpoints()).isZero();
        }
        // 500 x 10 KB is forty segments' worth; used over and over.
        assertThat(segments.list()).hasSizeLessThanOrEqualTo(13);
    }

    /**
     * RocksDB finds no room for a write or a flush, at whatever moment: nothing of the store ends, and what was
     * acknowledged, deferred and removed meanwhile is so afterwards, also where the store was closed before
     * there was room.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(60)
    void aQueueDatabaseWithoutRoomBlocksAndEndsNothing(boolean closedBeforeThereIsRoom)
            throws Exception {
        SimulatedLogVolume volume =
                new SimulatedLogVolume("segments", SEGMENT_BYTES, Long.MAX_VALUE);
        StoreConfiguration configuration = configuration(Map.of("store.free-space-min", "0B"));
        int moved = 60;
        List<QueueId> deferred = new ArrayList<>();
        List<QueueId> gone = new ArrayList<>();
        QueueStore store = volume.openStore(configuration);
        for (int i = 0; i < moved; i++) {
            assertThat(enqueue(store, 10_000)).isInstanceOf(Receipt.Queued.class);
        }
        List<Lease> leases = store.lease(moved);
        SimulatedDatabase database = volume.turnOn(folder.resolve("queue"));
        database.fill(Long.MAX_VALUE);
        List<RecipientResult> results = List.of(RecipientResult.pending("451 later"));
        for (Lease lease : leases) {
            if (deferred.size() > gone.size()) {
                gone.add(lease.id());
                store.acknowledge(lease.id());
            } else {
                deferred.add(lease.id());
                store.defer(lease.id(), Instant.now(), "later", results);
            }
        }
        // What comes now has no room in the end, and is told so for a time.
        int accepted = 0;
        Receipt receipt = enqueue(store, 10_000);
        while (receipt instanceof Receipt.Queued) {
            accepted++;
            receipt = enqueue(store, 10_000);
        }
        assertThat(((Receipt.Refused) receipt).reason()).isEqualTo(Receipt.Reason.STORAGE_FULL);
        assertThat(((Receipt.Refused) receipt).detail()).contains("queue volume");
        while (store.queueFreePercent() > 0) {
            // It is looked at ten times a second.
            Thread.onSpinWait();
        }
        requireStates(store, deferred, gone);
        assertThat(store.lease(moved + accepted)).isNotEmpty();
        if (!closedBeforeThereIsRoom) {
            database.fill(0);
            while (store.refusal() != null) {
                Thread.onSpinWait();
            }
            assertThat(enqueue(store, 10_000)).isInstanceOf(Receipt.Queued.class);
            accepted++;
            requireStates(store, deferred, gone);
        }
        assertThat(store.failure()).isNotDone();
        store.close();
        database.fill(0);
        try (QueueStore again = volume.openStore(configuration)) {
            requireStates(again, deferred, gone);
            int found = 0;
            for (Lease lease : again.lease(moved + accepted)) {
                assertThat(StoreUnderTest.read(lease)).hasSize(10_000);
                found++;
            }
            assertThat(found).isEqualTo(deferred.size() + accepted);
        }
    }

    /**
     * One of two recipients has the message. Also where the log has no room for a record that says so he isn't
     * sent it again, and the record is written when there is room, at the latest when the store is closed.
     */
    @Test
    @Timeout(60)
    void aPartialResultIsKeptWhileTheLogIsFull() throws Exception {
        AtomicLong nowMillis = new AtomicLong(StoreUnderTest.START.toEpochMilli());
        StoreConfiguration configuration = new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                new Durability.Synced(),
                1 << 20,
                new Settings(Map.of()),
                () -> Instant.ofEpochMilli(nowMillis.get()));
        List<RecipientResult> results =
                List.of(RecipientResult.DELIVERED, RecipientResult.pending("450 two is busy"));
        QueueStore store = QueueStore.open(configuration, LOG, withoutQueueRoom());
        int accepted = 0;
        while (enqueue(store, 10_000, List.of("one@example.org", "two@example.org"))
                instanceof Receipt.Queued) {
            accepted++;
        }
        QueueId partial = store.lease(1).getFirst().id();
        for (int round = 0; round < 20; round++) {
            for (Lease lease : store.lease(accepted)) {
                store.defer(lease.id(), StoreUnderTest.START, "x".repeat(4000));
            }
            // What was handed over before is settled then.
            assertThat(store.find(partial)).isPresent();
        }
        store.defer(partial, StoreUnderTest.START.plusSeconds(1), "two is busy", results);
        assertThat(store.find(partial).orElseThrow().results()).isEqualTo(results);
        nowMillis.addAndGet(2000);
        Lease again = store.lease(accepted).stream()
                .filter(lease -> lease.id().equals(partial))
                .findAny()
                .orElseThrow();
        assertThat(again.results()).isEqualTo(results);
        store.close();
        try (QueueStore next = open()) {
            assertThat(next.find(partial).orElseThrow().results()).isEqualTo(results);
            assertThat(next.statistics().length().messages()).isEqualTo(accepted);
        }
    }

    private static void requireStates(
            QueueStore store, List<QueueId> deferred, List<QueueId> gone) {
        for (QueueId id : deferred) {
            QueuedMessage message = store.find(id).orElseThrow();
            assertThat(message.state()).isEqualTo(QueuedMessage.State.DEFERRED);
            assertThat(message.results()).hasSize(1);
        }
        for (QueueId id : gone) {
            assertThat(store.find(id)).isEmpty();
        }
    }

    private QueueStore open() throws IOException {
        return QueueStore.open(configuration(), LOG, path -> segments);
    }

    private StoreConfiguration configuration() {
        return configuration(Map.of());
    }

    private StoreConfiguration configuration(Map<String, String> settings) {
        return new StoreConfiguration(
                folder.resolve("log"),
                folder.resolve("queue"),
                new Durability.Synced(),
                1 << 20,
                new Settings(settings),
                InstantSource.system());
    }

    private Receipt enqueue(QueueStore store, int lengthBytes) {
        return enqueue(store, lengthBytes, List.of("to@example.org"));
    }

    private Receipt enqueue(QueueStore store, int lengthBytes, List<String> recipients) {
        return offer(store, lengthBytes, recipients).join();
    }

    private CompletableFuture<Receipt> offer(
            QueueStore store, int lengthBytes, List<String> recipients) {
        Content content = Objects.requireNonNull(Content.open(store.nextId(), budget, lengthBytes));
        content.append(new byte[lengthBytes], 0, lengthBytes);
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        Envelope envelope = new Envelope(
                "from@example.org", recipients, BodyType.SEVEN_BIT, StoreUnderTest.START, "");
        store.enqueue(envelope, content, answer::complete);
        return answer;
    }
}
