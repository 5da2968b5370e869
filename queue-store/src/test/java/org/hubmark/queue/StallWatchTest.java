package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Receipt;
import org.hubmark.queue.log.DirectIo;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Proves that a store which does not move says so, refuses mail meanwhile, goes on when it moves
 * again, and fails in the end: by ticks of the watch, and once with a disk that hangs.
 */
@Timeout(120)
class StallWatchTest {
    private static final Duration STALL_TIME = Duration.ofSeconds(5);

    @TempDir
    Path folder;

    private final Gate gate = new Gate();
    private final AtomicBoolean waiting = new AtomicBoolean(true);
    private final AtomicLong progress = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final StallWatch watch =
            new StallWatch(waiting::get, progress::get, gate, STALL_TIME, failure::set);

    @Test
    void mailIsRefusedUntilItMovesAgain() {
        tick(4);
        assertThat(gate.refusal()).isNull();
        tick(1);
        assertThat(Objects.requireNonNull(gate.refusal()).reason()).isEqualTo(Receipt.Reason.BUSY);
        progress.incrementAndGet();
        tick(1);
        assertThat(gate.refusal()).isNull();
        assertThat(failure).hasNullValue();
    }

    @Test
    void itFailsAfterTenTimesAsLong() {
        tick(49);
        assertThat(failure).hasNullValue();
        tick(1);
        assertThat(failure.get()).hasMessageContaining("not moved for 50 s");
    }

    @Test
    void nobodyWaitsForAnIdleStore() {
        waiting.set(false);
        tick(1000);
        assertThat(gate.refusal()).isNull();
        assertThat(failure).hasNullValue();
    }

    @Test
    void aWatchThatBreaksFailsTheStore() {
        IllegalStateException broken = new IllegalStateException("broken");
        LongSupplier breaking = () -> {
            throw broken;
        };
        new StallWatch(() -> true, breaking, gate, STALL_TIME, failure::set).run();
        assertThat(failure.get()).isSameAs(broken);
    }

    @Test
    void aDiskThatHangsIsSaidAndComesBack() throws Exception {
        SimulatedVolume segments = new SimulatedVolume("segments");
        Duration second = Duration.ofSeconds(1);
        LogSettings log = new LogSettings(
                1 << 20, 4, 0, second, second, LogSettings.indexBytes(), DirectIo.AUTO);
        StoreUnderTest queue =
                StoreUnderTest.at(folder).log(log).segments(segments).open();
        queue.enqueue("before");
        segments.delaySync(Duration.ofSeconds(4));
        CompletableFuture<Receipt> during = queue.offer(10, StoreUnderTest.TO);
        queue.awaitRefusal(true);
        assertThat(Objects.requireNonNull(queue.store().refusal()).reason())
                .isEqualTo(Receipt.Reason.BUSY);
        segments.delaySync(Duration.ZERO);
        StoreUnderTest.queued(during);
        queue.awaitRefusal(false);
        queue.enqueue("after");
        queue.close();
    }

    private void tick(int times) {
        for (int i = 0; i < times; i++) {
            watch.tick();
        }
    }
}
