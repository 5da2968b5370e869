package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.hubmark.queue.log.Volume;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
@Timeout(120)
class StoreRoomTest {
    private static final int SEGMENT_BYTES = 128 << 10;

    /** Envelopes that weigh more than content. */
    private static final List<String> RECIPIENTS =
            Collections.nCopies(100, "a.long.recipient@example.org");

    /** Makes a deferral a page and more. */
    private static final String REASON = "x".repeat(4000);

    /** A queue volume that nothing can be moved to. */
    private static final FreeSpace.Gauge NO_MOVES =
            () -> Thread.currentThread().getName().equals("checkpointer") ? 0 : Long.MAX_VALUE;

    @TempDir
    Path folder;

    private final SimulatedVolume segments = new SimulatedVolume("segments");

    @Test
    void aFullQueueVolumeRefusesMailUntilThereIsRoom() throws IOException {
        long reserve = 10 << 20;
        AtomicLong free = new AtomicLong(reserve + 3 * SEGMENT_BYTES);
        try (StoreUnderTest queue = setup().log(new LogSettings(SEGMENT_BYTES, 8, reserve))
                .queueFree(free::get)
                .open()) {
            QueueStore store = queue.store();
            // What the log holds may have to be moved, so it counts before it is.
            int accepted = queue.fillUp(10_000, StoreUnderTest.TO);
            requireQueueVolumeFull(queue);
            assertThat(store.queueFreePercent()).isBetween(90L, 99L);
            List<Lease> leases = store.lease(accepted);
            assertThat(leases).hasSize(accepted);
            leases.forEach(lease -> store.acknowledge(lease.id()));
            queue.awaitRefusal(false);
            queue.enqueue(10_000);
            free.set(reserve - 1);
            queue.awaitRefusal(true);
            free.set(1L << 40);
            queue.awaitRefusal(false);
            assertThat(store.queueFreePercent()).isGreaterThan(1_000_000);
            queue.enqueue(10_000);
        }
    }

    private static void requireQueueVolumeFull(StoreUnderTest queue) {
        assertThat(queue.offer(10_000, StoreUnderTest.TO).join())
                .isInstanceOfSatisfying(Receipt.Refused.class, refused -> {
                    assertThat(refused.reason()).isEqualTo(Receipt.Reason.STORAGE_FULL);
                    assertThat(refused.detail()).contains("queue volume");
                });
    }

    @Test
    void aHubWithBothVolumesFullFreesItselfAsMailLeaves() throws IOException {
        segments.limit(4 * SEGMENT_BYTES);
        try (StoreUnderTest queue = setup().queueFree(NO_MOVES).open()) {
            int accepted = useAllRoom(queue);
            assertThat(accepted).isGreaterThan(30);
            QueueStore store = queue.store();
            List<QueueId> leases = StoreUnderTest.ids(store.lease(accepted));
            assertThat(leases).hasSizeGreaterThan(10);
            for (QueueId id : leases.subList(0, 5)) {
                store.acknowledge(id);
                assertThat(store.find(id)).isEmpty();
            }
            leases.forEach(store::acknowledge);
            assertThat(leases).allSatisfy(id -> assertThat(store.find(id)).isEmpty());
            // Those whose deferral waited for room come back when it was written.
            queue.drain();
            // The gate may open before the last segment is free.
            while (queue.offer(100, RECIPIENTS).join() instanceof Receipt.Refused) {
                Thread.onSpinWait();
            }
        }
    }

    /** Fills the log, and then defers one by one, of many times what is left. */
    private static int useAllRoom(StoreUnderTest queue) {
        int accepted = queue.fillUp(100, RECIPIENTS);
        for (int round = 0; round < 3 * SEGMENT_BYTES / 4096; round++) {
            for (Lease lease : queue.store().lease(1)) {
                queue.store().defer(lease.id(), StoreUnderTest.START, REASON);
                assertThat(queue.store().find(lease.id())).isPresent();
            }
        }
        return accepted;
    }

    @Test
    void aDeletionIsDurableWhenItIsAnsweredAlsoWhereRoomIsShort() throws Exception {
        segments.limit(4 * SEGMENT_BYTES);
        StoreUnderTest queue = setup().queueFree(NO_MOVES).open();
        int accepted = useAllRoom(queue);
        queue.store().acknowledge(queue.leaseOne().id());
        QueueId deleted = queue.leaseOne().id();
        queue.store().release(deleted);
        assertThat(queue.store().operate(deleted, OperatorAction.DELETE))
                .isEqualTo(OperatorResult.DONE);
        segments.crash(3);
        queue.kill();
        segments.limit(Long.MAX_VALUE);
        queue.openAgain();
        assertThat(queue.store().find(deleted)).isEmpty();
        assertThat(queue.length().messages()).isGreaterThanOrEqualTo(accepted - 2);
        queue.close();
    }

