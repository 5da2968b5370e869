package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Tests of the properties that a hub relies on in a queue: a message that was answered as queued is
 * leased until its lease has ended it, over restarts too. A test class of an engine implements it
 * and says how its queue is opened; the queue is empty at the beginning of each test, and nobody
 * else uses it.
 */
public interface MailQueueContract {
    /**
     * {@return the queue, opened} The same one each time within a test: what an earlier one held that was
     * closed is in it.
     */
    MailQueue open() throws IOException;

    /** {@return for how long nothing may come before the queue counts as empty} */
    default Duration quiet() {
        return Duration.ofMillis(300);
    }

    /** {@return how many steps the test with random ones takes} */
    default int steps() {
        return 300;
    }

    /** What is acknowledged has gone. */
    @Test
    default void whatIsAcknowledgedHasGone() throws Exception {
        try (QueueUser user = new QueueUser(open())) {
            QueueId id = user.enqueue(1000, "b@example.net");
            Lease lease = user.next();
            assertThat(lease.id()).isEqualTo(id);
            assertThat(lease.envelope().forwardPaths()).containsExactly("b@example.net");
            assertThat(lease.attempts()).isZero();
            user.queue().acknowledge(id);
        }
        requireEmpty();
    }

    /** What is leased is there after a restart. */
    @Test
    default void whatIsLeasedIsThereAfterARestart() throws Exception {
        QueueId id;
        try (QueueUser user = new QueueUser(open())) {
            id = user.enqueue(1000, "b@example.net");
            assertThat(user.next().id()).isEqualTo(id);
        }
        try (QueueUser user = new QueueUser(open())) {
            assertThat(user.next().id()).isEqualTo(id);
            user.queue().acknowledge(id);
        }
        requireEmpty();
    }

    /** What is queued is there after an end that makes nothing durable any more. */
    @Test
    default void whatIsQueuedIsThereAfterABrokenEnd() throws Exception {
        QueueId id;
        QueueUser broken = new QueueUser(open());
        id = broken.enqueue(1000, "b@example.net");
        broken.queue().closeBroken(new IOException("broken on purpose"));
        try (QueueUser user = new QueueUser(open())) {
            assertThat(user.next().id()).isEqualTo(id);
            user.queue().acknowledge(id);
        }
        requireEmpty();
    }

    /** What is released is due again without an attempt. */
    @Test
    default void whatIsReleasedIsDueAgainWithoutAnAttempt() throws Exception {
        try (QueueUser user = new QueueUser(open())) {
            QueueId id = user.enqueue(1000, "b@example.net");
            assertThat(user.next().id()).isEqualTo(id);
            user.queue().release(id);
            Lease again = user.next();
            assertThat(again.id()).isEqualTo(id);
            assertThat(again.attempts()).isZero();
            user.queue().acknowledge(id);
        }
        requireEmpty();
    }

    /** What is postponed comes at its time, without an attempt. */
    @Test
    default void whatIsPostponedComesAtItsTimeWithoutAnAttempt() throws Exception {
        try (QueueUser user = new QueueUser(open())) {
            QueueId id = user.enqueue(1000, "b@example.net");
            assertThat(user.next().id()).isEqualTo(id);
            Instant dueAt = Instant.now().plus(Duration.ofSeconds(1));
            user.queue().postpone(id, dueAt, "nobody was asked");
            Lease again = user.next();
            assertThat(Instant.now()).isAfterOrEqualTo(dueAt.minusMillis(1));
            assertThat(again.id()).isEqualTo(id);
            assertThat(again.attempts()).isZero();
            assertThat(again.askedFor()).isFalse();
            user.queue().acknowledge(id);
        }
        requireEmpty();
    }

    /** What is deferred comes at its time, with its results. */
    @Test
    default void whatIsDeferredComesAtItsTimeWithItsResults() throws Exception {
        List<RecipientResult> results =
                List.of(RecipientResult.DELIVERED, RecipientResult.pending("450 later"));
        try (QueueUser user = new QueueUser(open())) {
            QueueId id = user.enqueue(1000, "b@example.net", "c@example.net");
            assertThat(user.next().id()).isEqualTo(id);
            Instant dueAt = Instant.now().plus(Duration.ofSeconds(2));
            user.queue().defer(id, dueAt, "450 later", results);
            Lease again = user.next();
            // Clocks of queues may count whole milliseconds.
            assertThat(Instant.now()).isAfterOrEqualTo(dueAt.minusMillis(1));
            assertThat(again.id()).isEqualTo(id);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(again.results()).isEqualTo(results);
            user.queue().acknowledge(id);
        }
        requireEmpty();
    }

