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
import org.hubmark.core.Settings;
import org.hubmark.testkit.MailQueueContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * What a hub relies on in a queue, against the cluster that {@code -Dhubmark.pulsar=ADDRESS} names. Its
 * namespace has to be empty, and no other hub may use it.
 */
@Tag("long")
@EnabledIfSystemProperty(
        named = "hubmark.pulsar",
        matches = "pulsar://.*",
        disabledReason =
                "no cluster is named with -Dhubmark.pulsar=pulsar://HOST:PORT/TENANT/NAMESPACE")
class PulsarContractTest implements MailQueueContract {
    private final ContentBudget budget = new ContentBudget(512L << 20);

    @Override
    public MailQueue open() throws IOException {
        return open(Settings.defaults());
    }

    /** What has been sent anew is on its way for a moment. */
    @Override
    public Duration quiet() {
        return Duration.ofSeconds(3);
    }

    @Test
    void moreThanTheBudgetIsRefusedAndRoomComesBack() throws Exception {
        Settings small = new Settings(Map.of("pulsar.pending-bytes-max", "3MB"));
        try (MailQueue queue = open(small)) {
            assertThat(offer(queue, 4_000_000))
                    .isEqualTo(new Receipt.Refused(
                            Receipt.Reason.BYTES_IN_FLIGHT,
                            "no memory for more content in flight"));
            for (int i = 0; i < 4; i++) {
                Receipt receipt = offer(queue, 900_000);
                assertThat(receipt).isInstanceOf(Receipt.Queued.class);
                queue.acknowledge(next(queue).id());
            }
            assertThat(queue.refusal()).isNull();
        }
        assertThat(budget.bytesUsed()).isZero();
    }

    @Test
    void endingALeaseTwiceChangesNothing() throws Exception {
        try (MailQueue queue = open()) {
            assertThat(offer(queue, 100)).isInstanceOf(Receipt.Queued.class);
            QueueId id = next(queue).id();
            queue.acknowledge(id);
            queue.release(id);
            queue.defer(id, Instant.now(), "450", List.of());
            queue.acknowledge(new QueueId(1));
        }
        try (MailQueue queue = open()) {
            assertThat(queue.awaitDue(quiet())).isFalse();
            assertThat(queue.lease(1)).isEmpty();
        }
    }

    private static MailQueue open(Settings settings) throws IOException {
        URI address = URI.create(Objects.requireNonNull(System.getProperty("hubmark.pulsar")));
        return new PulsarEngine().open(address, settings, InstantSource.system());
    }

    private Receipt offer(MailQueue queue, int length) {
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

    private static Lease next(MailQueue queue) throws InterruptedException {
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
