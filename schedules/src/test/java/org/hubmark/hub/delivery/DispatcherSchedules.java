package org.hubmark.hub.delivery;

import static org.hubmark.queue.ScheduledStore.require;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;
import org.hubmark.queue.ScheduledStore;
import org.hubmark.schedules.Threads;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Dispatcher, delivery threads and who stops or asks, on a store: each message is delivered once or stays,
 * and nothing stays leased.
 */
public final class DispatcherSchedules {
    private static final Duration GRACE = Duration.ofMinutes(1);

    private DispatcherSchedules() {}

    /** A dispatcher is stopped while mail comes: what was not delivered is due at once. */
    public static void stop(ScheduledStore store) throws Exception {
        try (TrackingLog log = TrackingLog.open(store.folder("tracking"))) {
            Set<QueueId> delivered = new TreeSet<>();
            Dispatcher dispatcher = dispatcher(store, log, lease -> {
                leaves(store, delivered, lease.id());
                return new Outcome.Delivered();
            });
            store.enqueue();
            new Threads()
                    .add("sender", () -> {
                        store.enqueue();
                        store.enqueue();
                    })
                    .add("stop", () -> {
                        dispatcher.start(false);
                        require(dispatcher.stop(GRACE), "a delivery did not end");
                    })
                    .run();
            Set<QueueId> left = new TreeSet<>();
            for (Lease lease : store.store().lease(100)) {
                left.add(lease.id());
                store.store().release(lease.id());
            }
            require(
                    left.size() + delivered.size() == 3,
                    "of three, delivered " + delivered + " and due " + left);
        }
    }

    /** An operator has deferred mail tried again, and deletes it, while it is tried and deferred. */
    public static void retry(ScheduledStore store) throws Exception {
        try (TrackingLog log = TrackingLog.open(store.folder("tracking"))) {
            Set<QueueId> delivered = new TreeSet<>();
            Dispatcher dispatcher = dispatcher(store, log, lease -> {
                if (lease.attempts() == 0) {
                    return new Outcome.Deferred("450 4.2.1 later");
                }
                leaves(store, delivered, lease.id());
                return new Outcome.Delivered();
            });
            QueueId first = store.enqueue();
            QueueId second = store.enqueue();
            dispatcher.start(false);
            new Threads()
                    .add("retries", () -> {
                        store.store().retry(first);
                        store.store().retry(second);
                    })
                    .add("deletes", () -> {
                        // Else it is being tried, or has left.
                        if (store.store().operate(second, OperatorAction.DELETE)
                                == OperatorResult.DONE) {
                            leaves(store, delivered, second);
                        }
                    })
                    .run();
            require(dispatcher.stop(GRACE), "a delivery did not end");
            long length = store.store().queuedMessages();
            store.closeStore();
            require(
                    store.store().queuedMessages() + delivered.size() == 2,
                    "delivered or deleted " + delivered + ", in the queue " + length);
        }
    }

    private static void leaves(ScheduledStore store, Set<QueueId> delivered, QueueId id) {
        synchronized (delivered) {
            require(delivered.add(id), id + " was delivered, or deleted, twice");
        }
        store.settle(id);
    }

    private static Dispatcher dispatcher(
            ScheduledStore store, TrackingLog log, Function<Lease, Outcome> agent) {
        Settings settings =
                new Settings(Map.of("delivery.workers", "4", "smtp.host-name", "hub.example"));
        return new Dispatcher(
                store.store(),
                agent::apply,
                DeliverySettings.read(settings),
                log,
                new ResidenceHistogram(),
                store::now,
                new CompletableFuture<>());
    }
}