    /** What is dead or set aside is not leased again. */
    @Test
    default void whatIsDeadOrSetAsideIsNotLeasedAgain() throws Exception {
        try (QueueUser user = new QueueUser(open())) {
            QueueId dead = user.enqueue(1000, "b@example.net");
            assertThat(user.next().id()).isEqualTo(dead);
            user.queue().deadLetter(dead, "550 no", List.of());
            QueueId aside = user.enqueue(1000, "b@example.net");
            assertThat(user.next().id()).isEqualTo(aside);
            user.queue().setAside(aside, "it broke");
        }
        requireEmpty();
    }

    /** A large message comes back whole. */
    @Test
    default void aLargeMessageComesBackWhole() throws Exception {
        try (QueueUser user = new QueueUser(open())) {
            byte[] large = user.octets(20_000_000);
            QueueId id = QueueUser.queued(user.offer(large, "b@example.net"));
            assertThat(QueueUser.content(user.next())).isEqualTo(large);
            user.queue().release(id);
            assertThat(QueueUser.content(user.next())).isEqualTo(large);
            user.queue().defer(id, Instant.now(), "450", List.of());
            Lease again = user.next();
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(QueueUser.content(again)).isEqualTo(large);
            user.queue().acknowledge(id);
        }
        requireEmpty();
    }

    /** A queue that closes refuses new mail, and its leases go on. */
    @Test
    default void aQueueThatClosesRefusesNewMail() throws Exception {
        try (QueueUser user = new QueueUser(open())) {
            QueueId id = user.enqueue(100, "b@example.net");
            assertThat(user.queue().refusal()).isNull();
            user.queue().stopAccepting();
            assertThat(user.offer(user.octets(10), "b@example.net"))
                    .isInstanceOfSatisfying(
                            Receipt.Refused.class,
                            refused ->
                                    assertThat(refused.reason()).isEqualTo(Receipt.Reason.CLOSING));
            assertThat(user.next().id()).isEqualTo(id);
            user.queue().acknowledge(id);
        }
        requireEmpty();
    }

    /** What a queue does in a long random series of steps is what a map in memory says. */
    @Test
    default void randomStepsLeaveWhatAMapSays() throws Exception {
        long seed = Long.getLong("hubmark.contract.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<QueueId, QueueUser.Kept> kept = new TreeMap<>();
        QueueUser user = new QueueUser(open());
        try {
            for (int step = 1; step <= steps(); step++) {
                int chosen = random.nextInt(100);
                if (chosen < 40) {
                    int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 300_000 : 5000);
                    QueueUser.Kept made = new QueueUser.Kept(random.nextLong(), length, 0);
                    kept.put(QueueUser.queued(user.offer(made.octets(), "b@example.net")), made);
                } else if (chosen < 98) {
                    for (Lease lease : user.queue().lease(1 + random.nextInt(4))) {
                        user.end(lease, random.nextInt(6), kept);
                    }
                } else {
                    // Leases that are open are given up.
                    user.close();
                    user = new QueueUser(open());
                }
            }
            while (!kept.isEmpty()) {
                user.end(user.next(), 0, kept);
            }
        } catch (AssertionError e) {
            throw new AssertionError(
                    "again with -Dhubmark.contract.seed=" + seed + ": " + e.getMessage(), e);
        } finally {
            user.close();
        }
        requireEmpty();
    }

    /** Nothing is due any more. */
    private void requireEmpty() throws IOException, InterruptedException {
        try (QueueUser user = new QueueUser(open())) {
            long deadlineNanos = System.nanoTime() + quiet().toNanos();
            List<Lease> left = new ArrayList<>();
            while (System.nanoTime() < deadlineNanos) {
                left.addAll(user.queue().lease(10));
                var unused = user.queue().awaitDue(Duration.ofMillis(100));
            }
            assertThat(left).isEmpty();
        }
    }
}
