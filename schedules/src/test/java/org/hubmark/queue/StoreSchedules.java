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
    public static void close(ScheduledStore store) throws Exception {
        Threads.Work send = () -> store.offer(100).join();
        new Threads()
                .add("first", send)
                .add("second", send)
                .add("operator", () -> find(store.store()))
                .add("closer", store::closeStore)
                .run();
    }

    private static void find(QueueStore store) {
        try {
            store.find(new QueueId(1));
        } catch (IllegalStateException e) {
            // The answer of one that is closed or has failed.
        }
    }

    private static Threads.Work times(int count, Threads.Work work) {
        return () -> {
            for (int i = 0; i < count; i++) {
                work.run();
            }
        };
    }

    private static Threads.Work sends(ScheduledStore store, int count) {
        return times(count, () -> store.offer(MESSAGE_BYTES).join());
    }

    /** So much at a time, on a slow disk, that groups are written while others are synced. */
    public static void lane(ScheduledStore store) throws Exception {
        store.segments().delaySync(Duration.ofMillis(1));
        store.enqueue();
        Threads.Work send = () -> {
            List<CompletableFuture<Receipt>> answers = new ArrayList<>();
            times(9, () -> answers.add(store.offer(60))).run();
            answers.forEach(CompletableFuture::join);
        };
        new Threads()
                .add("first", send)
                .add("second", send)
                .add("dispatcher", times(4, () -> {
                    store.store().awaitDue(Duration.ofMillis(1));
                    acknowledge(store, 100);
                }))
                .run();
        store.segments().delaySync(Duration.ZERO);
    }

    /** What is not settled soon is moved to the queue database while it is leased, read and settled. */
    public static void move(ScheduledStore store) throws Exception {
        new Threads()
                .add("sender", times(6, store::enqueue))
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
    public static void reclaim(ScheduledStore store) throws Exception {
        times(12, store::enqueue).run();
        acknowledge(store, 9);
        new Threads()
                .add("sender", sends(store, 3))
                .add("closer", store::closeStore)
                .run();
    }

    /** Contents are copied to other files while they are read. */
    public static void copy(ScheduledStore store) throws Exception {
        times(10, store::enqueue).run();
        List<Lease> leases = store.store().lease(10);
        leases.subList(2, 9).forEach(lease -> store.acknowledge(lease.id()));
        new Threads()
                .add("sender", times(2, store::enqueue))
                .add("reader", times(2, () -> {
                    store.requireContent(leases.get(0));
                    store.requireContent(leases.get(1));
                }))
                .run();
    }

    /** Dead letters are listed while they are moved: none is left out. */
    public static void deadLetters(ScheduledStore store) throws Exception {
        Set<QueueId> dead = new TreeSet<>();
        times(3, () -> dead.add(store.enqueue())).run();
        for (Lease lease : store.store().lease(3)) {
            store.store().deadLetter(lease.id(), "dead");
        }
        dead.forEach(store.store()::find);
        new Threads()
                .add("sender", times(3, store::enqueue))
                .add("reader", times(2, () -> requireListed(store, dead)))
                .run();
    }

    private static void requireListed(ScheduledStore store, Set<QueueId> dead) {
        Set<QueueId> listed = store.store().deadLetters(new QueueId(0), 100).messages().stream()
                .map(message -> message.id())
                .collect(Collectors.toSet());
        require(listed.containsAll(dead), "of " + dead + " only " + listed + " are listed");
    }

    /** An operator deletes what a dispatcher may just be leasing: nobody gets what was deleted. */
    public static void operator(ScheduledStore store) throws Exception {
        QueueId id = store.enqueue();
        store.enqueue();
        AtomicBoolean deleted = new AtomicBoolean();
        AtomicBoolean leased = new AtomicBoolean();
        new Threads()
                .add("operator", () -> {
                    if (store.store().operate(id, OperatorAction.DELETE) == OperatorResult.DONE) {
                        store.settle(id);
                        deleted.set(true);
                    }
                })
                .add("dispatcher", () -> leased.set(acknowledge(store, 2).contains(id)))
                .run();
        require(!(deleted.get() && leased.get()), "delivered, and deleted by an operator");
    }

    /** A sync fails: everybody gets an answer, and who hears of it closes the store. */
    public static void failure(ScheduledStore store) throws Exception {
        QueueStore failing = store.store();
        CompletableFuture<Boolean> closed = failing.failure().thenApply(cause -> {
            try {
                store.closeBroken(cause);
            } catch (IOException e) {
                // The simulated failure once more.
            }
            return true;
        });
        store.segments().failSync(3, 1);
        new Threads()
                .add("first", sends(store, 2))
                .add("second", sends(store, 2))
                .add("operator", () -> find(failing))
                .run();
        if (!failing.failure().isDone()) {
            store.closeBroken(new IOException("nothing failed"));
        }
        closed.join();
        store.segments().failSync(Long.MAX_VALUE, 0);
    }

    /** The power goes at any moment: what was promised by then is there. */
    public static void power(ScheduledStore store) throws Exception {
        new Threads()
                .add("first", sends(store, 3))
                .add("second", sends(store, 3))
                .add("cut", () -> {
                    Thread.sleep(1);
                    synchronized (store.segments()) {
                        store.segments().cut(7);
                        store.contents().cut(7);
                    }
                })
                .run();
        store.closeBroken(new IOException("the power is gone"));
    }

    private static List<QueueId> acknowledge(ScheduledStore store, int max) {
        List<QueueId> leased = store.store().lease(max).stream().map(Lease::id).toList();
        leased.forEach(store::acknowledge);
        return leased;
    }
}
