package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.MailQueueContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a hub relies on in a queue, against the cluster that {@code HUBMARK_PULSAR} names, in a namespace that
 * nothing else uses.
 */
@OnCluster
class PulsarContractTest implements MailQueueContract {
    private static @Nullable TestNamespace namespace;

    private final TestMail mail = new TestMail();

    @BeforeAll
    static void begin() throws Exception {
        namespace = new TestNamespace();
    }

    @AfterAll
    static void end() throws Exception {
        Objects.requireNonNull(namespace).close();
    }

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
            assertThat(mail.offer(queue, 4_000_000))
                    .isEqualTo(new Receipt.Refused(
                            Receipt.Reason.BYTES_IN_FLIGHT,
                            "no memory for more content in flight"));
            for (int i = 0; i < 4; i++) {
                Receipt receipt = mail.offer(queue, 900_000);
                assertThat(receipt).isInstanceOf(Receipt.Queued.class);
                queue.acknowledge(TestMail.next(queue).id());
            }
            assertThat(queue.refusal()).isNull();
        }
        assertThat(mail.bytesUsed()).isZero();
    }

    @Test
    void endingALeaseTwiceChangesNothing() throws Exception {
        try (MailQueue queue = open()) {
            assertThat(mail.offer(queue, 100)).isInstanceOf(Receipt.Queued.class);
            QueueId id = TestMail.next(queue).id();
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
        URI address = Objects.requireNonNull(namespace).queue();
        return new PulsarEngine().open(address, settings, InstantSource.system());
    }
}
