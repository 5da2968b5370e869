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

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Puts messages into a queue and takes them out. One thread. */
final class TestMail {
    private final ContentBudget budget = new ContentBudget(512L << 20);

    long bytesUsed() {
        return budget.bytesUsed();
    }

    /** {@return the answer to a message of so many octets} */
    Receipt offer(MailQueue queue, int length) {
        QueueId id = queue.nextId();
        Content content = Objects.requireNonNull(Content.open(id, budget, 0));
        byte[] octets = new byte[length];
        for (int from = 0; from < length; from += Content.EXTENT_BYTES_MAX) {
            int part = Math.min(Content.EXTENT_BYTES_MAX, length - from);
            assertThat(content.append(octets, from, part)).isTrue();
            if (from + part < length) {
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
                List.of("b@example.net"),
                BodyType.SEVEN_BIT,
                Instant.now(),
                "127.0.0.1");
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        queue.enqueue(envelope, content, receipt::complete);
        return receipt.join();
    }

    /** {@return the next message that is due} */
    static Lease next(MailQueue queue) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (System.nanoTime() < deadlineNanos) {
            List<Lease> leases = queue.lease(1);
            if (!leases.isEmpty()) {
                return leases.getFirst();
            }
            queue.awaitDue(Duration.ofMillis(100));
        }
        throw new AssertionError("nothing was due");
    }
}
