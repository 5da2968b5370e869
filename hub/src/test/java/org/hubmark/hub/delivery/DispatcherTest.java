package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Deliveries;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Settings;
import org.hubmark.hub.MemoryQueue;
import org.hubmark.hub.TestStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is due is delivered and settled as the agent says; what a destination does to its own mail
 * it doesn't do to that of others. Each test runs a dispatcher on a real store whose clock it moves.
 */
final class DispatcherTest {
    private static final Duration GRACE = Duration.ofMinutes(1);

    /** For what does not end before the test lets it, however long one waits. */
    private static final Duration SHORT = Duration.ofMillis(100);

    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final Set<QueueId> delivered = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path folder;

    @AutoClose
    private TestStore queue;

    @BeforeEach
    void open() throws IOException {
        queue = new TestStore(folder);
    }

    @Test
    void deliversEverythingWithAndWithoutWorkers() {
        for (boolean inline : new boolean[] {true, false}) {
            List<QueueId> ids = List.of(
                    queue.enqueue("b@y.example"),
                    queue.enqueue("c@z.example"),
                    queue.enqueue("d@y.example"));
            Dispatcher dispatcher = start(inline, Map.of(), this::deliver);
            await().until(() -> queue.store.statistics().length().messages() == 0);
            assertThat(delivered).containsAll(ids);
            assertThat(dispatcher.stop(GRACE)).isTrue();
            assertThat(dispatcher.settlement().delivered().sum()).isEqualTo(3);
        }
    }

    @Test
    void triesAgainWhenDueAndGivesUpWhenTooOld() throws IOException {
        queue.enqueue("", "b@y.example");
        AtomicInteger attempts = new AtomicInteger();
        Dispatcher dispatcher = start(false, Map.of("delivery.expire-after", "20m"), lease -> {
            attempts.incrementAndGet();
            return new Outcome.Deferred("no route");
        });
        await().until(() -> dispatcher.settlement().deferred().sum() == 1);
        await().until(() -> queue.messages().getFirst().attempts() == 1);
        QueuedMessage message = queue.messages().getFirst();
        assertThat(message.state()).isEqualTo(QueuedMessage.State.DEFERRED);
        assertThat(message.reason()).isEqualTo("no route");
        assertThat(message.dueAt()).isEqualTo(TestStore.START.plus(Duration.ofMinutes(5)));
        assertThat(attempts).hasValue(1);

        queue.advance(Duration.ofMinutes(5));
        await().until(() -> dispatcher.settlement().deferred().sum() == 2);
        queue.advance(Duration.ofDays(5));
        await().until(() -> queue.store.statistics().length().deadMessages() == 1);
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(attempts).hasValue(3);
        assertThat(queue.messages().getFirst().reason()).contains("too old", "no route");
    }

    /** It used to wait until there was less fresh mail than the window holds. */
    @Test
    void deferredMailHasItsTurnWhileFreshMailFillsTheWindow() {
        QueueId deferred = queue.enqueue("b@y.example");
        Dispatcher first = start(false, Map.of(), lease -> new Outcome.Deferred("450 4.2.1 later"));
        await().until(() -> first.settlement().deferred().sum() == 1);
        assertThat(first.stop(GRACE)).isTrue();
        for (int i = 0; i < 300; i++) {
            queue.enqueue("b@y.example");
        }
        queue.advance(Duration.ofMinutes(5));
        List<QueueId> order = Collections.synchronizedList(new ArrayList<>());
        Dispatcher second = start(false, Map.of("delivery.active-max", "8"), lease -> {
            order.add(lease.id());
            return deliver(lease);
        });
        await().until(() -> queue.store.statistics().length().messages() == 0);
        assertThat(second.stop(GRACE)).isTrue();
        assertThat(order.indexOf(deferred)).isBetween(0, 50);
    }

    @Test
    void keepsWhatCantBeReturnedAsADeadLetter() throws IOException {
        QueueId id = queue.enqueue("", "b@y.example");
        Dispatcher dispatcher =
                start(false, Map.of(), lease -> new Outcome.Undeliverable("no such user"));
        await().until(() -> queue.store.statistics().length().deadMessages() == 1);
        assertThat(dispatcher.stop(GRACE)).isTrue();
        QueuedMessage message = queue.messages().getFirst();
        assertThat(message.id()).isEqualTo(id);
        assertThat(message.reason()).isEqualTo("no such user");
    }

