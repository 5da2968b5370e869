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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** When a worker starts, for which destination, which messages it gets, and when the window is full. */
final class ActiveWindowTest {
    private static final Duration LATE = Duration.ofMillis(5);

    private final AtomicLong nanos = new AtomicLong();
    private final List<ActiveWindow.Worker> started = new ArrayList<>();
    private ActiveWindow window = window(8, Long.MAX_VALUE);
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
        window = window(1, Long.MAX_VALUE);
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

    @Test
    void theWindowIsFullWhenItsMemoryIs() throws Exception {
        long large = lease("y.example", 1_000).memoryBytes();
        assertThat(large).isGreaterThan(1_000 * 256);
        window = window(8, 2 * large);
        add(lease("y.example", 1_000));
        assertThat(window.awaitRoom(Duration.ZERO).isNone()).isFalse();
        add(lease("y.example", 1_000));
        assertThat(window.awaitRoom(Duration.ZERO).isNone()).isTrue();
        ActiveWindow.Worker first = startedNow();
        window.done(first, Objects.requireNonNull(window.take(first)));
        assertThat(window.awaitRoom(Duration.ZERO).bytes()).isEqualTo(large);
        window.done(first, Objects.requireNonNull(window.take(first)));
        assertThat(window.awaitRoom(Duration.ZERO)).isEqualTo(window.all());
    }

    @Test
    void oneMessageFitsAnEmptyWindowWhateverItsSize() throws Exception {
        window = window(8, 10_000);
        Lease larger = add(lease("y.example", Envelope.FORWARD_PATHS_MAX));
        assertThat(window.take(startedNow())).isSameAs(larger);
        assertThat(window.awaitRoom(Duration.ZERO).isNone()).isTrue();
    }

    /** As with workers: what is under way for one leaves half of the memory to others. */
    @Test
    void halfOfTheMemoryIsKeptForDestinationsThatHaveNothingUnderWay() {
        window = window(8, 6 * lease("y.example", 100).memoryBytes());
        for (int i = 0; i < 5; i++) {
            add(lease("y.example", 100));
        }
        ActiveWindow.Worker first = startedNow();
        Lease one = Objects.requireNonNull(window.take(first));
        assertThat(window.takeMore(first)).isNotNull();
        assertThat(window.takeMore(first)).isNotNull();
        assertThat(window.takeMore(first)).isNull();
        later(Duration.ofMillis(10));
        assertThat(started).isEmpty();
        Lease other = add(lease("z.example", 100));
        assertThat(window.take(startedNow())).isSameAs(other);
        window.done(first, one);
        assertThat(window.takeMore(first)).isNull();
        window.underWay(first).forEach(lease -> window.done(first, lease));
        assertThat(window.take(first)).isNotNull();
    }

    /** However many they are, they leave half of the window to others. */
    @Test
    void slowDestinationsGiveBackWhatFillsTheWindow() throws Exception {
        long large = lease("10.example", 100).memoryBytes();
        window = window(8, 40 * large);
        for (int i = 0; i < 40; i++) {
            add(lease(10 + i % 20 + ".example", 100));
        }
        assertThat(window.takeSlow()).isEmpty();
        later(Duration.ofSeconds(29));
        assertThat(window.takeSlow()).isEmpty();
        later(Duration.ofSeconds(1));
        assertThat(window.takeSlow()).hasSize(20);
        assertThat(window.takeSlow()).isEmpty();
        assertThat(window.awaitRoom(Duration.ZERO).bytes()).isEqualTo(20 * large);
        assertThat(window.close()).hasSize(20);
        assertThat(window.awaitRoom(Duration.ZERO)).isEqualTo(window.all());
    }

    private ActiveWindow window(int workers, long bytesMax) {
        Map<String, String> settings = Map.of(
                "delivery.workers", Integer.toString(workers), "delivery.destination-workers", "3");
        return new ActiveWindow(
                DeliverySettings.read(new Settings(settings)), bytesMax, started::add, nanos::get);
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
        return add(lease(destination, 1));
    }

    private Lease add(Lease lease) {
        window.add(List.of(lease));
        return lease;
    }

    private Lease lease(String destination, int recipients) {
        Envelope envelope = new Envelope(
                "a@x.example",
                Collections.nCopies(recipients, "b@" + destination),
                BodyType.SEVEN_BIT,
                Instant.EPOCH,
                "127.0.0.1");
        return new Lease(new QueueId(++ids), envelope, 1, 0, InputStream::nullInputStream);
    }
}
