package org.hubmark.hub.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** When a worker starts, for which destination, and which messages it gets. */
final class ActiveWindowTest {
    private static final Duration LATE = Duration.ofMillis(5);

    private final AtomicLong nanos = new AtomicLong();
    private final List<ActiveWindow.Worker> started = new ArrayList<>();
    private ActiveWindow window = window(8);
    private long ids;

    @Test
    void aFreshMessageIsForTheWorkerThatLeads() {
        Lease one = add("y.example");
        ActiveWindow.Worker first = startedNow();
        assertThat(window.take(first)).isSameAs(one);
        Lease two = add("y.example");
        assertThat(started).isEmpty();
        assertThat(window.takeMore(first)).isSameAs(two);
        assertThat(window.takeMore(first)).isNull();
        // Another destination's need not wait for anybody, and doesn't mix with those of the first.
        Lease other = add("z.example");
        assertThat(window.takeMore(first)).isNull();
        assertThat(window.take(startedNow())).isSameAs(other);
        assertThat(window.underWay(first)).containsExactlyInAnyOrder(one, two);
    }

    @Test
    void whatTheLeadDoesNotTakeSoonAnotherWorkerTakes() {
        Lease one = add("y.example");
        ActiveWindow.Worker first = startedNow();
        assertThat(window.take(first)).isSameAs(one);
        Lease two = add("y.example");
        Lease three = add("y.example");
        later(LATE.minusNanos(1));
        assertThat(started).isEmpty();
        later(Duration.ofMillis(10));
        ActiveWindow.Worker second = startedNow();
        assertThat(window.take(second)).isSameAs(two);
        // What has waited so long is for each that asks.
        assertThat(window.takeMore(second)).isSameAs(three);
        Lease four = add("y.example");
        assertThat(window.takeMore(second)).isNull();
        assertThat(window.takeMore(first)).isSameAs(four);
    }

    @Test
    void anotherWorkerLeadsWhenTheFirstIsThrough() {
        Lease one = add("y.example");
        Lease two = add("y.example");
        ActiveWindow.Worker first = startedNow();
        assertThat(window.take(first)).isSameAs(one);
        later(Duration.ofMillis(10));
        ActiveWindow.Worker second = startedNow();
        assertThat(window.take(second)).isSameAs(two);
        window.done(first, one);
        assertThat(window.take(first)).isNull();
        Lease three = add("y.example");
        assertThat(window.takeMore(second)).isSameAs(three);
        window.done(second, two);
        window.done(second, three);
        assertThat(window.take(second)).isNull();
        // Nobody is busy with it, so there is nobody to wait for.
        Lease four = add("y.example");
        assertThat(window.take(startedNow())).isSameAs(four);
    }

    @Test
    void aDestinationGetsNoMoreWorkersThanItMay() {
        for (int i = 0; i < 6; i++) {
            add("y.example");
            nanos.addAndGet(Duration.ofMillis(10).toNanos());
        }
        later(Duration.ofMillis(10));
        later(Duration.ofMillis(10));
        later(Duration.ofMillis(10));
        assertThat(started).hasSize(3);
    }

    /** However many messages some destinations have, one that has no worker gets one. */
    @Test
    void halfOfTheWorkersAreKeptForDestinationsThatHaveNone() {
        for (String domain : List.of("a.example", "b.example")) {
            for (int i = 0; i < 10; i++) {
                add(domain);
            }
        }
        for (int i = 0; i < 10; i++) {
            later(Duration.ofMillis(10));
        }
        assertThat(started).hasSize(4);
        for (String domain : List.of("c.example", "d.example", "e.example", "f.example")) {
            Lease lease = add(domain);
            assertThat(window.take(started.removeLast())).isSameAs(lease);
            started.addFirst(started.getFirst());
        }
    }

    @Test
    void whenAllAreAtWorkDestinationsTakeTurns() {
        window = window(1);
        Lease one = add("y.example");
        Lease two = add("y.example");
        Lease other = add("z.example");
        ActiveWindow.Worker only = startedNow();
        assertThat(window.take(only)).isSameAs(one);
        assertThat(window.takeMore(only)).isNull();
        window.done(only, one);
        assertThat(window.take(only)).isSameAs(other);
        window.done(only, other);
        assertThat(window.take(only)).isSameAs(two);
        window.done(only, two);
        assertThat(window.take(only)).isNull();
    }

    @Test
    void theEndOfAllWorkersIsWaitedFor() throws Exception {
        add("y.example");
        ActiveWindow.Worker first = startedNow();
        assertThat(window.close()).hasSize(1);
        assertThat(window.awaitEnd(System.nanoTime())).isFalse();
        assertThat(window.take(first)).isNull();
        assertThat(window.awaitEnd(System.nanoTime())).isTrue();
    }

    private ActiveWindow window(int workers) {
        Map<String, String> settings = Map.of(
                "delivery.workers", Integer.toString(workers), "delivery.destination-workers", "3");
        return new ActiveWindow(
                DeliverySettings.read(new Settings(settings)), started::add, nanos::get);
    }

    private ActiveWindow.Worker startedNow() {
        assertThat(started).hasSize(1);
        return Objects.requireNonNull(started.removeFirst());
    }

    private void later(Duration time) {
        nanos.addAndGet(time.toNanos());
        window.look();
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
}