    @Test
    void aLogAtItsBoundGivesUpOnRoomThatNeverComes() throws Exception {
        try (StoreUnderTest queue = setup().queueFree(NO_MOVES).open()) {
            QueueStore store = queue.store();
            int accepted = queue.fillUp(10_000, StoreUnderTest.TO);
            List<QueueId> leased = StoreUnderTest.ids(store.lease(accepted));
            store.release(leased.getFirst());
            // Many times what is left, handed over during one sync, so that they are one group.
            segments.delaySync(Duration.ofSeconds(1));
            long syncs = segments.syncs();
            CompletableFuture<OperatorResult> deleted = CompletableFuture.supplyAsync(
                    () -> store.operate(leased.getFirst(), OperatorAction.DELETE));
            while (segments.syncs() == syncs) {
                Thread.onSpinWait();
            }
            for (QueueId id : leased.subList(1, leased.size())) {
                store.defer(id, StoreUnderTest.START, REASON);
            }
            segments.delaySync(Duration.ZERO);
            assertThat(deleted).succeedsWithin(Duration.ofSeconds(60));
            queue.drain();
            assertThat(store.failure()).isNotDone();
        }
    }

    @Test
    void anEnvelopeThatNeverFitsIsRefusedForGood() throws Exception {
        String longest = "a".repeat(Envelope.PATH_OCTETS_MAX - 12) + "@example.org";
        try (StoreUnderTest queue = setup().log(4 << 20, 4).open()) {
            StoreUnderTest.queued(queue.offer(
                    100, Collections.nCopies(Envelope.FORWARD_PATHS_TAKEN_MAX, longest)));
            assertThat(StoreUnderTest.refused(queue.offer(
                            100, Collections.nCopies(Envelope.FORWARD_PATHS_MAX, longest))))
                    .isEqualTo(Receipt.Reason.ENVELOPE_TOO_LARGE);
        }
    }

    @Test
    void mailWhoseSegmentCanNotBeMadeAfterAllIsRefused() throws Exception {
        CountDownLatch full = new CountDownLatch(1);
        try (StoreUnderTest queue =
                setup().segments(fillsUpLate(3, full)).queueFree(NO_MOVES).open()) {
            // More than three segments take, while a fourth seems to come.
            List<CompletableFuture<Receipt>> answers = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                answers.add(queue.offer(10_000, StoreUnderTest.TO));
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
            assertThat(queue.length().messages()).isEqualTo(accepted);
            queue.drain();
        }
    }

