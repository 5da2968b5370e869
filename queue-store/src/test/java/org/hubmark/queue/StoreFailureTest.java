package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.hubmark.queue.table.QueueDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Proves that nobody is left waiting when something of the store fails: a write, a sync, a background
 * flush of the queue database, a listener. Each case ends within its time limit: everybody has an
 * answer that is true, {@code failure()} says why, closing ends, and no memory is left behind.
 */
@Timeout(120)
class StoreFailureTest {
    private static final int RECIPIENTS = 2000;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void aBackgroundFlushThatFailsEndsTheStore() throws Exception {
        // One segment holds more than the memtable of rows, so that it fills while it is moved.
        StoreUnderTest queue = StoreUnderTest.at(folder).log(40 << 20, 1).open();
        List<String> recipients = Collections.nCopies(
                RECIPIENTS, "a.rather.long.recipient@a.rather.long.example.org");
        for (int i = 0; i < 100; i++) {
            StoreUnderTest.queued(queue.offer(100, recipients));
        }
        // A flush makes a file by its path; what is open stays open.
        Path database = queue.queue().resolve(QueueDatabase.FOLDER);
        Files.move(database, folder.resolve("elsewhere"));
        queue.fillUp(100, recipients);
        // Who asks first hears of it: the checkpointer before it writes, or its write.
        assertThat(queue.store().failure())
                .succeedsWithin(SOON)
                .asString()
                .containsAnyOf(
                        "the queue database failed in the background",
                        "writing the queue database: ")
                .contains("No such file or directory");
        queue.store().close();
        assertThat(queue.budget.bytesUsed()).isZero();
        Files.move(folder.resolve("elsewhere"), database);
        assertThat(queue.check().problems()).isEmpty();
    }

    @Test
    void whoHearsOfAFailureMayCloseTheStore() throws Exception {
        SimulatedVolume segments = new SimulatedVolume("segments");
        StoreUnderTest queue = StoreUnderTest.at(folder).segments(segments).open();
        CompletableFuture<Void> closed = queue.store().failure().thenAccept(cause -> {
            try {
                queue.store().close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        // In a segment that there is: where none can be made, there is no room, and no more.
        queue.enqueue(10);
        segments.failWrite(1, 1);
        assertThat(StoreUnderTest.refused(queue.offer(10, StoreUnderTest.TO)))
                .isEqualTo(Receipt.Reason.BROKEN);
        assertThat(queue.store().refusal()).isEqualTo(Gate.BROKEN);
        assertThat(closed).succeedsWithin(SOON);
        assertThatThrownBy(() -> queue.store().retry(new QueueId(1)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(queue.budget.bytesUsed()).isZero();
    }

    @Test
    void anErrorOfAListenerIsItsOwnAndItMayCloseTheStore() throws Exception {
        StoreUnderTest queue = StoreUnderTest.open(folder);
        QueueStore store = queue.store();
        store.enqueue(
                StoreUnderTest.envelope(StoreUnderTest.TO),
                queue.content(new byte[10]),
                receipt -> {
                    throw new StackOverflowError("simulated");
                });
        QueueId id = queue.enqueue("after it");
        assertThat(store.find(id)).isPresent();
        CompletableFuture<Void> returned = new CompletableFuture<>();
        store.enqueue(
                StoreUnderTest.envelope(StoreUnderTest.TO),
                queue.content(new byte[10]),
                receipt -> {
                    try {
                        store.close();
                        returned.complete(null);
                    } catch (IOException e) {
                        returned.completeExceptionally(e);
                    }
                });
        assertThat(returned).succeedsWithin(SOON);
        queue.close();
    }

    @Test
    void anErrorWhereverAWriteOrSyncIsAnswersEverybody() throws Exception {
        for (int nth = 1; nth <= 24; nth++) {
            for (boolean inSync : new boolean[] {false, true}) {
                Path home = folder.resolve("nth" + nth + inSync);
                SimulatedVolume segments = new SimulatedVolume("segments");
                StoreUnderTest queue =
                        StoreUnderTest.at(home).segments(segments).open();
                segments.failByError(true);
                if (inSync) {
                    segments.failSync(nth, nth);
                } else {
                    segments.failWrite(nth, nth);
                }
                for (int i = 0; i < 100 && !queue.store().failure().isDone(); i++) {
                    assertThat(queue.offer(100_000, StoreUnderTest.TO))
                            .as("write or sync %d, message %d", nth, i)
                            .succeedsWithin(SOON);
                }
                assertThat(queue.store().failure())
                        .as("write or sync %d", nth)
                        .succeedsWithin(SOON);
                queue.store().close();
                assertThat(queue.budget.bytesUsed()).isZero();
                SimulatedDatabase.delete(home);
            }
        }
    }

    @Test
    void anErrorAnywhereInAnOpeningLeavesAStoreThatOpens() throws Exception {
        SimulatedVolume segments = new SimulatedVolume("segments");
        StoreUnderTest first = StoreUnderTest.at(folder).segments(segments).open();
        first.store().close();
        int errors = 0;
        for (int nth = 1; nth < 100 && errors == nth - 1; nth++) {
            segments.callBefore(nth, () -> {
                throw new OutOfMemoryError("simulated");
            });
            StoreUnderTest opened = null;
            try {
                opened = StoreUnderTest.at(folder).segments(segments).open();
            } catch (OutOfMemoryError e) {
                errors++;
            }
            segments.callBefore(Long.MAX_VALUE, () -> {});
            StoreUnderTest queue = opened == null
                    ? StoreUnderTest.at(folder).segments(segments).open()
                    : opened;
            queue.store().close();
        }
        assertThat(errors).isPositive();
    }

    @Test
    void closingGivesUpOnAVolumeThatHangs() throws Exception {
        SimulatedVolume segments = new SimulatedVolume("segments");
        StoreUnderTest queue = StoreUnderTest.at(folder).segments(segments).open();
        segments.delaySync(Duration.ofSeconds(2));
        CompletableFuture<Receipt> late = queue.offer(10, StoreUnderTest.TO);
        assertThatThrownBy(() -> queue.store().close(Duration.ofMillis(10)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a volume does not answer");
        segments.delaySync(Duration.ZERO);
        queue.store().close();
        StoreUnderTest.queued(late);
    }
}
