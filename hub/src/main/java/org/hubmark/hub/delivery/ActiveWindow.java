package org.hubmark.hub.delivery;

import org.hubmark.core.Lease;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The leased messages: those that wait for a worker, first come first served within a destination,
 * and those that a worker is busy with. The dispatcher adds, workers take; all meet under this
 * object's lock.
 *
 * <p>A worker works for one destination at a time, and starts when there is something to do: what a
 * destination makes of its mail holds up that mail only. The first worker of a destination leads and
 * gets its fresh messages, if it can take them: a change of threads, and a connection more, cost more
 * than a message. What it doesn't take soon a further worker takes. Further workers start only while
 * less than half of all are at work: the rest is kept for destinations that have none. When all are at
 * work, destinations take turns.
 *
 * <p>That a destination can't fill the window either is what {@link #takeSlow} is for.
 */
final class ActiveWindow {
    /** A slow destination may keep one part in so many of the window. */
    private static final int SLOW_SHARE = 10;

    /** A full window is filled up again in lots, of so many or of this part of it. */
    private static final int LOT_MAX = 64;

    private static final int LOT_SHARE = 4;

    /** Time for which a message is left to the worker that leads for its destination. */
    private static final long LEAD_FIRST_NANOS = 5_000_000;

    /** How often a busy dispatcher looks for messages that their worker doesn't take. */
    private static final long LOOK_NANOS = 10_000_000;

    private final LongSupplier nanoTime;
    private final Consumer<Worker> starter;
    private final int leasesMax;
    private final int lot;
    private final int workersMax;
    private final int destinationWorkersMax;
    private final long patienceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Condition ended = lock.newCondition();
    private final Map<String, Destination> destinations = new HashMap<>();

    /** Destinations that have messages and no worker, since all were at work. */
    private final ArrayDeque<Destination> ready = new ArrayDeque<>();

    private int workers;
    private int leases;
    private long lookedNanos;
    private boolean closed;

    /** The messages for one domain. */
    private static final class Destination {
        private final String name;
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private int workers;

        /** The worker that gets fresh messages. */
        private @Nullable Worker lead;

        private Destination(String name) {
            this.name = name;
        }
    }

    private record Waiting(Lease lease, long sinceNanos) {}

    /** One worker: its destination, and what it has taken and is not through with. Under the lock. */
    static final class Worker {
        private final Set<Lease> underWay = Collections.newSetFromMap(new IdentityHashMap<>());
        private @Nullable Destination destination;

        /** Whether it has had its turn with its destination. */
        private boolean hasTaken;

        private Worker(Destination destination) {
            this.destination = destination;
        }
    }

    /**
     * Makes an empty window.
     *
     * @param starter starts a thread for a worker, which calls {@link #take} until that returns null, or
     *     {@link #leave} when it breaks down; called under the window's lock
     */
    ActiveWindow(DeliverySettings settings, Consumer<Worker> starter) {
        this(settings, starter, System::nanoTime);
    }

