package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Content;
import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Proves the contract of the queue store, each promise by one case against the public API: what is
 * queued comes back whole and in order, a lease is held by one, settling does what it says. The store
 * is checked for consistency after each case.
 */
class QueueStoreTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 57_000, 1 << 20, (1 << 20) + 1, 3_000_000})
    void givesBackWhatWasQueued(int lengthBytes) throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            byte[] octets = StoreUnderTest.octets(lengthBytes, lengthBytes);
            QueueId id = queue.enqueue(octets);
            Lease lease = queue.leaseOne();
            assertThat(lease.id()).isEqualTo(id);
            assertThat(lease.envelope()).isEqualTo(queue.envelope(List.of("to@example.org")));
            assertThat(lease.sizeBytes()).isEqualTo(lengthBytes);
            assertThat(lease.attempts()).isZero();
            assertThat(StoreUnderTest.read(lease)).isEqualTo(octets);
            assertThat(StoreUnderTest.read(lease)).as("opened again").isEqualTo(octets);
        }
    }

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
        try (StoreUnderTest queue = StoreUnderTest.open(folder, new LogSettings(1 << 20, 2, 0))) {
            queue.step(ahead);
            List<QueueId> deferred = new ArrayList<>(List.of(queue.enqueue("moved")));
            for (int i = 0; i < 50; i++) {
                queue.enqueue(StoreUnderTest.octets(i, 100_000));
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

    @Test
    void freshMailIsDueAtOnceAndInOrderWhateverTheClockSays() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            queue.step(Duration.ofDays(10));
            QueueId ahead = queue.enqueue("the clock was ten days ahead");
            queue.step(Duration.ofDays(-10));
            QueueId first = queue.enqueue("then it was set");
            queue.reopen();
            QueueId last = queue.enqueue("after a start");
            queue.step(Duration.ofDays(-20_000_000));
            assertThat(queue.store().lease(3))
                    .extracting(Lease::id)
                    .containsExactly(ahead, first, last);
        }
    }

    @Test
    void takesALargeMessageInExtents() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            byte[] octets = StoreUnderTest.octets(1, 5_000_000);
            QueueId id = queue.enqueueInExtents(octets, Content.EXTENT_BYTES_MAX);
            assertThat(queue.message(id).sizeBytes()).isEqualTo(octets.length);
            assertThat(StoreUnderTest.read(queue.leaseOne())).isEqualTo(octets);
        }
    }

    @Test
    void aBacklogLeaves() throws Exception {
        int messages = 40;
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            for (int i = 0; i < messages; i++) {
                queue.enqueue(StoreUnderTest.octets(i, 1 << 20));
            }
            queue.reopen();
            List<Lease> leases = queue.store().lease(messages);
            assertThat(leases).hasSize(messages);
            for (int i = 0; i < messages; i++) {
                assertThat(StoreUnderTest.read(leases.get(i)))
                        .isEqualTo(StoreUnderTest.octets(i, 1 << 20));
                queue.store().acknowledge(leases.get(i).id());
            }
            queue.reopen();
            assertThat(queue.store().statistics().length().messages()).isZero();
        }
    }

    @Test
    void storedExtentsAreNobodysMail() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            Content abandoned = queue.content(new byte[Content.EXTENT_BYTES_MAX]);
            assertThat(queue.storeExtent(abandoned)).isEmpty();
            assertThat(abandoned.memoryBytes()).isZero();
            assertThat(abandoned.storedBytes()).isEqualTo(Content.EXTENT_BYTES_MAX);
            assertThat(queue.store().lease(10)).isEmpty();
            assertThat(queue.store().statistics().length().messages()).isZero();
            queue.store().abandon(abandoned);

            Content left = queue.content(new byte[Content.EXTENT_BYTES_MAX]);
            assertThat(queue.storeExtent(left)).isEmpty();
            left.close();
            queue.reopen();
            assertThat(queue.store().find(left.id())).isEmpty();
            assertThat(queue.store().lease(10)).isEmpty();
        }
    }

    @Test
    void leasesTheLongestDueFirstAndToOneOnly() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            List<QueueId> ids = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                ids.add(queue.enqueue("message " + i));
                queue.step(Duration.ofMillis(i % 2));
            }
            assertThat(ids(queue.store().lease(2))).isEqualTo(ids.subList(0, 2));
            assertThat(ids(queue.store().lease(10))).isEqualTo(ids.subList(2, 5));
            assertThat(queue.store().lease(10)).isEmpty();
            queue.reopen();
            assertThat(ids(queue.store().lease(10))).as("after a restart").isEqualTo(ids);
        }
    }

    @Test
    void anAcknowledgedMessageLeaves() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("goes");
            queue.leaseOne();
            queue.store().acknowledge(id);
            queue.store().acknowledge(id);
            assertThat(queue.store().find(id)).isEmpty();
            assertThat(queue.store().statistics().length().messages()).isZero();
            assertThat(queue.store().statistics().length().bytes()).isZero();
            queue.reopen();
            assertThat(queue.store().lease(1)).isEmpty();
        }
    }

    @Test
    void aDeferredMessageComesBackWhenDue() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("later");
            queue.leaseOne();
            queue.store().defer(id, queue.now().plusMillis(1500), "try later");
            QueuedMessage message = queue.message(id);
            assertThat(message.state()).isEqualTo(QueuedMessage.State.DEFERRED);
            assertThat(message.dueAt()).isEqualTo(queue.now().plusMillis(1500));
            assertThat(message.attempts()).isEqualTo(1);
            assertThat(message.reason()).isEqualTo("try later");
            queue.step(Duration.ofMillis(1499));
            assertThat(queue.store().lease(1)).isEmpty();
            queue.reopen();
            assertThat(queue.store().lease(1)).isEmpty();
            queue.step(Duration.ofMillis(1));
            assertThat(queue.leaseOne().attempts()).isEqualTo(1);
        }
    }

    @Test
    void aReleasedMessageIsDueAtOnceAndUnchanged() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("again");
            queue.leaseOne();
            queue.store().release(id);
            assertThat(queue.leaseOne().attempts()).isZero();
            assertThat(queue.message(id).state()).isEqualTo(QueuedMessage.State.QUEUED);
        }
    }

    @Test
    void whatIsHeldBackWaitsInMemoryAndCountsNoAttempt() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId fresh = queue.enqueue("fresh");
            queue.leaseOne();
            long groups = queue.store().statistics().log().groups();
            queue.store().postpone(fresh, queue.now().plusSeconds(30), "nobody was asked");
            assertThat(queue.store().lease(1)).isEmpty();
            assertThat(queue.message(fresh).state()).isEqualTo(QueuedMessage.State.QUEUED);
            assertThat(queue.store().statistics().log().groups()).isEqualTo(groups);
            queue.step(Duration.ofSeconds(30));
            assertThat(queue.leaseOne().attempts()).isZero();
            queue.store().postpone(fresh, queue.now().plusSeconds(30), "nobody was asked");
            assertThat(queue.store().operate(fresh, OperatorAction.DELETE))
                    .isEqualTo(OperatorResult.DONE);
        }
    }

    /** Else a clock that is set back by a day would hold mail back for a day. */
    @Test
    void whatIsHeldBackIsDueWhenTheClockIsSetBack() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("fresh");
            queue.leaseOne();
            queue.store().postpone(id, queue.now().plusSeconds(30), "nobody was asked");
            queue.step(Duration.ofSeconds(-9));
            assertThat(queue.store().lease(1)).isEmpty();
            queue.step(Duration.ofDays(-1));
            assertThat(queue.leaseOne().id()).isEqualTo(id);
        }
    }

    @Test
    void aDeadLetterStaysUntilSomebodyAsksForIt() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId leased = queue.enqueue("refused by the next hop");
            QueueId waiting = queue.enqueue("killed by the operator");
            assertThat(queue.leaseOne().id()).isEqualTo(leased);
            queue.store().deadLetter(leased, "no such user");
            queue.store().deadLetter(waiting, "by the operator");
            assertThat(queue.message(leased).state()).isEqualTo(QueuedMessage.State.DEAD);
            assertThat(queue.message(leased).attempts()).isEqualTo(1);
            assertThat(queue.message(waiting).attempts()).isZero();
            assertThat(queue.store().statistics().length().deadMessages()).isEqualTo(2);
            queue.reopen();
            assertThat(queue.store().lease(10)).isEmpty();
            assertThat(queue.store().retry(leased)).isTrue();
            assertThat(queue.leaseOne().id()).isEqualTo(leased);
            assertThat(queue.store().statistics().length().deadMessages()).isEqualTo(1);
        }
    }

    @Test
    void retryMakesADeferredMessageDueNow() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId id = queue.enqueue("soon");
            assertThat(queue.store().retry(id)).as("not deferred").isFalse();
            queue.leaseOne();
            queue.store().defer(id, queue.now().plusSeconds(3600), "later");
            assertThat(queue.store().retry(id)).isTrue();
            Lease lease = queue.leaseOne();
            assertThat(lease.attempts()).isEqualTo(1);
            assertThat(queue.store().retry(id)).as("leased").isFalse();
            assertThat(queue.store().retry(new QueueId(1))).as("not there").isFalse();
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
        }
    }

    @Test
    void whatAnOperatorHasDeletedIsGoneAndThatIsSynced() throws Exception {
        try (StoreUnderTest queue = StoreUnderTest.open(folder)) {
            QueueId deleted = queue.enqueue("deleted");
            QueueId kept = queue.enqueue("kept");
            long syncs = queue.store().statistics().log().syncs();
            long groups = queue.store().statistics().log().messageGroups();
            assertThat(queue.store().operate(deleted, OperatorAction.DELETE))
                    .isEqualTo(OperatorResult.DONE);
            assertThat(queue.store().statistics().log().syncs()).isGreaterThan(syncs);
            assertThat(queue.store().statistics().log().messageGroups()).isEqualTo(groups);
            assertThat(queue.store().operate(deleted, OperatorAction.DELETE))
                    .isEqualTo(OperatorResult.ABSENT);
            queue.reopen();
            assertThat(queue.store().find(deleted)).isEmpty();
            assertThat(queue.store().lease(2)).extracting(Lease::id).containsExactly(kept);
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
                int number = producer;
                producers.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 250; i++) {
                        ids.add(queue.enqueue("message " + number + "." + i));
                    }
                }));
            }
            List<QueueId> settled = new ArrayList<>();
            while (settled.size() < 1000) {
                assertThat(queue.store().awaitDue(Duration.ofSeconds(30))).isTrue();
                for (Lease lease : queue.store().lease(16)) {
                    assertThat(new String(StoreUnderTest.read(lease), StandardCharsets.UTF_8))
                            .startsWith("message ");
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
        try (StoreUnderTest queue = StoreUnderTest.open(folder, new Durability.None())) {
            List<CompletableFuture<Receipt>> answers = new ArrayList<>();
            for (int i = 0; i < backlog; i++) {
                answers.add(queue.offer(queue.content(new byte[10]), List.of("a@example.org")));
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

    private static List<QueueId> ids(List<Lease> leases) {
        return leases.stream().map(Lease::id).toList();
    }
}
