package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Receiver and dispatcher of a queue under test, in one thread. Closes the queue. */
final class QueueUser implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final long BUDGET_BYTES = 512L << 20;

    private final MailQueue queue;
    private final ContentBudget budget = new ContentBudget(BUDGET_BYTES);
    private final Random random = new Random(1);

    /**
     * A message that has to be in the queue.
     *
     * @param seed makes its content, with its length
     */
    record Kept(long seed, int length, int attempts) {
        byte[] octets() {
            byte[] octets = new byte[length];
            new Random(seed).nextBytes(octets);
            return octets;
        }
    }

    QueueUser(MailQueue queue) {
        this.queue = queue;
    }

    MailQueue queue() {
        return queue;
    }

    QueueId enqueue(int length, String... forwardPaths) {
        return queued(offer(octets(length), forwardPaths));
    }

    static QueueId queued(Receipt receipt) {
        assertThat(receipt).isInstanceOf(Receipt.Queued.class);
        return ((Receipt.Queued) receipt).id();
    }

    /** {@return the answer} A message that is larger than an extent is handed over in parts. */
    Receipt offer(byte[] octets, String... forwardPaths) {
        QueueId id = queue.nextId();
        Content content = Objects.requireNonNull(Content.open(id, budget, 0));
        for (int from = 0; from < octets.length; from += Content.EXTENT_BYTES_MAX) {
            int length = Math.min(Content.EXTENT_BYTES_MAX, octets.length - from);
            assertThat(content.append(octets, from, length)).isTrue();
            if (from + length < octets.length) {
                CompletableFuture<Optional<Receipt.Refused>> answer = new CompletableFuture<>();
                queue.storeExtent(content, answer::complete);
                Optional<Receipt.Refused> refused = answer.join();
                if (refused.isPresent()) {
                    queue.abandon(content);
                    return refused.get();
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

    /** {@return the next message that is due, which has to come soon} */
    Lease next() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() < deadlineNanos) {
            List<Lease> leases = queue.lease(1);
            if (!leases.isEmpty()) {
                return leases.getFirst();
            }
            var unused = queue.awaitDue(Duration.ofMillis(100));
        }
        throw new AssertionError("nothing was due within " + SOON.toSeconds() + " s");
    }

    /**
     * Ends a lease in one of several ways, and notes what is left.
     *
     * @param way 0 to 2 acknowledge it, 3 releases, 4 defers, 5 gives it up
     */
    void end(Lease lease, int way, Map<QueueId, Kept> kept) throws IOException {
        Kept was = kept.get(lease.id());
        assertThat(was).as("%s was in the queue", lease.id()).isNotNull();
        assertThat(lease.attempts()).as("attempts of %s", lease.id()).isEqualTo(was.attempts());
        assertThat(content(lease)).as("content of %s", lease.id()).isEqualTo(was.octets());
        switch (way) {
            case 3 -> queue.release(lease.id());
            case 4 -> {
                Instant dueAt = Instant.now().plusMillis(random.nextInt(200));
                queue.defer(lease.id(), dueAt, "450 later", List.of());
                kept.put(lease.id(), new Kept(was.seed(), was.length(), was.attempts() + 1));
            }
            case 5 -> {
                queue.deadLetter(lease.id(), "550 no", List.of());
                kept.remove(lease.id());
            }
            default -> {
                queue.acknowledge(lease.id());
                kept.remove(lease.id());
            }
        }
    }

    static byte[] content(Lease lease) throws IOException {
        try (InputStream in = lease.openContent()) {
            return in.readAllBytes();
        }
    }

    byte[] octets(int length) {
        byte[] octets = new byte[length];
        random.nextBytes(octets);
        return octets;
    }

    @Override
    public void close() throws IOException {
        queue.close();
    }
}
