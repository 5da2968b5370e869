package org.hubmark.hub;

import static org.hubmark.queue.ScheduledStore.require;

import org.hubmark.core.Receipt;
import org.hubmark.hub.pressure.BackPressure;
import org.hubmark.hub.pressure.ShortResource;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.ScheduledStore;
import org.hubmark.schedules.Threads;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Sessions, as threads that do what the event loops of a receiver do at MAIL and at the end of content,
 * against back pressure and the drain of a hub: each gets one answer, and the counts agree.
 */
public final class IntakeSchedules {
    private static final int SESSIONS = 3;

    /** The resource is free again before the last. */
    private static final int LOOKS = 25;

    private IntakeSchedules() {}

    /** Back pressure rises and falls while sessions send; then the hub drains and closes. */
    public static void drain(ScheduledStore store) throws Exception {
        try (TrackingLog log = TrackingLog.open(store.folder("tracking"))) {
            ShortResource resource = new ShortResource();
            BackPressure pressure = resource.watch(change -> {});
            ObservedIntake intake = new ObservedIntake(store.store(), log, pressure);
            AtomicInteger queued = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            Threads threads = new Threads();
            for (int i = 0; i < SESSIONS; i++) {
                threads.add("session-" + i, () -> {
                    // Half a second, as a client may wait: so the level changes meanwhile.
                    Thread.sleep(500);
                    boolean taken = intake.refusal() == null
                            && store.offer(intake, ScheduledStore.MESSAGE_BYTES).join()
                                    instanceof Receipt.Queued;
                    (taken ? queued : refused).incrementAndGet();
                });
            }
            threads.add("timer", () -> {
                for (int look = 0; look < LOOKS; look++) {
                    Thread.sleep(100);
                    pressure.look();
                }
            });
            threads.add("resource", () -> {
                resource.use(90);
                Thread.sleep(2_000);
                resource.use(0);
            });
            threads.add("drain", () -> {
                Thread.sleep(500);
                store.store().stopAccepting();
            });
            threads.run();
            require(store.store().queuedMessages() <= queued.get(), "more queued than answered");
            store.closeStore();
            require(queued.get() == store.kept().size(), "answers and promises differ");
            long counted = Stream.of(Receipt.Reason.values())
                    .mapToLong(reason -> intake.refusals(reason).sum())
                    .sum();
            require(
                    counted == refused.get(),
                    counted + " refusals are counted, " + refused.get() + " were given");
        }
    }
}
