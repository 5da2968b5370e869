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
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.hub.TestStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

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
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    @TempDir
    private Path folder;

    @AutoClose
    private TestStore queue;

    @BeforeEach
    void open() throws IOException {
        queue = new TestStore(folder);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachMessageIsSettledByItsOwnOutcome(boolean inline) throws IOException {
        List<QueueId> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.add(queue.enqueue("b@" + (i % 2) + ".example"));
        }
        Dispatcher dispatcher = start(inline, Map.of(), lease -> switch (ids.indexOf(lease.id())) {
            case 1 -> new Outcome.Deferred("450 4.2.1 later");
            case 3 -> throw new AssertionError("an agent's own mistake");
            case 4 -> new Outcome.NotTried("nobody was asked");
            case 5 -> throw new UncheckedIOException(new IOException("checksum differs"));
            default -> deliver(lease);
        });
        await().until(() -> queue.store.statistics().length().messages() == 4
                && queue.store.statistics().length().damagedMessages() == 2);
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(failure).isNotDone();
        assertThat(dispatcher.settlement().delivered().sum()).isEqualTo(3);
        assertThat(delivered).containsExactlyInAnyOrder(ids.get(0), ids.get(2), ids.get(6));
        assertThat(find(ids.get(1)).state()).isEqualTo(QueuedMessage.State.DEFERRED);
        assertThat(find(ids.get(3)).state()).isEqualTo(QueuedMessage.State.DAMAGED);
        assertThat(find(ids.get(4)).attempts()).isZero();
        assertThat(find(ids.get(5)).state()).isEqualTo(QueuedMessage.State.DAMAGED);
        assertThat(find(ids.get(5)).reason()).contains("checksum differs");
    }

    @Test
    void aDestinationThatHangsDoesNotHoldUpTheRest() {
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
                    if (lease.destination().equals("hangs.example")) {
                        released.join();
                    }
                    return deliver(lease);
                });
        await().until(() -> delivered.contains(other));
        assertThat(delivered).hasSize(1);
        released.complete(null);
        assertThat(dispatcher.stop(GRACE)).isTrue();
    }

    /** With the settings that everybody has. */
    @Test
    void aThousandDestinationsThatHangDelayNoOthers() throws Exception {
        int destinations = 10_000;
        CountDownLatch others = new CountDownLatch(destinations - destinations / 10);
        enqueue(destinations, i -> "b@" + (i % 10 == 0 ? "hangs" : "takes") + i + ".example");
        Dispatcher dispatcher = start(false, Map.of(), lease -> {
            if (lease.destination().startsWith("hangs")) {
                released.join();
            } else {
                others.countDown();
            }
            return new Outcome.Delivered();
        });
        assertThat(others.await(1, TimeUnit.MINUTES)).isTrue();
        released.complete(null);
        assertThat(dispatcher.stop(GRACE)).isTrue();
    }

    @Test
    void whatCantBeSettledIsSetAsideAlone() throws Exception {
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
        enqueue(3, i -> "b@y.example");
        Dispatcher dispatcher = start(false, Map.of(), agent);
        assertThat(taken.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(failure).isNotDone();
        assertThat(dispatcher.settlement().delivered().sum()).isEqualTo(2);
    }

    /** What was delivered before is settled, and the rest stays. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProcessThatIsBrokenStopsTheDeliveryAndLosesNothing(boolean inline) throws IOException {
        QueueId sound = inline ? queue.enqueue("b@y.example") : new QueueId(0);
        QueueId broken = queue.enqueue("c@y.example");
        Dispatcher dispatcher = start(inline, Map.of(), lease -> {
            if (lease.id().equals(sound)) {
                return deliver(lease);
            }
            throw new OutOfMemoryError("simulated");
        });
        assertThat(failure.join())
                .hasMessageContaining(broken.toString())
                .hasMessageContaining("simulated");
        QueueId later = queue.enqueue("d@z.example");
        assertThat(dispatcher.stop(GRACE)).isTrue();
        assertThat(queue.store.find(sound)).isEmpty();
        assertThat(queue.messages()).extracting(QueuedMessage::id).containsExactly(broken, later);
        assertThat(dispatcher.settlement().delivered().sum()).isEqualTo(inline ? 1 : 0);
    }

    @Test
    void aLackOfDirectMemoryPutsAMessageOff() {
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

    /** What an agent throws because it ends is not the message's fault. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stoppingLetsWhatIsUnderWayEndAndLeavesTheRest(boolean isThrown) throws Exception {
        QueueId first = queue.enqueue("b@y.example");
        QueueId second = queue.enqueue("c@y.example");
        Dispatcher dispatcher = start(false, Map.of("delivery.destination-workers", "1"), lease -> {
            begun.countDown();
            released.join();
            if (isThrown) {
                throw new IllegalStateException("the agent ends");
            }
            return deliver(lease);
        });
        begun.await();
        assertThat(dispatcher.stop(SHORT, SHORT)).isFalse();
        released.complete(null);
        assertThat(dispatcher.stop(GRACE)).isTrue();
        await().until(() -> queue.messages().size() == (isThrown ? 2 : 1));
        assertThat(queue.store.find(first).isPresent()).isEqualTo(isThrown);
        assertThat(find(second).attempts()).isZero();
        assertThat(queue.messages())
                .extracting(QueuedMessage::state)
                .containsOnly(QueuedMessage.State.QUEUED);
    }

    @Test
    void whatIsCutWhenTheTimeIsOverStaysAsItWas() throws Exception {
        QueueId id = queue.enqueue("b@y.example");
        DeliveryAgent hangs = new DeliveryAgent() {
            @Override
            public Outcome deliver(Lease lease) {
                begun.countDown();
                released.join();
                return new Outcome.Deferred("closed the connection");
            }

            @Override
            public void abort() {
                released.complete(null);
            }
        };
        Dispatcher dispatcher = start(false, Map.of(), hangs);
        begun.await();
        assertThat(dispatcher.stop(Duration.ofMillis(10))).isTrue();
        assertThat(find(id).state()).isEqualTo(QueuedMessage.State.QUEUED);
        assertThat(find(id).attempts()).isZero();
        assertThat(queue.store.lease(1)).hasSize(1);
    }

    /** Some wait for a sync together; the store has room for those. */
    private void enqueue(int messages, IntFunction<String> forwardPath) {
        ContentBudget budget = new ContentBudget(64L << 20);
        for (int i = 1; i <= messages; i++) {
            Content content = Objects.requireNonNull(Content.open(queue.store.nextId(), budget, 1));
            Envelope envelope = new Envelope(
                    "a@x.example",
                    List.of(forwardPath.apply(i)),
                    BodyType.SEVEN_BIT,
                    TestStore.START,
                    "127.0.0.1");
            CompletableFuture<Receipt> receipt = new CompletableFuture<>();
            queue.store.enqueue(envelope, content, receipt::complete);
            if (i % 500 == 0 || i == messages) {
                assertThat(receipt.join()).isInstanceOf(Receipt.Queued.class);
            }
        }
    }

    private Dispatcher start(boolean inline, Map<String, String> settings, DeliveryAgent agent) {
        Dispatcher dispatcher = new Dispatcher(
                queue.store,
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

    private QueuedMessage find(QueueId id) {
        return queue.store.find(id).orElseThrow();
    }
}