    @Test
    void aDestinationThatHangsDoesNotHoldUpTheRest() {
        CountDownLatch hanging = new CountDownLatch(1);
        // More than the window holds, all before the one for somebody else.
        for (int i = 0; i < 60; i++) {
            queue.enqueue("user" + i + "@hangs.example");
        }
        QueueId other = queue.enqueue("b@y.example");
        Dispatcher dispatcher = start(
                false,
                Map.of(
                        "delivery.active-max", "20",
                        "delivery.workers", "4",
                        "delivery.destination-workers", "2",
                        "delivery.destination-patience", "50ms"),
                lease -> {
                    if (lease.envelope().forwardPaths().getFirst().endsWith("@hangs.example")) {
                        awaitUninterrupted(hanging);
                    }
                    return deliver(lease);
                });
        await().until(() -> delivered.contains(other));
        assertThat(delivered).hasSize(1);
        hanging.countDown();
        assertThat(dispatcher.stop(GRACE)).isTrue();
    }

    /** With the settings that everybody has. */
    @Test
    void aThousandDestinationsThatHangDelayNoOthers() throws Exception {
        int destinations = 10_000;
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(destinations - destinations / 10);
        MemoryQueue memory = new MemoryQueue(queue.clock());
        ContentBudget budget = new ContentBudget(64L << 20);
        for (int i = 0; i < destinations; i++) {
            String path = "b@" + (i % 10 == 0 ? "hangs" : "takes") + i + ".example";
            Content content = Objects.requireNonNull(Content.open(memory.nextId(), budget, 1));
            memory.enqueue(envelope(path), content, receipt -> {});
        }
        Dispatcher dispatcher = start(memory, false, Map.of(), lease -> {
            if (lease.envelope().forwardPaths().getFirst().startsWith("b@hangs")) {
                awaitUninterrupted(hanging);
            } else {
                others.countDown();
            }
            return new Outcome.Delivered();
        });
        assertThat(others.await(1, TimeUnit.MINUTES)).isTrue();
        hanging.countDown();
        assertThat(dispatcher.stop(GRACE)).isTrue();
    }

    @Test
    void whatCantBeSettledIsSetAsideAlone() throws Exception {
        MemoryQueue memory = new MemoryQueue(queue.clock());
        ContentBudget budget = new ContentBudget(64L << 20);
        for (int i = 0; i < 3; i++) {
            Content content = Objects.requireNonNull(Content.open(memory.nextId(), budget, 1));
            memory.enqueue(envelope("b@y.example"), content, r -> {});
        }
        CountDownLatch taken = new CountDownLatch(1);
        DeliveryAgent agent = new DeliveryAgent() {
            @Override
            public Outcome deliver(Lease lease) {
                throw new AssertionError("deliveries are given several at once");
            }

            @Override
            public void deliver(Lease first, Deliveries more) {
                Lease second = Objects.requireNonNull(more.next());
                Lease third = Objects.requireNonNull(more.next());
                more.settle(first, new Outcome.Delivered());
                // It has no result for its recipient.
                more.settle(second, new Outcome.Partial(List.of()));
                more.settle(third, new Outcome.Delivered());
                taken.countDown();
            }
        };
        Dispatcher dispatcher = start(memory, false, Map.of(), agent);
        assertThat(taken.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(failure).isNotDone();
        assertThat(dispatcher.settlement().delivered().sum()).isEqualTo(2);
    }

    @Test
    void aMessageForWhichTheAgentThrowsIsSetAsideAndTheRestGoesOn() throws IOException {
        QueueId damaged = queue.enqueue("b@y.example");
        QueueId broken = queue.enqueue("c@y.example");
        QueueId sound = queue.enqueue("d@z.example");
        Dispatcher dispatcher = start(false, Map.of(), lease -> {
            if (lease.id().equals(damaged)) {
                throw new UncheckedIOException(new IOException("checksum differs"));
            }
            if (lease.id().equals(broken)) {
                throw new AssertionError("an agent's own mistake");
            }
            return deliver(lease);
        });
        await().until(() -> queue.store.statistics().length().damagedMessages() == 2);
        await().until(() -> delivered.contains(sound));
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(failure).isNotDone();
        // Answered after what was handed over before; the listing below reads the files.
        assertThat(queue.store.find(sound)).isEmpty();
        assertThat(queue.messages()).extracting(QueuedMessage::id).containsExactly(damaged, broken);
        assertThat(queue.messages().getFirst().reason()).contains("checksum differs");
        assertThat(queue.messages().getFirst().state()).isEqualTo(QueuedMessage.State.DAMAGED);
    }

    @Test
    void whatAnAgentThrowsBecauseItEndsIsNotTheMessages() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayThrow = new CountDownLatch(1);
        queue.enqueue("b@y.example");
        Dispatcher dispatcher = start(false, Map.of(), lease -> {
            begun.countDown();
            awaitUninterrupted(mayThrow);
            throw new IllegalStateException("the agent ends");
        });
        begun.await();
        assertThat(dispatcher.stop(SHORT, SHORT)).isFalse();
        mayThrow.countDown();
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(queue.messages().getFirst().state()).isEqualTo(QueuedMessage.State.QUEUED);
    }

