package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * What a hub relies on in a queue, against the cluster that {@code -Dhubmark.pulsar=ADDRESS} names:
 * what was answered as queued is leased until its lease has ended it, over restarts too. Its namespace
 * has to be empty, and no other hub may use it.
 */
@Tag("long")
@EnabledIfSystemProperty(
        named = "hubmark.pulsar",
        matches = "pulsar://.*",
        disabledReason =
                "no cluster is named with -Dhubmark.pulsar=pulsar://HOST:PORT/TENANT/NAMESPACE")
class PulsarContractTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final ContentBudget budget = new ContentBudget(512L << 20);
    private final Random random = new Random(1);

    @Test
    void whatIsAcknowledgedHasGone() throws Exception {
        QueueId id;
        try (MailQueue queue = open()) {
            id = enqueue(queue, octets(1000), "b@example.net");
            Lease lease = next(queue);
            assertThat(lease.id()).isEqualTo(id);
            assertThat(lease.envelope().forwardPaths()).containsExactly("b@example.net");
            assertThat(lease.attempts()).isZero();
            queue.acknowledge(id);
        }
        requireEmpty();
    }

    @Test
    void whatIsLeasedIsThereAfterARestart() throws Exception {
        QueueId id;
        try (MailQueue queue = open()) {
            id = enqueue(queue, octets(1000), "b@example.net");
            assertThat(next(queue).id()).isEqualTo(id);
        }
        try (MailQueue queue = open()) {
            assertThat(next(queue).id()).isEqualTo(id);
            queue.acknowledge(id);
        }
        requireEmpty();
    }

    @Test
    void whatIsReleasedIsDueAgainWithoutAnAttempt() throws Exception {
        try (MailQueue queue = open()) {
            QueueId id = enqueue(queue, octets(1000), "b@example.net");
            next(queue);
            queue.release(id);
            Lease again = next(queue);
            assertThat(again.id()).isEqualTo(id);
            assertThat(again.attempts()).isZero();
            queue.acknowledge(id);
        }
        requireEmpty();
    }

    @Test
    void whatIsDeferredComesAtItsTimeWithItsResults() throws Exception {
        List<RecipientResult> results =
                List.of(RecipientResult.DELIVERED, RecipientResult.pending("450 later"));
        try (MailQueue queue = open()) {
            QueueId id = enqueue(queue, octets(1000), "b@example.net", "c@example.net");
            next(queue);
            Instant dueAt = Instant.now().plus(Duration.ofSeconds(3));
            queue.defer(id, dueAt, "450 later", results);
            Lease again = next(queue);
            assertThat(Instant.now()).isAfterOrEqualTo(dueAt);
            assertThat(again.id()).isEqualTo(id);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(again.results()).isEqualTo(results);
            queue.acknowledge(id);
        }
        requireEmpty();
    }

    @Test
    void whatIsDeadOrSetAsideIsNotLeasedAgain() throws Exception {
        try (MailQueue queue = open()) {
            QueueId dead = enqueue(queue, octets(1000), "b@example.net");
            next(queue);
            queue.deadLetter(dead, "550 no", List.of());
            QueueId aside = enqueue(queue, octets(1000), "b@example.net");
            next(queue);
            queue.setAside(aside, "it broke");
        }
        requireEmpty();
    }

    @Test
    void aLargeMessageComesBackWhole() throws Exception {
        byte[] large = octets(20_000_000);
        try (MailQueue queue = open()) {
            QueueId id = enqueue(queue, large, "b@example.net");
            assertThat(content(next(queue))).isEqualTo(large);
            queue.release(id);
            assertThat(content(next(queue))).isEqualTo(large);
            queue.defer(id, Instant.now(), "450", List.of());
            Lease again = next(queue);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(content(again)).isEqualTo(large);
            queue.acknowledge(id);
        }
        requireEmpty();
    }

    @Test
    void endingALeaseTwiceChangesNothing() throws Exception {
        try (MailQueue queue = open()) {
            QueueId id = enqueue(queue, octets(100), "b@example.net");
            next(queue);
            queue.acknowledge(id);
            queue.release(id);
            queue.defer(id, Instant.now(), "450", List.of());
            queue.acknowledge(new QueueId(1));
        }
        requireEmpty();
    }

    @Test
    void moreThanTheBudgetIsRefusedAndRoomComesBack() throws Exception {
        Settings small = new Settings(Map.of("pulsar.pending-bytes-max", "3MB"));
        try (MailQueue queue = open(small)) {
            assertThat(offer(queue, octets(4_000_000), "b@example.net"))
                    .isEqualTo(new Receipt.Refused(
                            Receipt.Reason.BYTES_IN_FLIGHT,
                            "no memory for more content in flight"));
            for (int i = 0; i < 4; i++) {
                queue.acknowledge(takeOne(queue, enqueue(queue, octets(900_000), "b@example.net")));
            }
            assertThat(queue.refusal()).isNull();
            queue.stopAccepting();
            assertThat(offer(queue, octets(10), "b@example.net"))
                    .isInstanceOfSatisfying(
                            Receipt.Refused.class,
                            refused ->
                                    assertThat(refused.reason()).isEqualTo(Receipt.Reason.CLOSING));
        }
        assertThat(budget.bytesUsed()).isZero();
        requireEmpty();
    }

    private static QueueId takeOne(MailQueue queue, QueueId id) throws InterruptedException {
        assertThat(next(queue).id()).isEqualTo(id);
        return id;
    }

    private void requireEmpty() throws IOException, InterruptedException {
        try (MailQueue queue = open()) {
            long deadlineNanos = System.nanoTime() + QUIET.toNanos();
            List<Lease> left = new ArrayList<>();
            while (System.nanoTime() < deadlineNanos) {
                left.addAll(queue.lease(10));
                queue.awaitDue(Duration.ofMillis(100));
            }
            assertThat(left).isEmpty();
        }
    }

    private static MailQueue open() throws IOException {
        return open(Settings.defaults());
    }

    private static MailQueue open(Settings settings) throws IOException {
        URI address = URI.create(Objects.requireNonNull(System.getProperty("hubmark.pulsar")));
        return new PulsarEngine().open(address, settings, InstantSource.system());
    }

    private QueueId enqueue(MailQueue queue, byte[] octets, String... forwardPaths) {
        Receipt receipt = offer(queue, octets, forwardPaths);
        assertThat(receipt).isInstanceOf(Receipt.Queued.class);
        return ((Receipt.Queued) receipt).id();
    }

    private Receipt offer(MailQueue queue, byte[] octets, String... forwardPaths) {
        QueueId id = queue.nextId();
        Content content = Objects.requireNonNull(Content.open(id, budget, 0));
        for (int from = 0; from < octets.length; from += Content.EXTENT_BYTES_MAX) {
            int length = Math.min(Content.EXTENT_BYTES_MAX, octets.length - from);
            assertThat(content.append(octets, from, length)).isTrue();
            if (from + length < octets.length) {
                List<Receipt> refused = new ArrayList<>();
                queue.storeExtent(content, answer -> answer.ifPresent(refused::add));
                if (!refused.isEmpty()) {
                    queue.abandon(content);
                    return refused.getFirst();
                }
            }
        }
        Envelope envelope = new Envelope(
                "a@example.org",
                List.of(forwardPaths),
                BodyType.SEVEN_BIT,
                Instant.now(),
                "127.0.0.1");
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        queue.enqueue(envelope, content, receipt::complete);
        return receipt.join();
    }

    private static Lease next(MailQueue queue) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() < deadlineNanos) {
            List<Lease> leases = queue.lease(1);
            if (!leases.isEmpty()) {
                return leases.getFirst();
            }
            queue.awaitDue(Duration.ofMillis(100));
        }
        throw new AssertionError("nothing was due within " + SOON);
    }

    private static byte[] content(Lease lease) throws IOException {
        try (InputStream in = lease.openContent()) {
            return in.readAllBytes();
        }
    }

    private byte[] octets(int length) {
        byte[] octets = new byte[length];
        random.nextBytes(octets);
        return octets;
    }
}
