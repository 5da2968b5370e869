package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Settings;
import org.hubmark.hub.TestStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Proves what leaves when dead letters are too old or too large, and that nothing else does:
 * a store with a clock that the test moves, and looks that the test takes.
 */
final class DeadLetterRetentionTest {
    /** One of {@link TestStore}'s messages. */
    private static final int BYTES = "Subject: to b@y.example\r\n\r\nbody\r\n".length();

    @TempDir
    private Path folder;

    @AutoClose
    private TestStore queue;

    private long nanos;

    @BeforeEach
    void open() throws IOException {
        queue = new TestStore(folder);
    }

    @Test
    void whatIsTooOldLeavesAndIsTracked() throws Exception {
        QueueId old = dead();
        queue.advance(Duration.ofDays(20));
        QueueId young = dead();
        QueueId waits = queue.enqueue("c@y.example");
        DeadLetterRetention retention = retention(Map.of());
        retention.lookHere();
        assertThat(ids()).containsExactly(old, young, waits);

        queue.advance(Duration.ofDays(10));
        retention.lookHere();
        assertThat(ids()).containsExactly(old, young, waits);
        hourLater(retention);
        assertThat(ids()).containsExactly(young, waits);
        assertThat(retention.removed().sum()).isEqualTo(1);
        queue.tracking.close();
        try (Stream<Path> files = Files.list(folder.resolve("tracking"))) {
            assertThat(Files.readString(files.findFirst().orElseThrow()))
                    .contains("\tREMOVE\t" + old + "\t");
        }
    }

    /** A month ahead for less than an hour, as a time server may say it. */
    @Test
    void aClockThatIsAheadRemovesNothing() throws Exception {
        QueueId id = dead();
        DeadLetterRetention retention = retention(Map.of());
        retention.lookHere();
        queue.advance(Duration.ofDays(31));
        for (int minute = 0; minute < 59; minute++) {
            retention.lookHere();
            pass(Duration.ofMinutes(1));
        }
        assertThat(ids()).containsExactly(id);
        queue.advance(Duration.ofDays(-31));
        hourLater(retention);
        assertThat(ids()).containsExactly(id);

        queue.advance(Duration.ofDays(31));
        retention.lookHere();
        assertThat(ids()).as("looked at for the first time").containsExactly(id);
        hourLater(retention);
        assertThat(ids()).isEmpty();
    }

    /** Whoever can reach the hub can make them. */
    @Test
    void oneWithTheNullReversePathIsKeptAsLongAsMailIsTried() throws Exception {
        QueueId id = dead();
        QueueId other = queue.enqueue("", "b@y.example");
        queue.store.deadLetter(lease(other).id(), "550 no");
        assertThat(settled(other)).isNotNull();
        DeadLetterRetention retention = retention(Map.of("delivery.dead-letter-max-age", "0s"));
        queue.advance(Duration.ofDays(5).minusHours(3));
        retention.lookHere();
        hourLater(retention);
        hourLater(retention);
        assertThat(ids()).containsExactly(id, other);
        hourLater(retention);
        assertThat(ids()).containsExactly(id);
    }

    /** The clock has to be steady for no longer than the age. */
    @Test
    void aShortAgeIsNotAnHour() throws Exception {
        dead();
        DeadLetterRetention retention = retention(Map.of("delivery.dead-letter-max-age", "5s"));
        pass(Duration.ofSeconds(4));
        retention.lookHere();
        assertThat(ids()).hasSize(1);
        pass(Duration.ofSeconds(1));
        retention.lookHere();
        assertThat(ids()).isEmpty();
    }

    @Test
    void oneThatWaitsForItsNotificationIsNotTooMuch() throws Exception {
        QueueId waits = queue.enqueue("b@y.example");
        queue.store.returnToSender(lease(waits).id(), "550 no", List.of(), queue.enqueue("a@x"));
        dead();
        QueueId late = dead();
        retention(Map.of("delivery.dead-letter-max-bytes", 2 * BYTES + "B")).lookHere();
        assertThat(deadIds()).containsExactly(waits, late);
        retention(Map.of("delivery.dead-letter-max-bytes", "1B")).lookHere();
        assertThat(deadIds()).containsExactly(waits);

        DeadLetterRetention retention = retention(Map.of());
        queue.advance(Duration.ofDays(35).minusHours(2));
        retention.lookHere();
        hourLater(retention);
        assertThat(deadIds()).containsExactly(waits);
        hourLater(retention);
        assertThat(deadIds()).isEmpty();
    }

