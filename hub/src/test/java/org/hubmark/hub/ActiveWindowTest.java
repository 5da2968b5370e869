package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/** Which worker gets a message: the one that leads the way to its destination, or one that is idle. */
@Timeout(120)
final class ActiveWindowTest {
    private final AtomicLong nanos = new AtomicLong();
    private final ActiveWindow window = new ActiveWindow(
            DeliverySettings.read(new Settings(Map.of("delivery.destination-workers", "3"))),
            nanos::get);
    private final ActiveWindow.Worker first = new ActiveWindow.Worker();
    private final ActiveWindow.Worker second = new ActiveWindow.Worker();
    private long ids;

    @AfterEach
    void close() {
        assertThat(window.close()).isEmpty();
    }

    @Test
    void aFreshMessageIsForTheWorkerThatLeads() throws Exception {
        Lease one = add("y.example");
        assertThat(window.take(first)).isSameAs(one);
        CompletableFuture<Lease> idle = takeByIdle(second);
        Lease two = add("y.example");
        assertThat(window.takeMore(first)).isSameAs(two);
        assertThat(window.takeMore(first)).isNull();
        // Another destination's need not wait for anybody.
        Lease other = add("z.example");
        assertThat(idle.get()).isSameAs(other);
        assertThat(window.underWay(first)).containsExactlyInAnyOrder(one, two);
    }

    @Test
    void whatTheLeadDoesNotTakeSoonAnIdleWorkerTakes() throws Exception {
        Lease one = add("y.example");
        assertThat(window.take(first)).isSameAs(one);
        CompletableFuture<Lease> idle = takeByIdle(second);
        Lease two = add("y.example");
        Lease three = add("y.example");
        nanos.addAndGet(Duration.ofMillis(5).toNanos());
        assertThat(idle.get()).isSameAs(two);
        // What has waited so long is for each that asks.
        assertThat(window.takeMore(second)).isSameAs(three);
        Lease four = add("y.example");
        assertThat(window.takeMore(second)).isNull();
        assertThat(window.takeMore(first)).isSameAs(four);
    }

    @Test
    void anotherWorkerLeadsWhenTheFirstIsThrough() throws Exception {
        Lease one = add("y.example");
        Lease two = add("y.example");
        assertThat(window.take(first)).isSameAs(one);
        nanos.addAndGet(Duration.ofMillis(5).toNanos());
        assertThat(window.take(second)).isSameAs(two);
        Lease three = add("y.example");
        assertThat(window.takeMore(second)).isNull();
        window.done(first, one);
        assertThat(window.takeMore(second)).isSameAs(three);
        window.done(second, two);
        window.done(second, three);
        // Nobody is busy with it, so there is nobody to wait for.
        Lease four = add("y.example");
        assertThat(window.take(first)).isSameAs(four);
    }

    @Test
    void aDestinationGetsNoMoreWorkersThanItMay() throws Exception {
        List<Lease> leases = List.of(add("y.example"), add("y.example"), add("y.example"));
        nanos.addAndGet(Duration.ofMillis(5).toNanos());
        for (Lease lease : leases) {
            assertThat(window.take(new ActiveWindow.Worker())).isSameAs(lease);
        }
        CompletableFuture<Lease> idle = takeByIdle(first);
        Lease four = add("y.example");
        nanos.addAndGet(Duration.ofMillis(5).toNanos());
        Lease other = add("z.example");
        assertThat(idle.get()).isSameAs(other);
        assertThat(window.close()).containsExactly(four);
    }

    private Lease add(String destination) {
        Envelope envelope = new Envelope(
                "a@x.example",
                List.of("b@" + destination),
                BodyType.SEVEN_BIT,
                Instant.EPOCH,
                "127.0.0.1");
        Lease lease = new Lease(new QueueId(++ids), envelope, 1, 0, InputStream::nullInputStream);
        window.add(List.of(lease));
        return lease;
    }

    /** {@return what a worker gets that had nothing to do} */
    private CompletableFuture<Lease> takeByIdle(ActiveWindow.Worker worker) {
        CompletableFuture<Lease> taken = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                taken.complete(window.take(worker));
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING);
        return taken;
    }
}