    @Test
    void aProcessThatIsBrokenStopsTheDeliveryAndLosesNothing() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        Dispatcher dispatcher = start(false, Map.of(), lease -> {
            throw new OutOfMemoryError("simulated");
        });
        Throwable cause = failure.join();
        assertThat(cause).hasMessageContaining(id.toString()).hasMessageContaining("simulated");
        queue.enqueue("c@z.example");
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(dispatcher.settlement().delivered().sum()).isZero();
        assertThat(queue.messages()).hasSize(2);
    }

    @Test
    void aLackOfDirectMemoryPutsAMessageOff() throws IOException {
        QueueId id = queue.enqueue("b@y.example");
        AtomicInteger attempts = new AtomicInteger();
        Dispatcher dispatcher = start(false, Map.of("delivery.next-hop-retry", "0s"), lease -> {
            if (attempts.incrementAndGet() == 1) {
                throw new OutOfMemoryError("Cannot reserve 8192 bytes of direct buffer memory");
            }
            return deliver(lease);
        });
        await().until(() -> delivered.contains(id));
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(failure).isNotDone();
    }

    @Test
    void stoppingLetsWhatIsUnderWayEndAndLeavesTheRest() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        QueueId first = queue.enqueue("b@y.example");
        queue.enqueue("c@y.example");
        Dispatcher dispatcher = start(false, Map.of("delivery.destination-workers", "1"), lease -> {
            begun.countDown();
            awaitUninterrupted(mayEnd);
            return deliver(lease);
        });
        begun.await();
        assertThat(dispatcher.stop(SHORT, SHORT)).isFalse();
        mayEnd.countDown();
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(delivered).containsExactly(first);
        await().until(() -> queue.messages().size() == 1);
        assertThat(queue.messages().getFirst().attempts()).isZero();
    }

    @Test
    void whatIsCutWhenTheTimeIsOverStaysAsItWas() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cut = new CountDownLatch(1);
        queue.enqueue("b@y.example");
        DeliveryAgent hangs = new DeliveryAgent() {
            @Override
            public Outcome deliver(Lease lease) {
                begun.countDown();
                awaitUninterrupted(cut);
                return new Outcome.Deferred("closed the connection");
            }

            @Override
            public void abort() {
                cut.countDown();
            }
        };
        Dispatcher dispatcher = start(false, Map.of(), hangs);
        begun.await();
        assertThat(dispatcher.stop(Duration.ofMillis(10))).isTrue();
        QueuedMessage message = queue.messages().getFirst();
        assertThat(message.state()).isEqualTo(QueuedMessage.State.QUEUED);
        assertThat(message.attempts()).isZero();
        assertThat(queue.store.lease(1)).hasSize(1);
    }

    private static Envelope envelope(String forwardPath) {
        return new Envelope(
                "a@x.example",
                List.of(forwardPath),
                BodyType.SEVEN_BIT,
                TestStore.START,
                "127.0.0.1");
    }

    private Dispatcher start(boolean inline, Map<String, String> settings, DeliveryAgent agent) {
        return start(queue.store, inline, settings, agent);
    }

    private Dispatcher start(
            MailQueue from, boolean inline, Map<String, String> settings, DeliveryAgent agent) {
        Dispatcher dispatcher = new Dispatcher(
                from,
                agent,
                DeliverySettings.read(new Settings(settings)),
                queue.tracking,
                new ResidenceHistogram(),
                queue.clock(),
                failure);
        dispatcher.start(inline);
        return dispatcher;
    }

    private Outcome deliver(Lease lease) {
        delivered.add(lease.id());
        return new Outcome.Delivered();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
