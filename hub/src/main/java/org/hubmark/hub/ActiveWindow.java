package org.hubmark.hub;

import org.hubmark.core.Lease;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The leased messages: those that wait for a worker, first come first served within a destination,
 * and those that a worker is busy with. The dispatcher adds, workers take; all meet under this
 * object's lock.
 *
 * <p>A destination gets a limited number of workers, and destinations take turns, so that one of
 * them can't keep the workers from the rest. That it can't fill the window either is what {@link
 * #takeSlow} is for.
 *
 * <p>Of the workers that are busy with a destination one leads, and gets its fresh messages, if it can take
 * them: a change of threads, and a connection more, cost more than a message. What it doesn't take soon
 * another one does. So there are as many workers as are needed, and the rest go idle.
 */
final class ActiveWindow {
    /** A slow destination may keep one part in so many of the window. */
    private static final int SLOW_SHARE = 10;

    /** A full window is filled up again in lots, of so many or of this part of it. */
    private static final int LOT_MAX = 64;

    private static final int LOT_SHARE = 4;

    /** So long a message is left to the worker that leads the way to its destination. */
    private static final long LEAD_FIRST_NANOS = 5_000_000;

    private final LongSupplier nanoTime;
    private final int leasesMax;
    private final int lot;
    private final int workersMax;
    private final long patienceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition waiting = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Map<String, Destination> destinations = new HashMap<>();
    private final ArrayDeque<Destination> ready = new ArrayDeque<>();
    private int idleWorkers;

    /** Whether an idle worker waits for the first message that is left to others. */
    private boolean watched;

    /** Until there is one, as {@link #nextDue} has found. */
    private long dueInNanos;

    private int leases;
    private boolean closed;

    /** The messages for one domain. */
    private static final class Destination {
        private final String name;
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        /** Workers that have messages for it under way. */
        private int workers;

        /** The one of them that gets fresh messages. */
        private @Nullable Worker lead;

        private boolean isReady;

        private Destination(String name) {
            this.name = name;
        }
    }

    private record Waiting(Lease lease, long sinceNanos) {}

    /** What one worker has taken and is not through with. Under the window's lock. */
    static final class Worker {
        private final IdentityHashMap<Lease, Destination> underWay = new IdentityHashMap<>();
    }

    ActiveWindow(DeliverySettings settings) {
        this(settings, System::nanoTime);
    }

    /**
     * Makes one with a clock of one's choice.
     *
     * @param nanoTime tells how long a message has waited
     */
    ActiveWindow(DeliverySettings settings, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.leasesMax = settings.activeMax();
        this.lot = Math.clamp(leasesMax / LOT_SHARE, 1, LOT_MAX);
        this.workersMax = settings.destinationWorkers();
        this.patienceNanos = settings.destinationPatience().toNanos();
    }

    /** {@return how many more leases it holds} Waits for a lot, at most that long. */
    int awaitRoom(Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = timeout.toNanos();
            while (!hasRoom() && !closed && leftNanos > 0) {
                leftNanos = room.awaitNanos(leftNanos);
            }
            return leasesMax - leases;
        } finally {
            lock.unlock();
        }
    }

    /** Takes leases, for which there is room. */
    void add(List<Lease> added) {
        long nowNanos = nanoTime.getAsLong();
        lock.lock();
        try {
            int idleDestinations = 0;
            for (Lease lease : added) {
                leases++;
                Destination destination =
                        destinations.computeIfAbsent(destinationOf(lease), Destination::new);
                destination.waiting.add(new Waiting(lease, nowNanos));
                if (makeReady(destination) && destination.workers == 0) {
                    idleDestinations++;
                }
            }
            for (int i = Math.min(idleDestinations, idleWorkers); i > 0; i--) {
                waiting.signal();
            }
            if (idleDestinations == 0) {
                letWatch();
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return the next message to deliver; null when the window was closed} Waits for one. */
    @Nullable
    Lease take(Worker worker) throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                Destination due = nextDue();
                if (due == null) {
                    boolean watching = !watched && !ready.isEmpty();
                    watched |= watching;
                    idleWorkers++;
                    try {
                        if (watching) {
                            long unused = waiting.awaitNanos(dueInNanos);
                        } else {
                            waiting.await();
                        }
                    } finally {
                        idleWorkers--;
                        watched &= !watching;
                    }
                    continue;
                }
                Lease lease = take(due, worker);
                if (lease != null) {
                    letWatch();
                    return lease;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** {@return a destination with a message that needs a worker now, or null} Its turn is over then. */
    private @Nullable Destination nextDue() {
        long nowNanos = nanoTime.getAsLong();
        dueInNanos = LEAD_FIRST_NANOS;
        for (int i = ready.size(); i > 0; i--) {
            Destination destination = ready.remove();
            long leftNanos = leftNanos(destination, nowNanos);
            if (leftNanos <= 0) {
                return destination;
            }
            ready.add(destination);
            dueInNanos = Math.min(dueInNanos, leftNanos);
        }
        return null;
    }

    /** {@return how long a destination's first message is still left to the worker that leads} */
    private static long leftNanos(Destination destination, long nowNanos) {
        Waiting oldest = destination.waiting.peek();
        return destination.workers == 0 || oldest == null
                ? 0
                : LEAD_FIRST_NANOS - (nowNanos - oldest.sinceNanos());
    }

    /** Has one idle worker watch over what is left to the busy ones. */
    private void letWatch() {
        if (!watched && !ready.isEmpty() && idleWorkers > 0) {
            waiting.signal();
        }
    }

    /**
     * {@return another message for a worker that is busy, or null} While other workers are idle only one for
     * a destination that it is busy with, and a fresh one only if it leads there. Doesn't wait.
     */
    @Nullable
    Lease takeMore(Worker worker) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            Lease lease = idleWorkers == 0 ? take(nextDue(), worker) : null;
            if (lease != null) {
                return lease;
            }
            long nowNanos = nanoTime.getAsLong();
            for (Destination destination : worker.underWay.values()) {
                boolean leads = destination.lead == null || destination.lead == worker;
                if (leads || leftNanos(destination, nowNanos) <= 0) {
                    // If it is ready it keeps its turn.
                    lease = takeFirst(destination, worker);
                }
                if (lease != null) {
                    return lease;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** A worker is through with a message that it took. */
    void done(Worker worker, Lease lease) {
        lock.lock();
        try {
            Destination destination = worker.underWay.remove(lease);
            if (destination == null) {
                throw new IllegalStateException(lease.id() + " was not taken");
            }
            leases--;
            if (!worker.underWay.containsValue(destination)) {
                destination.workers--;
                destination.lead = destination.lead == worker ? null : destination.lead;
                if (makeReady(destination)) {
                    waiting.signal();
                }
                forgetIfEmpty(destination);
            }
            if (hasRoom()) {
                room.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return what a worker has taken and is not through with} */
    List<Lease> underWay(Worker worker) {
        lock.lock();
        try {
            return List.copyOf(worker.underWay.keySet());
        } finally {
            lock.unlock();
        }
    }

    /**
     * {@return messages that wait for a slow destination and fill a full window} They leave the
     * window. A destination is slow when its oldest message has waited too long; a share of the
     * window stays with it. One that is quick enough is left alone, however long its queue.
     */
    List<Lease> takeSlow() {
        lock.lock();
        try {
            List<Lease> slow = new ArrayList<>();
            if (leases < leasesMax) {
                return slow;
            }
            long nowNanos = nanoTime.getAsLong();
            int kept = Math.max(1, leasesMax / SLOW_SHARE);
            for (Destination destination : destinations.values()) {
                Waiting oldest = destination.waiting.peek();
                if (oldest != null && nowNanos - oldest.sinceNanos() > patienceNanos) {
                    while (destination.waiting.size() > kept) {
                        slow.add(destination.waiting.removeLast().lease());
                    }
                }
            }
            leases -= slow.size();
            return slow;
        } finally {
            lock.unlock();
        }
    }

    /** {@return what was waiting} Nothing can be taken from now on. */
    List<Lease> close() {
        lock.lock();
        try {
            closed = true;
            List<Lease> left = new ArrayList<>();
            for (Destination destination : destinations.values()) {
                destination.waiting.forEach(next -> left.add(next.lease()));
                destination.waiting.clear();
            }
            leases -= left.size();
            waiting.signalAll();
            room.signalAll();
            return left;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom() {
        return leasesMax - leases >= lot;
    }

    /** {@return a destination's next message} Null if it has none: what waited was taken otherwise. */
    private @Nullable Lease take(@Nullable Destination destination, Worker worker) {
        if (destination == null) {
            return null;
        }
        destination.isReady = false;
        Lease first = takeFirst(destination, worker);
        if (first == null) {
            forgetIfEmpty(destination);
        } else {
            makeReady(destination);
        }
        return first;
    }

    private static @Nullable Lease takeFirst(Destination destination, Worker worker) {
        Waiting next = destination.waiting.poll();
        if (next == null) {
            return null;
        }
        if (!worker.underWay.containsValue(destination)) {
            destination.workers++;
        }
        destination.lead = destination.lead == null ? worker : destination.lead;
        worker.underWay.put(next.lease(), destination);
        return next.lease();
    }

    private boolean makeReady(Destination destination) {
        boolean becomes = !destination.isReady
                && destination.workers < workersMax
                && !destination.waiting.isEmpty();
        if (becomes) {
            destination.isReady = true;
            ready.add(destination);
        }
        return becomes;
    }

    private void forgetIfEmpty(Destination destination) {
        if (destination.workers == 0 && destination.waiting.isEmpty() && !destination.isReady) {
            destinations.remove(destination.name);
        }
    }

    private static String destinationOf(Lease lease) {
        String forwardPath = lease.envelope().forwardPaths().getFirst();
        return forwardPath.substring(forwardPath.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }
}
