package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Proves what random histories of a store meet rarely or not at all, each promise by one case against the
 * public API. The store is checked for consistency after each case.
 */
class QueueStoreTest {
    @TempDir
    Path folder;

    @Test
    void leasesUntilTheirMemoryIsUsed() throws IOException {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            int others = queue.pushEnvelopesOutOfMemory();
            QueueId first = queue.enqueue("in memory");
            for (int i = 0; i < 4; i++) {
                queue.enqueue("in memory too");
            }
            QueueStore store = queue.store();
            // Those whose envelopes have to be read, and those whose needn't.
            List<Lease> large = store.lease(others, 15_000_000);
            assertThat(large).hasSizeBetween(2, others - 1);
            assertThat(large.stream().mapToLong(Lease::memoryBytes).sum())
                    .isBetween(15_000_000L, 15_000_000 + large.getFirst().memoryBytes());
            assertThat(store.lease(others - large.size(), Long.MAX_VALUE))
                    .hasSize(others - large.size());
            assertThat(store.lease(10, 0)).isEmpty();
            List<Lease> small = store.lease(10, 1);
            assertThat(small).extracting(Lease::id).containsExactly(first);
            assertThat(store.lease(10, small.getFirst().memoryBytes() + 1)).hasSize(2);
            assertThat(store.lease(1, Long.MAX_VALUE)).hasSize(1);
            assertThat(store.lease(10, Long.MAX_VALUE)).hasSize(1);
        }
    }

    /** One message lies in the log, the other in the queue database. */
    @Test
    void whatWasDeferredByAClockAheadIsTriedWhenItIsSetBack() throws IOException {
        Duration ahead = Duration.ofDays(400);
        Duration waitMax = Duration.ofHours(4);
        try (StoreUnderTest queue = StoreUnderTest.at(folder).log(1 << 20, 2).open()) {
            queue.step(ahead);
            List<QueueId> deferred = new ArrayList<>(List.of(queue.enqueue("moved")));
            for (int i = 0; i < 50; i++) {
                queue.enqueue(100_000);
            }
            deferred.add(queue.enqueue("in the log"));
            for (Lease lease : queue.store().lease(100)) {
                if (deferred.contains(lease.id())) {
                    queue.store().defer(lease.id(), queue.now().plus(waitMax), "later");
                } else {
                    queue.store().acknowledge(lease.id());
                }
            }
            queue.reopen();
            queue.store().limitWait(waitMax);
            assertThat(queue.store().lease(10)).isEmpty();
            queue.step(ahead.negated());
            assertThat(queue.store().lease(10))
                    .extracting(Lease::id)
                    .containsExactlyInAnyOrderElementsOf(deferred);
            queue.reopen();
            queue.store().limitWait(waitMax);
            assertThat(queue.store().lease(10)).hasSize(deferred.size());
        }
    }

    /** Many times: both have to be in one group of the log. */
    @Test
    void whatIsGivenUpStaysSoWhenItsNotificationEndsAtOnce() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueStore store = queue.store();
            for (int i = 0; i < 200; i++) {
                QueueId about = queue.enqueue("about");
                QueueId notification = queue.enqueue("notification");
                assertThat(store.lease(2)).hasSize(2);
                store.defer(about, queue.now().plusSeconds(60), "later", List.of(), notification);
                queue.awaitCommit();
                if (i % 2 == 0) {
                    store.deadLetter(about, "given up");
                } else {
                    store.setAside(about, "can't be read");
                }
                store.notNotified(notification, about, "550 no", List.of());
                queue.awaitCommit();
                assertThat(queue.message(about).reason())
                        .isEqualTo(i % 2 == 0 ? "given up" : "can't be read");
            }
        }
    }

    /** Else a clock that is set back by a day would hold mail back for a day. */
    @Test
    void whatIsHeldBackWaitsInMemoryAndIsDueWhenTheClockIsSetBack() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("fresh");
            queue.leaseOne();
            long groups = queue.store().statistics().log().groups();
            queue.store().postpone(id, queue.now().plusSeconds(30), "nobody was asked");
            queue.step(Duration.ofSeconds(-9));
            assertThat(queue.store().lease(1)).isEmpty();
            assertThat(queue.state(id)).isEqualTo(QueuedMessage.State.QUEUED);
            assertThat(queue.store().statistics().log().groups()).isEqualTo(groups);
            queue.step(Duration.ofDays(-1));
            assertThat(queue.leaseOne().attempts()).isZero();
        }
    }

    @Test
    void anOperatorIsToldWhatBecameOfIt() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("to be deleted");
            assertThat(queue.leaseOne().id()).isEqualTo(id);
            for (OperatorAction action : OperatorAction.values()) {
                assertThat(queue.store().operate(id, action)).isEqualTo(OperatorResult.LEASED);
                assertThat(queue.store().operate(new QueueId(1), action))
                        .isEqualTo(OperatorResult.ABSENT);
            }
            queue.store().release(id);
            assertThat(queue.store().operate(id, OperatorAction.RETRY))
                    .isEqualTo(OperatorResult.UNFIT);
            assertThat(queue.store().operate(id, OperatorAction.RELEASE))
                    .isEqualTo(OperatorResult.UNFIT);
            // What was refused is left in its place.
            assertThat(queue.leaseOne().id()).isEqualTo(id);
            queue.store().release(id);
            assertThat(queue.store().operate(id, OperatorAction.DEAD_LETTER))
                    .isEqualTo(OperatorResult.DONE);
            assertThat(queue.store().operate(id, OperatorAction.DEAD_LETTER))
                    .isEqualTo(OperatorResult.UNFIT);
            assertThat(queue.message(id).reason()).isEqualTo("by an operator");
            long syncs = queue.store().statistics().log().syncs();
            long groups = queue.store().statistics().log().messageGroups();
            assertThat(queue.store().operate(id, OperatorAction.DELETE))
                    .isEqualTo(OperatorResult.DONE);
            assertThat(queue.store().statistics().log().syncs()).isGreaterThan(syncs);
            assertThat(queue.store().statistics().log().messageGroups()).isEqualTo(groups);
        }
    }

    @Test
    void awaitDueWakesForWhatIsEnqueuedAndForWhatBecomesDue() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            assertThat(queue.store().awaitDue(Duration.ofMillis(5))).isFalse();
            CompletableFuture<Boolean> woken = awaitDue(queue);
            QueueId id = queue.enqueue("new");
            assertThat(woken.join()).isTrue();
            queue.leaseOne();
            queue.store().defer(id, queue.now().plusSeconds(60), "later");
            queue.message(id);
            assertThat(queue.store().awaitDue(Duration.ofMillis(5))).isFalse();
            woken = awaitDue(queue);
            queue.step(Duration.ofSeconds(60));
            assertThat(woken.join()).isTrue();
        }
    }

    @Test
    void idsGrowOverARestartEvenWhenTheClockGoesBack() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("leaves");
            queue.leaseOne();
            queue.store().acknowledge(id);
            queue.step(Duration.ofDays(-1));
            queue.reopen();
            assertThat(queue.store().nextId()).isGreaterThan(id);
        }
    }

    @Test
    void manyProducersGetOneMessageEach() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            Set<QueueId> ids = ConcurrentHashMap.newKeySet();
            List<Thread> producers = new ArrayList<>();
            for (int producer = 0; producer < 4; producer++) {
                producers.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 250; i++) {
                        ids.add(queue.enqueue(100));
                    }
                }));
            }
            List<QueueId> settled = new ArrayList<>();
            while (settled.size() < 1000) {
                assertThat(queue.store().awaitDue(Duration.ofSeconds(30))).isTrue();
                for (Lease lease : queue.store().lease(16)) {
                    queue.requireContent(lease);
                    settled.add(lease.id());
                    queue.store().acknowledge(lease.id());
                }
            }
            for (Thread producer : producers) {
                producer.join();
            }
            assertThat(settled).doesNotHaveDuplicates().hasSize(1000);
            assertThat(ids).containsExactlyInAnyOrderElementsOf(settled);
            assertThat(queue.store().find(settled.get(999))).isEmpty();
            StoreStatistics statistics = queue.store().statistics();
            assertThat(statistics.length().messages()).isZero();
            assertThat(statistics.arrivals().messages()).isEqualTo(1000);
            assertThat(statistics.log().bytesWritten())
                    .isGreaterThan(statistics.arrivals().bytes());
        }
    }

    @Test
    void leasesInOrderFromABacklogLongerThanItsMemory() throws Exception {
        int backlog = 40_000;
        try (StoreUnderTest queue =
                StoreUnderTest.at(folder).durability(new Durability.None()).open()) {
            List<CompletableFuture<Receipt>> answers = new ArrayList<>();
            for (int i = 0; i < backlog; i++) {
                answers.add(queue.offer(10, StoreUnderTest.TO));
                if (i % 1000 == 999) {
                    answers.getLast().join();
                    queue.step(Duration.ofMillis(1));
                }
            }
            List<QueueId> ids = new ArrayList<>();
            answers.forEach(answer -> ids.add(StoreUnderTest.queued(answer)));
            queue.step(Duration.ofHours(1));
            List<QueueId> leased = new ArrayList<>();
            while (leased.size() < ids.size()) {
                for (Lease lease : queue.store().lease(100)) {
                    leased.add(lease.id());
                    queue.store().acknowledge(lease.id());
                }
                if (leased.size() == backlog / 2) {
                    // What was acknowledged is behind the start of the search after the restart.
                    assertThat(queue.store().find(leased.getLast())).isEmpty();
                    ids.add(queue.enqueue("new"));
                    queue.reopen();
                }
            }
            assertThat(leased).isEqualTo(ids);
            assertThat(queue.store().find(leased.getLast())).isEmpty();
            assertThat(queue.store().lease(1)).isEmpty();
        }
    }

    private static CompletableFuture<Boolean> awaitDue(StoreUnderTest queue) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return queue.store().awaitDue(Duration.ofSeconds(30));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
