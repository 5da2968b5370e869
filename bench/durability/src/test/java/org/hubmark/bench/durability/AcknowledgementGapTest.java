package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.bench.measure.TimeSource;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** What is seen, in simulated time, of a count that stands still and goes on. */
class AcknowledgementGapTest {
    private static final long MILLI = 1_000_000;
    private static final long END = 2_000 * MILLI;

    /** Passes as it is slept through, until its end, where it stands. */
    private static final class SimulatedTime implements TimeSource {
        private final AtomicLong nanos = new AtomicLong();
        private final CountDownLatch closing = new CountDownLatch(1);

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            if (nanos.get() >= END) {
                closing.await();
            } else {
                nanos.addAndGet(duration.toNanos());
            }
        }
    }

    @Test
    void seesHowLongNothingCame() throws Exception {
        SimulatedTime time = new SimulatedTime();
        AcknowledgementGap gap = new AcknowledgementGap(
                () -> {
                    long now = time.nanoTime();
                    return 7L + (now < 300 * MILLI ? 0 : 3) + (now < 1_200 * MILLI ? 0 : 2);
                },
                time);
        await().atMost(Duration.ofMinutes(1)).until(() -> time.nanoTime() == END);
        // The watcher looks once more at the most before it sees that it is to end.
        time.closing.countDown();
        gap.close();
        // Between the two times at which some came; at the end it stood still for 800 ms.
        assertThat(gap.longestMillis()).isEqualTo(900);
        assertThat(gap.bySecond()).containsExactly(3L, 2L);
    }

    @Test
    void seesWhenTheNextOneCameAfterTheFault() throws Exception {
        SimulatedTime time = new SimulatedTime();
        CompletableFuture<AcknowledgementGap> made = new CompletableFuture<>();
        AtomicBoolean ended = new AtomicBoolean();
        AcknowledgementGap gap = new AcknowledgementGap(
                () -> {
                    long now = time.nanoTime();
                    if (now >= 400 * MILLI && !ended.getAndSet(true)) {
                        made.join().ended();
                    }
                    return now < 1_200 * MILLI ? 3 : 5;
                },
                time);
        made.complete(gap);
        await().atMost(Duration.ofMinutes(1)).until(() -> time.nanoTime() == END);
        time.closing.countDown();
        gap.close();
        assertThat(gap.againMillis()).isEqualTo(800);
    }

    @Test
    void saysThatNoneCame() throws Exception {
        SimulatedTime time = new SimulatedTime();
        AcknowledgementGap gap = new AcknowledgementGap(() -> 3, time);
        gap.ended();
        await().atMost(Duration.ofMinutes(1)).until(() -> time.nanoTime() == END);
        time.closing.countDown();
        gap.close();
        assertThat(gap.againMillis()).isNaN();
    }
}
