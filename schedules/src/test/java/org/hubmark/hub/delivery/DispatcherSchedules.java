package org.hubmark.hub.delivery;

import static org.hubmark.queue.ScheduledStore.require;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.ScheduledStore;
import org.hubmark.schedules.Threads;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Dispatcher, delivery threads and who stops or asks, on a store: each message is delivered once or stays,
 * and nothing stays leased.
 */
public final class DispatcherSchedules {
    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final Path HOME = Path.of(System.getProperty("schedules.home", "/dev/shm"));

    private static long lastNumber;

    private DispatcherSchedules() {}

    /** A dispatcher is stopped while mail comes: what was not delivered is due at once. */
    public static void stop() throws Exception {
        try (ScheduledStore store = new ScheduledStore();
                Tracking tracking = new Tracking()) {
            Set<QueueId> delivered = new TreeSet<>();
            Dispatcher dispatcher = dispatcher(store, tracking, lease -> {
                synchronized (delivered) {
                    require(delivered.add(lease.id()), lease.id() + " was delivered twice");
                }
                store.settle(lease.id());
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
            store.closeStore();
            store.checkAfterReopening();
        }
    }

    /** An operator has deferred mail tried again, and deletes it, while it is tried and deferred. */
    public static void retry() throws Exception {
        try (ScheduledStore store = new ScheduledStore();
                Tracking tracking = new Tracking()) {
            Set<QueueId> delivered = new TreeSet<>();
            Dispatcher dispatcher = dispatcher(store, tracking, lease -> {
                if (lease.attempts() == 0) {
                    return new Outcome.Deferred("450 4.2.1 later");
                }
                synchronized (delivered) {
                    require(delivered.add(lease.id()), lease.id() + " was delivered twice");
                }
                store.settle(lease.id());
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
                        switch (store.store().operate(second, OperatorAction.DELETE)) {
                            case DONE -> {
                                store.settle(second);
                                synchronized (delivered) {
                                    require(delivered.add(second), "deleted and delivered");
                                }
                            }
                            case ABSENT, LEASED, UNFIT -> {
                                // It is being tried, or has left.
                            }
                        }
                    })
                    .run();
            require(dispatcher.stop(GRACE), "a delivery did not end");
            long length = store.store().queuedMessages();
            store.closeStore();
            require(
                    store.store().queuedMessages() + delivered.size() == 2,
                    "delivered or deleted " + delivered + ", in the queue " + length);
            store.checkAfterReopening();
        }
    }

    private static long nextNumber() {
        lastNumber++;
        return lastNumber;
    }

    private interface Agent {
        Outcome deliver(Lease lease);
    }

    private static Dispatcher dispatcher(ScheduledStore store, Tracking tracking, Agent agent) {
        Settings settings =
                new Settings(Map.of("delivery.workers", "4", "smtp.host-name", "hub.example"));
        return new Dispatcher(
                store.store(),
                agent::deliver,
                DeliverySettings.read(settings),
                tracking.log,
                new ResidenceHistogram(),
                store::now,
                new CompletableFuture<>());
    }

    /** A tracking log in a folder of its own. */
    public static final class Tracking implements AutoCloseable {
        private final Path folder;
        private final TrackingLog log;

        public Tracking() throws Exception {
            folder = Files.createDirectories(HOME.resolve("tracking-" + nextNumber()));
            log = TrackingLog.open(folder);
        }

        /** {@return the log} */
        public TrackingLog log() {
            return log;
        }

        @Override
        public void close() throws Exception {
            log.close();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