    @Test
    void aQueueThatCannotBeReadOnceIsLookedAtAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            dead();
        }
        AtomicInteger asked = new AtomicInteger();
        Settings settings = new Settings(Map.of("delivery.dead-letter-max-bytes", BYTES + "B"));
        DeadLetterRetention retention = new DeadLetterRetention(
                queue.store,
                DeadLetterSettings.read(settings, RetrySchedule.read(settings)),
                queue.tracking,
                () -> {
                    // Within the first pass.
                    if (asked.incrementAndGet() == 3) {
                        throw new UncheckedIOException(new IOException("a read that fails once"));
                    }
                    return queue.clock().instant();
                },
                () -> nanos);
        retention.lookHere();
        assertThat(ids()).hasSize(3);
        hourLater(retention);
        assertThat(ids()).hasSize(1);
    }

    @Test
    void ofTooManyTheOldestLeave() throws Exception {
        List<QueueId> dead = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            dead.add(dead());
        }
        DeadLetterRetention retention =
                retention(Map.of("delivery.dead-letter-max-bytes", 3 * BYTES + "B"));
        retention.lookHere();
        assertThat(ids()).isEqualTo(dead.subList(2, 5));
        dead.add(dead());
        retention.lookHere();
        assertThat(ids()).isEqualTo(dead.subList(3, 6));
        assertThat(retention.removed().sum()).isEqualTo(3);
        assertThat(queue.store.statistics().length().deadBytes()).isEqualTo(3L * BYTES);
    }

    @Test
    void ofTooMuchTheOldestLeave() throws Exception {
        QueueId first = dead();
        QueueId second = dead();
        retention(Map.of("delivery.dead-letter-max-bytes", 2 * BYTES + "B")).lookHere();
        assertThat(ids()).containsExactly(first, second);
        retention(Map.of("delivery.dead-letter-max-bytes", 2 * BYTES - 1 + "B")).lookHere();
        assertThat(ids()).containsExactly(second);
    }

    @Test
    void withoutLimitsNothingLeaves() throws Exception {
        QueueId whole = dead();
        Map<String, String> none = new HashMap<>();
        none.put("delivery.dead-letter-max-age", "0s");
        none.put("delivery.dead-letter-max-bytes", "0B");
        DeadLetterRetention retention = retention(none);
        queue.advance(Duration.ofDays(10_000));
        retention.lookHere();
        assertThat(ids()).containsExactly(whole);
    }

    /** More than is looked at in one go. */
    @Test
    void aLongQueueIsGoneThroughToItsEnd() throws Exception {
        List<QueueId> left = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            QueueId id = queue.enqueue("b@y.example");
            if (i % 100 == 99) {
                queue.store.deadLetter(lease(id).id(), "550 no");
                assertThat(settled(id)).isNotNull();
            } else {
                left.add(id);
            }
        }
        queue.advance(Duration.ofDays(30));
        DeadLetterRetention retention = retention(Map.of());
        retention.lookHere();
        hourLater(retention);
        assertThat(ids()).isEqualTo(left);
    }

    private DeadLetterRetention retention(Map<String, String> given) {
        Settings settings = new Settings(given);
        return new DeadLetterRetention(
                queue.store,
                DeadLetterSettings.read(settings, RetrySchedule.read(settings)),
                queue.tracking,
                queue.clock(),
                () -> nanos);
    }

    private void pass(Duration time) {
        queue.advance(time);
        nanos += time.toNanos();
    }

    private void hourLater(DeadLetterRetention retention) throws InterruptedException {
        pass(Duration.ofHours(1));
        retention.lookHere();
    }

    private QueueId dead() {
        QueueId id = queue.enqueue("b@y.example");
        queue.store.deadLetter(lease(id).id(), "550 no");
        return settled(id);
    }

    private QueueId settled(QueueId id) {
        assertThat(queue.store.find(id).orElseThrow().state().isDead()).isTrue();
        return id;
    }

    /** Leases one of what is due; the others wait on. */
    private Lease lease(QueueId id) {
        Lease found = null;
        for (Lease lease : queue.store.lease(Integer.MAX_VALUE)) {
            if (lease.id().equals(id)) {
                found = lease;
            } else {
                queue.store.release(lease.id());
            }
        }
        return Objects.requireNonNull(found);
    }

    private List<QueueId> deadIds() {
        return queue.store.deadLetters(new QueueId(0), 100).messages().stream()
                .map(QueuedMessage::id)
                .toList();
    }

    private List<QueueId> ids() throws IOException {
        var unused = queue.store.find(new QueueId(0));
        return queue.messages().stream().map(QueuedMessage::id).toList();
    }
}
