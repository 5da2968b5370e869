package org.hubmark.hub.delivery;

import org.hubmark.core.BlockLock;
import org.hubmark.core.Lease;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
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
 * <p>The window is bounded in number and in memory: a message of 1,000 recipients takes as much as a
 * thousand others. One message fits an empty window, whatever its size. That a destination can't fill the
 * window either is what {@link #takeSlow} is for.
 */
final class ActiveWindow {
    /** A slow destination may keep one part in so many of the window; all of them together a quarter. */
    private static final int SLOW_SHARE = 10;

    private static final int SLOW_TOGETHER_SHARE = 4;

    /**
     * Divisor of the heap for what is leased. The index of the log has a quarter of it, contents on their
     * way out another.
     */
    private static final int HEAP_SHARE = 8;

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
    private final long bytesMax;
    private final int lot;
    private final int workersMax;
    private final int destinationWorkersMax;
    private final long patienceNanos;
    private final BlockLock lock = new BlockLock();
    private final Condition room = lock.newCondition();
    private final Condition ended = lock.newCondition();
    private final Map<String, Destination> destinations = new HashMap<>();

    /** Destinations that have messages and no worker, since all were at work. */
    private final ArrayDeque<Destination> ready = new ArrayDeque<>();

    private int workers;
    private int leases;
    private long bytes;
    private long bytesUnderWay;
    private long lookedNanos;
    private boolean closed;

    /** The messages for one domain. */
    private static final class Destination {
        private final String name;
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private long waitingBytes;
        private int underWay;
        private int workers;

        /** The worker that gets fresh messages. */
        private @Nullable Worker lead;

        private Destination(String name) {
            this.name = name;
        }
    }

    private record Waiting(Lease lease, long sinceNanos) {}

    /** What the window can still take: so many leases, whose memory comes to that. */
    record Room(int leases, long bytes) {
        boolean isNone() {
            return leases <= 0 || bytes <= 0;
        }
    }

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
        this(settings, Runtime.getRuntime().maxMemory() / HEAP_SHARE, starter, System::nanoTime);
    }

    /**
     * Makes one with a memory and a clock of one's choice.
     *
     * @param nanoTime tells how long a message has waited
     */
    ActiveWindow(
            DeliverySettings settings,
            long bytesMax,
            Consumer<Worker> starter,
            LongSupplier nanoTime) {
        this.bytesMax = bytesMax;
        this.nanoTime = nanoTime;
        this.starter = starter;
        this.leasesMax = settings.activeMax();
        this.lot = Math.clamp(leasesMax / LOT_SHARE, 1, LOT_MAX);
        this.workersMax = settings.workers();
        this.destinationWorkersMax = settings.destinationWorkers();
        this.patienceNanos = settings.destinationPatience().toNanos();
    }

    /** {@return the room of an empty window} */
    Room all() {
        return new Room(leasesMax, bytesMax);
    }

    /** {@return the room for further leases} Waits for a lot, at most that long. */
    Room awaitRoom(Duration timeout) throws InterruptedException {
        try (BlockLock.Held unused = lock.hold()) {
            long leftNanos = timeout.toNanos();
            while (!hasRoom() && !closed && leftNanos > 0) {
                leftNanos = room.awaitNanos(leftNanos);
            }
            return new Room(leasesMax - leases, bytesMax - bytes);
        }
    }

    /** Takes leases, for which there is room; the last one may be larger than that. */
    void add(List<Lease> added) {
        long nowNanos = nanoTime.getAsLong();
        try (BlockLock.Held unused = lock.hold()) {
            for (Lease lease : added) {
                leases++;
                bytes += lease.memoryBytes();
                Destination destination =
                        destinations.computeIfAbsent(lease.destination(), Destination::new);
                destination.waiting.add(new Waiting(lease, nowNanos));
                destination.waitingBytes += lease.memoryBytes();
                if (destination.workers == 0 || isLate(destination, nowNanos, LEAD_FIRST_NANOS)) {
                    staff(destination);
                }
            }
        }
    }

    /** Starts further workers for what is not taken soon. The dispatcher calls it now and then. */
    void look() {
        long nowNanos = nanoTime.getAsLong();
        try (BlockLock.Held unused = lock.hold()) {
            if (nowNanos - lookedNanos < LOOK_NANOS) {
                return;
            }
            lookedNanos = nowNanos;
            for (Destination destination : destinations.values()) {
                if (destination.workers > 0 && isLate(destination, nowNanos, LEAD_FIRST_NANOS)) {
                    staff(destination);
                }
            }
        }
    }

    /**
     * {@return the next message for a worker that is through with those it had; null if there is none for
     * it} Then the worker has left. Doesn't wait.
     */
    @Nullable
    Lease take(Worker worker) {
        long nowNanos = nanoTime.getAsLong();
        try (BlockLock.Held unused = lock.hold()) {
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
        }
    }

    /**
     * {@return another message for the destination of a busy worker, or null} None while another destination
     * waits for a worker; a fresh one only if it leads. Doesn't wait.
     */
    @Nullable
    Lease takeMore(Worker worker) {
        long nowNanos = nanoTime.getAsLong();
        try (BlockLock.Held unused = lock.hold()) {
            Destination destination = worker.destination;
            return closed || destination == null || !ready.isEmpty()
                    ? null
                    : takeFirst(destination, worker, nowNanos);
        }
    }

    /** A worker is through with a message that it took. */
    void done(Worker worker, Lease lease) {
        try (BlockLock.Held unused = lock.hold()) {
            if (!worker.underWay.remove(lease)) {
                throw new IllegalStateException(lease.id() + " was not taken");
            }
            leases--;
            bytes -= lease.memoryBytes();
            bytesUnderWay -= lease.memoryBytes();
            if (worker.destination != null) {
                worker.destination.underWay--;
            }
            if (hasRoom()) {
                room.signal();
            }
        }
    }

    /** {@return what a worker has taken and is not through with} */
    List<Lease> underWay(Worker worker) {
        try (BlockLock.Held unused = lock.hold()) {
            return List.copyOf(worker.underWay);
        }
    }

    /** A worker ends, if it has not done so. */
    void leave(Worker worker) {
        try (BlockLock.Held unused = lock.hold()) {
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
        }
    }

    /** {@return whether all workers have left} Waits for that, until then at most. */
    boolean awaitEnd(long deadlineNanos) throws InterruptedException {
        try (BlockLock.Held unused = lock.hold()) {
            long leftNanos = deadlineNanos - System.nanoTime();
            while (workers > 0 && leftNanos > 0) {
                leftNanos = ended.awaitNanos(leftNanos);
            }
            return workers == 0;
        }
    }

    /**
     * {@return messages that wait for a slow destination and fill a full window} They leave the
     * window. A destination is slow when its oldest message has waited too long; a share of the
     * window stays with it, and one message in any case. One that is quick enough is left alone,
     * however long its queue.
     */
    List<Lease> takeSlow() {
        try (BlockLock.Held unused = lock.hold()) {
            List<Lease> slow = new ArrayList<>();
            if (leases < leasesMax && bytes < bytesMax) {
                return slow;
            }
            long nowNanos = nanoTime.getAsLong();
            List<Destination> late = destinations.values().stream()
                    .filter(destination -> isLate(destination, nowNanos, patienceNanos))
                    .toList();
            int parts = Math.max(SLOW_SHARE, SLOW_TOGETHER_SHARE * late.size());
            for (Destination destination : late) {
                // By one that stays, what comes later is found to be late at once.
                while (destination.waiting.size() > 1
                        && (destination.waiting.size() > leasesMax / parts
                                || destination.waitingBytes > bytesMax / parts)) {
                    Lease last = destination.waiting.removeLast().lease();
                    destination.waitingBytes -= last.memoryBytes();
                    bytes -= last.memoryBytes();
                    slow.add(last);
                }
            }
            leases -= slow.size();
            return slow;
        }
    }

    /** {@return what was waiting} Nothing can be taken from now on. */
    List<Lease> close() {
        try (BlockLock.Held unused = lock.hold()) {
            closed = true;
            List<Lease> left = new ArrayList<>();
            for (Destination destination : destinations.values()) {
                destination.waiting.forEach(next -> left.add(next.lease()));
                destination.waiting.clear();
                bytes -= destination.waitingBytes;
                destination.waitingBytes = 0;
            }
            ready.clear();
            leases -= left.size();
            room.signalAll();
            return left;
        }
    }

    /** Has a destination's messages taken by a worker more, if it may have one now. */
    private void staff(Destination destination) {
        boolean isFirst = destination.workers == 0;
        boolean mayStart = isFirst
                ? workers < workersMax
                : workers < (workersMax + 1) / 2
                        && destination.workers < destinationWorkersMax
                        && mayHaveMore(destination);
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
    private @Nullable Lease takeFirst(Destination destination, Worker worker, long nowNanos) {
        destination.lead = destination.lead == null ? worker : destination.lead;
        if ((destination.lead != worker && !isLate(destination, nowNanos, LEAD_FIRST_NANOS))
                || !mayHaveMore(destination)) {
            return null;
        }
        Waiting next = destination.waiting.poll();
        if (next == null) {
            return null;
        }
        worker.hasTaken = true;
        worker.underWay.add(next.lease());
        destination.waitingBytes -= next.lease().memoryBytes();
        destination.underWay++;
        bytesUnderWay += next.lease().memoryBytes();
        return next.lease();
    }

    /**
     * {@return whether a destination's next message may be under way} As with workers, half of the memory is
     * kept for destinations that have nothing under way.
     */
    private boolean mayHaveMore(Destination destination) {
        return destination.underWay == 0 || bytesUnderWay < bytesMax / 2;
    }

    /** {@return whether a destination has a message that has waited for so long} */
    private static boolean isLate(Destination destination, long nowNanos, long waitNanos) {
        Waiting oldest = destination.waiting.peek();
        return oldest != null && nowNanos - oldest.sinceNanos() >= waitNanos;
    }

    private boolean hasRoom() {
        return leasesMax - leases >= lot && bytes <= bytesMax - bytesMax / LOT_SHARE;
    }
}
