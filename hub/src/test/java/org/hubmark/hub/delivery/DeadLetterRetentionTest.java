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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Proves what leaves when dead letters are too old or too large, and that nothing else does:
 * a store with a clock that the test moves, and looks that the test takes.
 */
final class DeadLetterRetentionTest {
    /** One of {@link TestStore}'s messages. */
    private static final int BYTES = 33;

    @TempDir
    private Path folder;

    @AutoClose
    private TestStore queue;

    private long nanos;

    @BeforeEach
    void open() throws IOException {
        queue = new TestStore(folder);
    }

    /**
     * A capital letter is a dead letter, c a message that waits, and N a dead letter with the null reverse-path:
     * whoever can reach the hub can make these, so they are kept as long as mail is tried. Time passes with {@code +};
     * with {@code ~} the hub's clock jumps. {@code =} is a look, with what is left then. An age counts by a clock
     * that was steady for an hour, or for the age if that is shorter.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "retention.csv")
    void whatIsTooOldOrTooMuchLeaves(String age, String bytes, String steps) throws Exception {
        Map<QueueId, String> names = new HashMap<>();
        DeadLetterRetention retention = retention(
                Map.of(
                        "delivery.dead-letter-max-age", age,
                        "delivery.dead-letter-max-bytes", bytes),
                queue.clock());
        for (String step : steps.split(" ", -1)) {
            String rest = step.substring(1);
            switch (step.charAt(0)) {
                case '~' -> queue.advance(TestStore.time(rest));
                case '+' -> pass(TestStore.time(rest));
                case '=' -> {
                    retention.lookHere();
                    assertThat(ids().stream().map(names::get).collect(Collectors.joining()))
                            .as(steps)
                            .isEqualTo(rest);
                    assertThat(queue.store.statistics().length().deadBytes())
                            .isEqualTo((long) BYTES * rest.replace("c", "").length());
                }
                case 'c' -> names.put(queue.enqueue("c@y.example"), step);
                default -> names.put(dead(step.equals("N") ? "" : "a@x.example"), step);
            }
        }
        queue.tracking.close();
        try (Stream<Path> files = Files.list(folder.resolve("tracking"))) {
            assertThat(Files.readString(files.findFirst().orElseThrow()).split("\tREMOVE\t", -1))
                    .hasSize(1 + retention.removed().intValue());
        }
    }

    @Test
    void oneThatWaitsForItsNotificationIsNotTooMuch() throws Exception {
        QueueId waits = queue.enqueue("b@y.example");
        queue.store.returnToSender(lease(waits).id(), "550 no", List.of(), queue.enqueue("a@x"));
        dead("a@x.example");
        QueueId late = dead("a@x.example");
        retention(Map.of("delivery.dead-letter-max-bytes", "66B"), queue.clock())
                .lookHere();
        assertThat(deadIds()).containsExactly(waits, late);
        retention(Map.of("delivery.dead-letter-max-bytes", "1B"), queue.clock()).lookHere();
        assertThat(deadIds()).containsExactly(waits);

        DeadLetterRetention retention = retention(Map.of(), queue.clock());
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
            dead("a@x.example");
        }
        AtomicInteger asked = new AtomicInteger();
        DeadLetterRetention retention =
                retention(Map.of("delivery.dead-letter-max-bytes", BYTES + "B"), () -> {
                    // Within the first pass.
                    if (asked.incrementAndGet() == 3) {
                        throw new UncheckedIOException(new IOException("a read that fails once"));
                    }
                    return queue.clock().instant();
                });
        retention.lookHere();
        assertThat(ids()).hasSize(3);
        hourLater(retention);
        assertThat(ids()).hasSize(1);
    }

    /** More than is looked at in one go. */
    @Test
    void aLongQueueIsGoneThroughToItsEnd() throws Exception {
        List<QueueId> left = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            if (i % 100 == 99) {
                dead("a@x.example");
            } else {
                left.add(queue.enqueue("b@y.example"));
            }
        }
        queue.advance(Duration.ofDays(30));
        DeadLetterRetention retention = retention(Map.of(), queue.clock());
        retention.lookHere();
        hourLater(retention);
        assertThat(ids()).isEqualTo(left);
    }

    private DeadLetterRetention retention(Map<String, String> given, InstantSource clock) {
        Settings settings = new Settings(given);
        return new DeadLetterRetention(
                queue.store,
                DeadLetterSettings.read(settings, RetrySchedule.read(settings)),
                queue.tracking,
                clock,
                () -> nanos);
    }

    private void pass(Duration time) {
        queue.advance(time);
        nanos += time.toNanos();
    }

    private void hourLater(DeadLetterRetention retention) {
        pass(Duration.ofHours(1));
        retention.lookHere();
    }

    private QueueId dead(String reversePath) {
        QueueId id = queue.enqueue(reversePath, "b@y.example");
        queue.store.deadLetter(lease(id).id(), "550 no");
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