    private static boolean committerAwaitsASegment() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("committer"))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals("awaitSpare"));
    }

    /**
     * {@return the segments, with room for so many, which shows late}
     *
     * @param full until when it tries to make another
     */
    private Volume fillsUpLate(int segmentsMax, CountDownLatch full) {
        return (Volume) Proxy.newProxyInstance(
                Volume.class.getClassLoader(),
                new Class<?>[] {Volume.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("create")
                            && segments.list().size() >= segmentsMax) {
                        full.await();
                        segments.limit((long) segmentsMax * SEGMENT_BYTES);
                    }
                    try {
                        return method.invoke(segments, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void goesOnInTheSegmentsThatItHas() throws IOException {
        segments.limit(3 * SEGMENT_BYTES);
        int messages = 200;
        try (StoreUnderTest queue = setup().open()) {
            for (int accepted = 0; accepted < messages; ) {
                CompletableFuture<Receipt> answer = queue.offer(10_000, StoreUnderTest.TO);
                if (answer.join() instanceof Receipt.Queued) {
                    accepted++;
                } else {
                    assertThat(StoreUnderTest.refused(answer))
                            .isEqualTo(Receipt.Reason.STORAGE_FULL);
                }
            }
            assertThat(queue.store().statistics().database().checkpoints()).isPositive();
            assertThat(queue.length().messages()).isEqualTo(messages);
            for (Lease lease : queue.store().lease(messages)) {
                queue.requireContent(lease);
                queue.store().acknowledge(lease.id());
            }
            queue.awaitCommit();
            assertThat(queue.length().messages()).isZero();
        }
        assertThat(segments.list()).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void aShortQueueNeverTouchesTheQueueDatabase() throws IOException {
        try (StoreUnderTest queue = setup().open()) {
            for (int i = 0; i < 500; i++) {
                queue.enqueue(10_000);
                StoreUnderTest.ids(queue.store().lease(10)).forEach(queue.store()::acknowledge);
            }
            StoreStatistics.DatabaseWork database = queue.store().statistics().database();
            assertThat(database.bytesWritten()).isZero();
            assertThat(database.checkpoints()).isZero();
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
    void aQueueDatabaseWithoutRoomBlocksAndEndsNothing(boolean closedBeforeThereIsRoom)
            throws Exception {
        SimulatedLogVolume volume =
                new SimulatedLogVolume("segments", SEGMENT_BYTES, Long.MAX_VALUE);
        StoreUnderTest queue = StoreUnderTest.at(folder)
                .simulated(volume)
                .settings(Map.of("store.free-space-min", "0B"))
                .open();
        int moved = 60;
        for (int i = 0; i < moved; i++) {
            queue.enqueue(10_000);
        }
        List<QueueId> deferred = new ArrayList<>();
        List<QueueId> gone = new ArrayList<>();
        List<Lease> leases = queue.store().lease(moved);
        SimulatedDatabase database = volume.turnOn(queue.queue());
        database.fill(Long.MAX_VALUE);
        List<RecipientResult> results = List.of(RecipientResult.pending("451 later"));
        for (Lease lease : leases) {
            if (deferred.size() > gone.size()) {
                gone.add(lease.id());
                queue.store().acknowledge(lease.id());
            } else {
                deferred.add(lease.id());
                queue.store().defer(lease.id(), queue.now(), "later", results);
            }
        }
        // What comes now has no room in the end, and is told so for a time.
        int accepted = queue.fillUp(10_000, StoreUnderTest.TO);
        requireQueueVolumeFull(queue);
        while (queue.store().queueFreePercent() > 0) {
            // It is looked at ten times a second.
            Thread.onSpinWait();
        }
        requireStates(queue, deferred, gone);
        assertThat(queue.store().lease(moved + accepted)).isNotEmpty();
        if (!closedBeforeThereIsRoom) {
            database.fill(0);
            queue.awaitRefusal(false);
            queue.enqueue(10_000);
            accepted++;
            requireStates(queue, deferred, gone);
        }
        assertThat(queue.store().failure()).isNotDone();
        queue.store().close();
        database.fill(0);
        queue.openAgain();
        requireStates(queue, deferred, gone);
        List<Lease> found = queue.store().lease(moved + accepted);
        assertThat(found).hasSize(deferred.size() + accepted);
        for (Lease lease : found) {
            queue.requireContent(lease);
        }
        queue.close();
    }

    private static void requireStates(
            StoreUnderTest queue, List<QueueId> deferred, List<QueueId> gone) {
        for (QueueId id : deferred) {
            assertThat(queue.state(id)).isEqualTo(QueuedMessage.State.DEFERRED);
            assertThat(queue.message(id).results()).hasSize(1);
        }
        assertThat(gone).allSatisfy(id -> assertThat(queue.store().find(id)).isEmpty());
    }

    /**
     * One of two recipients has the message. Also where the log has no room for a record that says so he isn't
     * sent it again, and the record is written when there is room, at the latest when the store is closed.
     */
    @Test
    void aPartialResultIsKeptWhileTheLogIsFull() throws Exception {
        List<RecipientResult> results =
                List.of(RecipientResult.DELIVERED, RecipientResult.pending("450 two is busy"));
        StoreUnderTest queue = setup().queueFree(NO_MOVES).open();
        int accepted = queue.fillUp(10_000, List.of("one@example.org", "two@example.org"));
        QueueId partial = queue.leaseOne().id();
        for (int round = 0; round < 20; round++) {
            for (Lease lease : queue.store().lease(accepted)) {
                queue.store().defer(lease.id(), StoreUnderTest.START, REASON);
            }
            queue.awaitCommit();
        }
        queue.store().defer(partial, queue.now().plusSeconds(1), "two is busy", results);
        assertThat(queue.message(partial).results()).isEqualTo(results);
        queue.step(Duration.ofSeconds(2));
        assertThat(queue.store().lease(accepted))
                .filteredOn(lease -> lease.id().equals(partial))
                .extracting(Lease::results)
                .containsExactly(results);
        queue.store().close();
        queue.openAgain();
        assertThat(queue.message(partial).results()).isEqualTo(results);
        assertThat(queue.length().messages()).isEqualTo(accepted);
        queue.close();
    }

    private StoreUnderTest.Setup setup() {
        return StoreUnderTest.at(folder).segments(segments).log(SEGMENT_BYTES, 8);
    }
}