    /**
     * Makes one with a clock of one's choice.
     *
     * @param nanoTime tells how long a message has waited
     */
    ActiveWindow(DeliverySettings settings, Consumer<Worker> starter, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.starter = starter;
        this.leasesMax = settings.activeMax();
        this.lot = Math.clamp(leasesMax / LOT_SHARE, 1, LOT_MAX);
        this.workersMax = settings.workers();
        this.destinationWorkersMax = settings.destinationWorkers();
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
            for (Lease lease : added) {
                leases++;
                Destination destination =
                        destinations.computeIfAbsent(destinationOf(lease), Destination::new);
                destination.waiting.add(new Waiting(lease, nowNanos));
                if (destination.workers == 0 || isLate(destination, nowNanos)) {
                    staff(destination);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Starts further workers for what is not taken soon. The dispatcher calls it now and then. */
    void look() {
        long nowNanos = nanoTime.getAsLong();
        lock.lock();
        try {
            if (nowNanos - lookedNanos < LOOK_NANOS) {
                return;
            }
            lookedNanos = nowNanos;
            for (Destination destination : destinations.values()) {
                if (destination.workers > 0 && isLate(destination, nowNanos)) {
                    staff(destination);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * {@return the next message for a worker that is through with those it had; null if there is none for
     * it} Then the worker has left. Doesn't wait.
     */
    @Nullable
    Lease take(Worker worker) {
        long nowNanos = nanoTime.getAsLong();
        lock.lock();
        try {
            Destination destination = worker.destination;
            if (!closed && destination != null && (ready.isEmpty() || !worker.hasTaken)) {
                Lease lease = takeFirst(destination, worker, nowNanos);
                if (lease != null) {
                    return lease;
                }
            }
            leave(worker);
            Destination next = closed ? null : ready.poll();
            if (next == null) {
                return null;
            }
            work(worker, next);
            return takeFirst(next, worker, nowNanos);
        } finally {
            lock.unlock();
        }
    }

    /**
     * {@return another message for the destination of a busy worker, or null} None while another destination
     * waits for a worker; a fresh one only if it leads. Doesn't wait.
     */
    @Nullable
    Lease takeMore(Worker worker) {
        long nowNanos = nanoTime.getAsLong();
        lock.lock();
        try {
            Destination destination = worker.destination;
            return closed || destination == null || !ready.isEmpty()
                    ? null
                    : takeFirst(destination, worker, nowNanos);
        } finally {
            lock.unlock();
        }
    }

    /** A worker is through with a message that it took. */
    void done(Worker worker, Lease lease) {
        lock.lock();
        try {
            if (!worker.underWay.remove(lease)) {
                throw new IllegalStateException(lease.id() + " was not taken");
            }
            leases--;
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
            return List.copyOf(worker.underWay);
        } finally {
            lock.unlock();
        }
    }

    /** A worker ends, if it has not done so. */
    void leave(Worker worker) {
        lock.lock();
        try {
            Destination destination = worker.destination;
            if (destination == null) {
                return;
            }
            worker.destination = null;
            workers--;
            destination.workers--;
            destination.lead = destination.lead == worker ? null : destination.lead;
            if (destination.workers == 0) {
                if (destination.waiting.isEmpty()) {
                    destinations.remove(destination.name);
                } else if (!closed) {
                    ready.add(destination);
                }
            }
            if (workers == 0) {
                ended.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether all workers have left} Waits for that, until then at most. */
    boolean awaitEnd(long deadlineNanos) throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = deadlineNanos - System.nanoTime();
            while (workers > 0 && leftNanos > 0) {
                leftNanos = ended.awaitNanos(leftNanos);
            }
            return workers == 0;
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
            ready.clear();
            leases -= left.size();
            room.signalAll();
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** Has a destination's messages taken by a worker more, if it may have one now. */
    private void staff(Destination destination) {
        boolean isFirst = destination.workers == 0;
        boolean mayStart = isFirst
                ? workers < workersMax
                : workers < (workersMax + 1) / 2 && destination.workers < destinationWorkersMax;
        if (mayStart && !closed) {
            Worker worker = new Worker(destination);
            work(worker, destination);
            starter.accept(worker);
        } else if (isFirst && !closed && destination.waiting.size() == 1) {
            ready.add(destination);
        }
    }

    private void work(Worker worker, Destination destination) {
        worker.destination = destination;
        worker.hasTaken = false;
        workers++;
        destination.workers++;
    }

    /** {@return a destination's next message} Null if it has none, or none that is this worker's to take. */
    private static @Nullable Lease takeFirst(
            Destination destination, Worker worker, long nowNanos) {
        destination.lead = destination.lead == null ? worker : destination.lead;
        if (destination.lead != worker && !isLate(destination, nowNanos)) {
            return null;
        }
        Waiting next = destination.waiting.poll();
        if (next == null) {
            return null;
        }
        worker.hasTaken = true;
        worker.underWay.add(next.lease());
        return next.lease();
    }

    /** {@return whether a destination has a message that is no longer left to the worker that leads} */
    private static boolean isLate(Destination destination, long nowNanos) {
        Waiting oldest = destination.waiting.peek();
        return oldest != null && nowNanos - oldest.sinceNanos() >= LEAD_FIRST_NANOS;
    }

    private boolean hasRoom() {
        return leasesMax - leases >= lot;
    }

    private static String destinationOf(Lease lease) {
        String forwardPath = lease.envelope().forwardPaths().getFirst();
        return forwardPath.substring(forwardPath.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }
}
