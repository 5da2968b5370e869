package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.Settings;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;
import org.hubmark.queue.ReadableQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What an operator sees of a queue and does to it, on the cluster of {@code -Dhubmark.pulsar=ADDRESS} whose
 * broker answers administrators at {@code -Dhubmark.pulsar.admin=URL}. No hub may use its namespace.
 */
@Tag("long")
@EnabledIfSystemProperty(
        named = "hubmark.pulsar.admin",
        matches = "http.*",
        disabledReason =
                "no broker is named with -Dhubmark.pulsar.admin=http://HOST:PORT for administrators")
class PulsarOperatorTest {
    private static final int LARGE_BYTES = 7_000_000;
    private static final Duration LATER = Duration.ofHours(1);

    private final TestMail mail = new TestMail();
    private final PulsarEngine engine = new PulsarEngine();
    private final URI address =
            URI.create(Objects.requireNonNull(System.getProperty("hubmark.pulsar")));
    private final Settings settings = new Settings(Map.of(
            "pulsar.admin", Objects.requireNonNull(System.getProperty("hubmark.pulsar.admin"))));

    @Test
    void aDeadLetterIsSeenAndTriedAgain() throws Exception {
        QueueId waiting;
        QueueId deferred;
        QueueId dead;
        QueueId delivered;
        Instant due = Instant.now().plus(LATER).truncatedTo(ChronoUnit.SECONDS);
        try (MailQueue queue = open()) {
            delivered = leaseNew(queue, 100);
            queue.acknowledge(delivered);
            deferred = leaseNew(queue, 200);
            queue.defer(deferred, due, "451 later", List.of(RecipientResult.pending("451 later")));
            dead = leaseNew(queue, LARGE_BYTES);
            queue.deadLetter(dead, "550 no", List.of(RecipientResult.failed("550 no")));
            waiting = leaseNew(queue, 300);
            queue.release(waiting);
        }
        Map<QueueId, QueuedMessage> seen = look();
        assertThat(seen).containsKeys(deferred, dead, waiting).doesNotContainKey(delivered);
        assertThat(of(seen, waiting).state()).isEqualTo(QueuedMessage.State.QUEUED);
        QueuedMessage later = of(seen, deferred);
        assertThat(later.state()).isEqualTo(QueuedMessage.State.DEFERRED);
        assertThat(later.dueAt()).isEqualTo(due);
        assertThat(later.reason()).isEqualTo("451 later");
        assertThat(later.sizeBytes()).isEqualTo(200);
        QueuedMessage given = of(seen, dead);
        assertThat(given.state()).isEqualTo(QueuedMessage.State.DEAD);
        assertThat(given.reason()).isEqualTo("550 no");
        try (ReadableQueue view = engine.view(address, settings)) {
            assertThat(view.find(dead)).contains(given);
            try (InputStream content = view.content(dead).open()) {
                assertThat(content.readAllBytes()).hasSize(LARGE_BYTES);
            }
            assertThat(view.check(Long.MAX_VALUE).problems()).isEmpty();
        }
        QueueId absent = new QueueId(1);
        assertThat(operate(OperatorAction.RETRY, waiting, dead, absent))
                .containsOnly(
                        Map.entry(waiting, OperatorResult.UNFIT),
                        Map.entry(dead, OperatorResult.DONE),
                        Map.entry(absent, OperatorResult.ABSENT));
        try (MailQueue queue = open()) {
            Map<QueueId, Lease> leases = new HashMap<>();
            while (leases.size() < 2) {
                Lease next = TestMail.next(queue);
                leases.put(next.id(), next);
                queue.acknowledge(next.id());
            }
            assertThat(leases).containsOnlyKeys(waiting, dead);
            assertThat(of(leases, dead).results())
                    .containsExactly(RecipientResult.pending("550 no"));
            assertThat(of(leases, dead).sizeBytes()).isEqualTo(LARGE_BYTES);
        }
        assertThat(look()).doesNotContainKeys(waiting, dead).containsKey(deferred);
    }

    @Test
    void whatWasSetAsideIsReleasedOrDeleted() throws Exception {
        QueueId first;
        QueueId second;
        try (MailQueue queue = open()) {
            first = leaseNew(queue, 100);
            queue.setAside(first, "the agent broke down");
            second = leaseNew(queue, 100);
            queue.setAside(second, "the agent broke down");
        }
        assertThat(of(look(), first).state()).isEqualTo(QueuedMessage.State.DAMAGED);
        assertThat(operate(OperatorAction.RETRY, first))
                .containsOnly(Map.entry(first, OperatorResult.UNFIT));
        assertThat(operate(OperatorAction.RELEASE, first))
                .containsOnly(Map.entry(first, OperatorResult.DONE));
        assertThat(operate(OperatorAction.DELETE, second))
                .containsOnly(Map.entry(second, OperatorResult.DONE));
        assertThat(look()).containsKey(first).doesNotContainKey(second);
        try (MailQueue queue = open()) {
            assertThat(TestMail.next(queue).id()).isEqualTo(first);
            queue.acknowledge(first);
        }
        assertThat(look()).doesNotContainKey(first);
    }

    @Test
    void whatAHubMayBeDeliveringIsLeftAlone() {
        assertThatIOException()
                .isThrownBy(() -> operate(OperatorAction.DEAD_LETTER, new QueueId(1)))
                .withMessageStartingWith("mail in a cluster can't be made a dead letter by hand");
    }

    private Map<QueueId, OperatorResult> operate(OperatorAction action, QueueId... ids)
            throws IOException {
        return engine.operate(address, settings, action, List.of(ids));
    }

    private Map<QueueId, QueuedMessage> look() throws IOException {
        Map<QueueId, QueuedMessage> seen = new HashMap<>();
        try (ReadableQueue view = engine.view(address, settings)) {
            view.forEach(message -> seen.put(message.id(), message));
        }
        return seen;
    }

    private static <T> T of(Map<QueueId, T> all, QueueId id) {
        return Objects.requireNonNull(all.get(id));
    }

    private MailQueue open() throws IOException {
        return engine.open(address, settings, InstantSource.system());
    }

    /** {@return the id of a message that was accepted and leased} What else was there is taken out. */
    private QueueId leaseNew(MailQueue queue, int length) throws InterruptedException {
        QueueId id = ((Receipt.Queued) mail.offer(queue, length)).id();
        QueueId next = TestMail.next(queue).id();
        while (!next.equals(id)) {
            queue.acknowledge(next);
            next = TestMail.next(queue).id();
        }
        return id;
    }
}
