package org.hubmark.queue;

import static org.hubmark.queue.ScheduledStore.MESSAGE_BYTES;
import static org.hubmark.queue.ScheduledStore.require;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.schedules.Threads;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * The threads of a store against each other and against those who use it: committer, sync lane,
 * checkpointer, preallocator, reclaimer, stall watch and close. Whatever their order, everybody gets an
 * answer, and all that was promised is there after reopening.
 */
public final class StoreSchedules {
    private StoreSchedules() {}

    /** Two send, and an operator asks, while another closes. */
    public static void close() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            List<CompletableFuture<Receipt>> answers = new ArrayList<>();
            Threads.Work send = () -> {
                CompletableFuture<Receipt> answer = store.offer(100);
                synchronized (answers) {
                    answers.add(answer);
                }
                answer.join();
            };
            new Threads()
                    .add("first", send)
                    .add("second", send)
                    .add("operator", () -> find(store.store()))
                    .add("closer", store::closeStore)
                    .run();
            store.checkAfterReopening();
        }
    }

    private static void find(QueueStore store) {
        try {
            store.find(new QueueId(1));
        } catch (IllegalStateException e) {
            // The answer of one that is closed or has failed.
        }
    }

    /** So much at a time, on a slow disk, that groups are written while others are synced. */
    public static void lane() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            store.segments().delaySync(Duration.ofMillis(1));
            store.enqueue();
            Threads.Work send = () -> {
                List<CompletableFuture<Receipt>> answers = new ArrayList<>();
                for (int i = 0; i < 9; i++) {
                    answers.add(store.offer(60));
                }
                answers.forEach(CompletableFuture::join);
            };
            new Threads()
                    .add("first", send)
                    .add("second", send)
                    .add("dispatcher", () -> acknowledgeAll(store, 4))
                    .run();
            store.segments().delaySync(Duration.ZERO);
            store.closeStore();
            store.checkAfterReopening();
        }
    }

    /** What is not settled soon is moved to the queue database while it is leased, read and settled. */
    public static void move() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            new Threads()
                    .add("sender", () -> {
                        for (int i = 0; i < 6; i++) {
                            store.enqueue();
                        }
                    })
                    .add("dispatcher", () -> {
                        for (int i = 0; i < 4; i++) {
                            store.store().awaitDue(Duration.ofMillis(5));
                            for (Lease lease : store.store().lease(2)) {
                                store.requireContent(lease);
                                settle(store, lease.id(), i);
                            }
                        }
                    })
                    .run();
            store.closeStore();
            store.checkAfterReopening();
        }
    }

    private static void settle(ScheduledStore store, QueueId id, int turn) {
        switch (turn % 4) {
            case 0 -> store.store().release(id);
            case 1 -> store.acknowledge(id);
            case 2 -> store.store().defer(id, store.now(), "later");
            default -> store.store().deadLetter(id, "dead");
        }
    }

    /** The queue volume gets its space back while the store is closed. */
    public static void reclaim() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            QueueStore running = store.store();
            AtomicBoolean closed = new AtomicBoolean();
            for (int i = 0; i < 12; i++) {
                store.enqueue();
            }
            for (Lease lease : running.lease(9)) {
                store.acknowledge(lease.id());
            }
            new Threads()
                    .add("sender", () -> {
                        for (int i = 0; i < 3; i++) {
                            store.offer(MESSAGE_BYTES).join();
                        }
                    })
                    .add("closer", () -> {
                        running.close();
                        closed.set(true);
                    })
                    .run();
            require(closed.get(), "not closed");
            require(!running.failure().isDone(), "the store failed while it was closed");
            store.checkAfterReopening();
            require(!running.failure().isDone(), "the store failed after it was closed");
        }
    }

    /** Contents are copied to other files while they are read. */
    public static void copy() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            for (int i = 0; i < 10; i++) {
                store.enqueue();
            }
            List<Lease> leases = store.store().lease(10);
            for (Lease lease : leases.subList(2, 9)) {
                store.acknowledge(lease.id());
            }
            new Threads()
                    .add("sender", () -> {
                        store.enqueue();
                        store.enqueue();
                    })
                    .add("reader", () -> {
                        for (int i = 0; i < 4; i++) {
                            store.requireContent(leases.get(i % 2));
                        }
                    })
                    .run();
            store.closeStore();
            store.checkAfterReopening();
        }
    }

    /** Dead letters are listed while they are moved: none is left out. */
    public static void deadLetters() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            Set<QueueId> dead = new TreeSet<>();
            for (int i = 0; i < 3; i++) {
                dead.add(store.enqueue());
            }
            for (Lease lease : store.store().lease(3)) {
                store.store().deadLetter(lease.id(), "dead");
            }
            for (QueueId id : dead) {
                store.store().find(id);
            }
            new Threads()
                    .add("sender", () -> {
                        for (int i = 0; i < 3; i++) {
                            store.enqueue();
                        }
                    })
                    .add("reader", () -> {
                        for (int i = 0; i < 2; i++) {
                            requireListed(store, dead);
                        }
                    })
                    .run();
            store.closeStore();
            store.checkAfterReopening();
        }
    }

    private static void requireListed(ScheduledStore store, Set<QueueId> dead) {
        Set<QueueId> listed = store.store().deadLetters(new QueueId(0), 100).messages().stream()
                .map(message -> message.id())
                .collect(Collectors.toSet());
        require(listed.containsAll(dead), "of " + dead + " only " + listed + " are listed");
    }

    /** An operator deletes what a dispatcher may just be leasing: nobody gets what was deleted. */
    public static void operator() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            QueueId id = store.enqueue();
            store.enqueue();
            AtomicBoolean deleted = new AtomicBoolean();
            AtomicBoolean leased = new AtomicBoolean();
            new Threads()
                    .add("operator", () -> {
                        OperatorResult result = store.store().operate(id, OperatorAction.DELETE);
                        if (result == OperatorResult.DONE) {
                            store.settle(id);
                            deleted.set(true);
                        }
                    })
                    .add("dispatcher", () -> {
                        for (Lease lease : store.store().lease(2)) {
                            if (lease.id().equals(id)) {
                                leased.set(true);
                            }
                            store.acknowledge(lease.id());
                        }
                    })
                    .run();
            require(!(deleted.get() && leased.get()), "delivered, and deleted by an operator");
            store.closeStore();
            store.checkAfterReopening();
        }
    }

    /** A sync fails: everybody gets an answer, and who hears of it closes the store. */
    public static void failure() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            QueueStore failing = store.store();
            CompletableFuture<Boolean> closed = failing.failure().thenApply(cause -> {
                try {
                    failing.closeBroken(cause);
                } catch (IOException e) {
                    // The simulated failure once more.
                }
                return true;
            });
            store.segments().failSync(3, 1);
            Threads.Work send = () -> {
                for (int i = 0; i < 2; i++) {
                    store.offer(MESSAGE_BYTES).join();
                }
            };
            new Threads()
                    .add("first", send)
                    .add("second", send)
                    .add("operator", () -> find(failing))
                    .run();
            if (!failing.failure().isDone()) {
                failing.closeBroken(new IOException("nothing failed"));
            }
            closed.join();
            store.segments().failSync(Long.MAX_VALUE, 0);
            store.checkAfterReopening();
        }
    }

    /** The power goes at any moment: what was promised by then is there. */
    public static void power() throws Exception {
        try (ScheduledStore store = new ScheduledStore()) {
            QueueStore running = store.store();
            Threads.Work send = () -> {
                for (int i = 0; i < 3; i++) {
                    store.offer(MESSAGE_BYTES).join();
                }
            };
            new Threads()
                    .add("first", send)
                    .add("second", send)
                    .add("cut", () -> {
                        Thread.sleep(1);
                        synchronized (store.segments()) {
                            store.segments().cut(7);
                            store.contents().cut(7);
                        }
                    })
                    .run();
            running.closeBroken(new IOException("the power is gone"));
            store.checkAfterReopening();
        }
    }

    private static void acknowledgeAll(ScheduledStore store, int rounds)
            throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            store.store().awaitDue(Duration.ofMillis(1));
            for (Lease lease : store.store().lease(100)) {
                store.acknowledge(lease.id());
            }
        }
    }
}
