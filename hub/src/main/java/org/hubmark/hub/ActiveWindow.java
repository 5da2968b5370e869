package org.hubmark.hub;

import org.hubmark.core.Lease;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The leased messages: those that wait for a worker, first come first served within a destination,
 * and those that a worker is busy with. The dispatcher adds, workers take; all meet under this
 * object's lock.
 *
 * <p>A destination gets a limited number of workers, and destinations take turns, so that one of
 * them can't keep the workers from the rest. That it can't fill the window either is what {@link
 * #takeSlow} is for.
 */
final class ActiveWindow {
    /** A slow destination may keep one part in so many of the window. */
    private static final int SLOW_SHARE = 10;

    private final int leasesMax;
    private final int workersMax;
    private final long patienceNanos;
    private final Map<String, Destination> destinations = new HashMap<>();
    private final ArrayDeque<Destination> ready = new ArrayDeque<>();
    private int leases;
    private boolean closed;

    /** The messages for one domain. */
    private static final class Destination {
        private final String name;
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private int busy;
        private boolean isReady;

        private Destination(String name) {
            this.name = name;
        }
    }

    private record Waiting(Lease lease, long sinceNanos) {}

    ActiveWindow(DeliverySettings settings) {
        this.leasesMax = settings.activeMax();
        this.workersMax = settings.destinationWorkers();
        this.patienceNanos = settings.destinationPatience().toNanos();
    }

    /** {@return how many more leases it holds} */
    synchronized int room() {
        return leasesMax - leases;
    }

    /** Waits until there is room, at most that long. */
    synchronized void awaitRoom(Duration timeout) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (leases >= leasesMax && !closed) {
            long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                return;
            }
            wait(leftMillis);
        }
    }

    /** Takes leases, for which there is room. */
    synchronized void add(List<Lease> added) {
        long nowNanos = System.nanoTime();
        for (Lease lease : added) {
            leases++;
            Destination destination =
                    destinations.computeIfAbsent(destinationOf(lease), Destination::new);
            destination.waiting.add(new Waiting(lease, nowNanos));
            makeReady(destination);
        }
        notifyAll();
    }

    /** {@return the next message to deliver; null when the window was closed} Waits for one. */
    synchronized @Nullable Lease take() throws InterruptedException {
        while (true) {
            if (closed) {
                return null;
            }
            Destination destination = ready.poll();
            if (destination == null) {
                wait();
                continue;
            }
            destination.isReady = false;
            Waiting next = destination.waiting.poll();
            if (next == null) {
                // What waited was taken as slow.
                continue;
            }
            destination.busy++;
            makeReady(destination);
            return next.lease();
        }
    }

    /** A worker is through with what it took. */
    synchronized void done(Lease lease) {
        Destination destination = destinations.get(destinationOf(lease));
        if (destination == null) {
            throw new IllegalStateException(lease.id() + " was not taken");
        }
        leases--;
        destination.busy--;
        makeReady(destination);
        forgetIfEmpty(destination);
        notifyAll();
    }

    /**
     * {@return messages that wait for a slow destination and fill a full window} They leave the
     * window. A destination is slow when its oldest message has waited too long; a share of the
     * window stays with it. One that is quick enough is left alone, however long its queue.
     */
    synchronized List<Lease> takeSlow() {
        List<Lease> slow = new ArrayList<>();
        if (leases < leasesMax) {
            return slow;
        }
        long nowNanos = System.nanoTime();
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
        notifyAll();
        return slow;
    }

    /** {@return what was waiting} Nothing can be taken from now on. */
    synchronized List<Lease> close() {
        closed = true;
        List<Lease> waiting = new ArrayList<>();
        for (Destination destination : destinations.values()) {
            destination.waiting.forEach(next -> waiting.add(next.lease()));
            destination.waiting.clear();
        }
        leases -= waiting.size();
        notifyAll();
        return waiting;
    }

    private void makeReady(Destination destination) {
        if (!destination.isReady
                && destination.busy < workersMax
                && !destination.waiting.isEmpty()) {
            destination.isReady = true;
            ready.add(destination);
        }
    }

    private void forgetIfEmpty(Destination destination) {
        if (destination.busy == 0 && destination.waiting.isEmpty() && !destination.isReady) {
            destinations.remove(destination.name);
        }
    }

    private static String destinationOf(Lease lease) {
        String forwardPath = lease.envelope().forwardPaths().getFirst();
        return forwardPath.substring(forwardPath.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }
}
