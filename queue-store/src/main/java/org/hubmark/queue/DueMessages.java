package org.hubmark.queue;

import org.hubmark.core.QueueId;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What may be leased next. Two threads, the committer (which reports what it committed) and the
 * dispatcher (which leases), meet here under this object's lock.
 *
 * <p>A window in memory holds the head of the schedule: every message that is not leased and whose
 * key is not behind the horizon. The rest is in the database's schedule only and is read from the
 * horizon on when the window is used up, so the database is never searched from its start, where
 * the tombstones are, and memory is bounded whatever the backlog. While the queue is short the
 * horizon is at the end: a new message goes through the window without a search.
 */
final class DueMessages {
    /** Messages in the window; about 100 octets each. */
    static final int WINDOW_MESSAGES_MAX = 16_384;

    private static final int REFILL_MESSAGES = 1_024;
    private static final long POLL_MILLIS = 20;

    private final QueueDatabase database;
    private final InstantSource clock;
    private final TreeSet<ScheduleKey> window = new TreeSet<>();
    private final Map<QueueId, Leased> leased = new HashMap<>();
    private ScheduleKey horizon = ScheduleKey.START;
    private boolean closed;

    /** A message that somebody is trying to deliver. */
    private static final class Leased {
        private final ScheduleKey key;
        private MessageRow row;
        private boolean settling;

        private Leased(ScheduleKey key, MessageRow row) {
            this.key = key;
            this.row = row;
        }
    }

    /**
     * A leased message.
     *
     * @param key where it stands in the schedule
     * @param row its index row
     */
    record Held(ScheduleKey key, MessageRow row) {}

    DueMessages(QueueDatabase database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Leases what is due, the longest due first. Dispatcher's thread. */
    List<Held> lease(int messagesMax) throws IOException {
        List<Held> held = new ArrayList<>();
        while (held.size() < messagesMax) {
            Held next = leaseNext();
            if (next == null) {
                break;
            }
            held.add(next);
        }
        return held;
    }

    /** Waits until something is due; false when the time is over or the store closed. */
    synchronized boolean await(long timeoutNanos) throws InterruptedException, IOException {
        long deadlineNanos = System.nanoTime() + timeoutNanos;
        while (!closed) {
            if (firstIsDue()) {
                return true;
            }
            long leftMillis = (deadlineNanos - System.nanoTime() + 999_999) / 1_000_000;
            if (leftMillis <= 0) {
                return false;
            }
            // Nobody tells when a clock is set, so with something in the schedule it is asked.
            boolean scheduled = !window.isEmpty() || horizon.compareTo(ScheduleKey.END) < 0;
            wait(scheduled ? Math.min(leftMillis, POLL_MILLIS) : leftMillis);
        }
        return false;
    }

    /** A message was committed with this place in the schedule. Committer's thread. */
    synchronized void add(ScheduleKey key) {
        if (key.compareTo(horizon) > 0 || leased.containsKey(new QueueId(key.id()))) {
            return;
        }
        window.add(key);
        if (window.size() > WINDOW_MESSAGES_MAX) {
            window.pollLast();
            horizon = window.last();
        }
        notifyAll();
    }

    /**
     * A message that wasn't leased, when the change was staged, has left its place in the schedule.
     * Committer's thread.
     */
    synchronized void remove(ScheduleKey key, MessageRow after) {
        window.remove(key);
        Leased meanwhile = leased.get(new QueueId(key.id()));
        if (meanwhile != null) {
            meanwhile.row = after;
        }
    }

    /**
     * {@return the lease that a change settles, or null if there is none} It is settled once: a
     * second change finds none. Committer's thread.
     */
    synchronized @Nullable Held settle(QueueId id) {
        Leased found = leased.get(id);
        if (found == null || found.settling) {
            return null;
        }
        found.settling = true;
        return new Held(found.key, found.row);
    }

    /** {@return whether somebody is trying to deliver it} */
    synchronized boolean isLeased(QueueId id) {
        Leased found = leased.get(id);
        return found != null && !found.settling;
    }

    /** The change that settled a lease is committed. Committer's thread. */
    synchronized void settled(QueueId id, @Nullable ScheduleKey next) {
        leased.remove(id);
        if (next != null) {
            add(next);
        }
    }

    /** Ends a lease with nothing changed. */
    synchronized void release(QueueId id) {
        Leased found = leased.get(id);
        if (found != null && !found.settling) {
            leased.remove(id);
            add(found.key);
        }
    }

    /** Wakes who waits; nothing is due any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** One lock a message, so that the committer waits for one row read at most. */
    private synchronized @Nullable Held leaseNext() throws IOException {
        while (!closed && firstIsDue()) {
            ScheduleKey key = window.removeFirst();
            MessageRow row = database.row(key.id());
            // The row decides: the message may have died or moved since its key was read.
            if (row != null && !row.dead() && row.dueMillis() == key.dueMillis()) {
                leased.put(new QueueId(key.id()), new Leased(key, row));
                return new Held(key, row);
            }
        }
        return null;
    }

    private boolean firstIsDue() throws IOException {
        long nowMillis = clock.millis();
        // An empty window and a horizon that is due: the messages behind it may be due as well.
        while (window.isEmpty() && horizon.dueMillis() <= nowMillis) {
            refill();
        }
        return !window.isEmpty() && window.first().dueMillis() <= nowMillis;
    }

    /**
     * Under the lock, so that what the committer commits meanwhile is either seen by the search or
     * reported after it, when the horizon has moved.
     */
    private void refill() throws IOException {
        ScheduleKey[] last = {horizon};
        boolean ended = database.scanSchedule(horizon, key -> {
            last[0] = key;
            if (!leased.containsKey(new QueueId(key.id()))) {
                window.add(key);
            }
            return window.size() < REFILL_MESSAGES;
        });
        horizon = ended ? ScheduleKey.END : last[0];
    }
}
