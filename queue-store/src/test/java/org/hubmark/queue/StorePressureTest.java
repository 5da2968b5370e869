package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Proves what holds while the queue volume hangs: mail waits in the end, but settling goes on, what
 * was written in the class periodic is synced when its period is over, and closing waits for neither
 * the throttle nor for room. The log is on a simulated volume that knows what is not synced; the queue
 * volume hangs where the checkpointer asks it for its room, until the test lets it go on. A store
 * that waited for it would meet the time limit of the test. Each test waits for its own store, so they
 * run beside each other.
 */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD)
class StorePressureTest {
    private static final int SEGMENT_BYTES = 128 << 10;
    private static final int CONTENT_BYTES = 10_000;
    private static final Duration PERIOD = Duration.ofMillis(20);

    /**
     * The committer looks at its room every 100 ms at most, after it has asked which mail may go. A pause
     * lasts a second at most and begins before the third look, so the fourteenth comes after an answer
     * that is no pause; two more are for what that answer let go.
     */
    private static final int LOOKS = 16;

    @TempDir
    Path folder;

    private final SimulatedVolume segments = new SimulatedVolume("segments");
    private final AtomicInteger looks = new AtomicInteger();
    private final CountDownLatch queueVolumeAnswers = new CountDownLatch(1);
    private final List<QueueId> accepted = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"synced", "periodic=20ms"})
    @Execution(ExecutionMode.CONCURRENT)
    void settlingGoesOnAndIsSyncedInTimeWhileMailWaits(String durability) throws Exception {
        try (StoreUnderTest queue = open(Durability.parse(durability));
                Hang hang = queueVolumeAnswers::countDown) {
            QueueStore store = queue.store();
            CompletableFuture<Receipt> waiting = fill(queue);
            awaitSync();
            List<Lease> leases = store.lease(8);
            assertThat(leases).hasSize(8);
            for (Lease lease : leases) {
                store.acknowledge(lease.id());
                assertThat(store.find(lease.id())).isEmpty();
            }
            // What is settled meanwhile has its period, too; in the class synced it is a second.
            awaitSync();
            assertThat(waiting).isNotDone();
            hang.close();
            assertThat(waiting.join()).isInstanceOf(Receipt.Queued.class);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void whatWasWrittenIsSyncedWhileSettlingWaitsForASegment() throws Exception {
        // As many segments as the log has at the start, and no more: settling waits in the end.
        try (StoreUnderTest queue = open(new Durability.Periodic(PERIOD));
                Hang hang = queueVolumeAnswers::countDown) {
            QueueStore store = queue.store();
            CompletableFuture<Receipt> waiting = fill(queue);
            String reason = "x".repeat(4000);
            Thread deferring = Thread.ofPlatform().start(() -> {
                while (queueVolumeAnswers.getCount() > 0) {
                    for (Lease lease : store.lease(1)) {
                        store.defer(lease.id(), StoreUnderTest.START, reason);
                    }
                }
            });
            // It has stopped when nothing is written for some periods.
            long groups = store.statistics().log().groups();
            long sinceNanos = System.nanoTime();
            while (System.nanoTime() - sinceNanos < PERIOD.multipliedBy(10).toNanos()) {
                if (groups != store.statistics().log().groups()) {
                    groups = store.statistics().log().groups();
                    sinceNanos = System.nanoTime();
                }
            }
            awaitSync();
            hang.close();
            deferring.join();
            assertThat(waiting.join()).isInstanceOf(Receipt.Queued.class);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void closingWaitsNeitherForThePauseNorForRoom() throws Exception {
        StoreUnderTest queue = open(new Durability.Synced());
        CompletableFuture<Receipt> waiting = fill(queue);
        // The queue volume answers when the mail has its answer, and not before.
        var unused = waiting.thenRun(queueVolumeAnswers::countDown);
        queue.close();
        assertThat(StoreUnderTest.refused(waiting)).isEqualTo(Receipt.Reason.CLOSING);
        queue.openAgain();
        assertThat(accepted).allSatisfy(id -> assertThat(queue.store().find(id)).isPresent());
        queue.close();
    }

    private void awaitSync() {
        while (segments.unsyncedSinceNanos().isPresent()) {
            Thread.onSpinWait();
        }
    }

    /** What the queue volume does until this is closed; before the store, which waits for it. */
    private interface Hang extends AutoCloseable {
        @Override
        void close();
    }

    /** Sends mail until some is neither taken nor refused for longer than any pause lasts. */
    private CompletableFuture<Receipt> fill(StoreUnderTest queue) throws Exception {
        CompletableFuture<Receipt> answer = queue.offer(CONTENT_BYTES, StoreUnderTest.TO);
        while (!waitsForRoom(answer)) {
            accepted.add(StoreUnderTest.queued(answer));
            answer = queue.offer(CONTENT_BYTES, StoreUnderTest.TO);
        }
        return answer;
    }

    /** {@return whether there is no answer for so many looks of the store at its room} */
    private boolean waitsForRoom(CompletableFuture<Receipt> answer) throws Exception {
        int end = looks.get() + LOOKS;
        while (looks.get() < end) {
            try {
                var unused = answer.get(10, TimeUnit.MILLISECONDS);
                return false;
            } catch (TimeoutException e) {
                // It has to look again.
            }
        }
        return true;
    }

    private StoreUnderTest open(Durability durability) throws IOException {
        return StoreUnderTest.at(folder)
                .durability(durability)
                .segments(segments)
                .log(SEGMENT_BYTES, 2)
                .queueFree(() -> {
                    switch (Thread.currentThread().getName()) {
                        case "checkpointer" -> awaitAnswer();
                        case "committer" -> looks.incrementAndGet();
                        default -> {}
                    }
                    return Long.MAX_VALUE;
                })
                .open();
    }

    private void awaitAnswer() throws IOException {
        try {
            queueVolumeAnswers.await();
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }
}
