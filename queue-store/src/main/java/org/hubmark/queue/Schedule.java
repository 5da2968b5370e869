package org.hubmark.queue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The order in which messages are due, merged from two sources, and the leases. It follows the {@link
 * MessageTable}, which tells it of every change. Guarded by the store's lock.
 *
 * <p>Messages in the log stand here all. Of the queue database's schedule a window in memory holds
 * the head: every message that is not leased and whose key is not behind the horizon. The rest is
 * read from the horizon on when the window is used up, so the database is never searched from its
 * start, where the tombstones are, and memory is bounded whatever the backlog.
 */
final class Schedule {
    /** Messages of the database in the window; about 100 octets each. */
    static final int WINDOW_MESSAGES_MAX = 16_384;

    private static final int REFILL_MESSAGES = 1_024;

    private final QueueDatabase database;
    private final TreeSet<ScheduleKey> inLog = new TreeSet<>();
    private final TreeSet<ScheduleKey> window = new TreeSet<>();
    private final Map<Long, Leased> leased = new HashMap<>();
    private ScheduleKey horizon = ScheduleKey.START;

    /** A message that somebody is trying to deliver. */
    private static final class Leased {
        private boolean settling;
    }

    Schedule(QueueDatabase database) {
        this.database = database;
    }

    /** {@return whether anything waits to become due, now or later} */
    boolean hasAny() {
        return !inLog.isEmpty() || !window.isEmpty() || horizon.compareTo(ScheduleKey.END) < 0;
    }

    /** {@return the first place, taken out of the order, if it is due by then} */
    @Nullable
    ScheduleKey takeDue(long nowMillis) throws IOException {
        ScheduleKey first = firstDue(nowMillis);
        if (first != null && !inLog.remove(first)) {
            window.remove(first);
        }
        return first;
    }

    /** {@return the first place if it is due by then, or null} */
    @Nullable
    ScheduleKey firstDue(long nowMillis) throws IOException {
        ScheduleKey first = inLog.isEmpty() ? ScheduleKey.END : inLog.first();
        // Behind the horizon there may be some that are due before the log's first.
        while (window.isEmpty()
                && horizon.dueMillis() <= nowMillis
                && horizon.compareTo(first) < 0) {
            refill();
        }
        if (!window.isEmpty() && window.first().compareTo(first) < 0) {
            first = window.first();
        }
        return first.dueMillis() <= nowMillis && first.compareTo(ScheduleKey.END) < 0
                ? first
                : null;
    }

    /** A message has come, and lies in the log. */
    void cameInLog(long id, MessageState state) {
        if (!state.dead() && !leased.containsKey(id)) {
            inLog.add(state.key(id));
        }
    }

    /** A message was moved from the log to the database; of a leased one nothing is changed. */
    void moved(long id, MessageState state) {
        if (!state.dead() && !leased.containsKey(id)) {
            inLog.remove(state.key(id));
            addInDatabase(state.key(id));
        }
    }

    /** A message has left. */
    void left(long id, MessageState before) {
        take(id, before);
    }

    /** A message in the log has another state, which ends its lease. */
    void changedInLog(long id, MessageState before, MessageState now) {
        take(id, before);
        cameInLog(id, now);
    }

    /** A message in the database has another state, which ends its lease. */
    void changedInDatabase(long id, MessageState before, MessageState now) {
        take(id, before);
        if (!now.dead()) {
            addInDatabase(now.key(id));
        }
    }

    /** Ends a lease: the message waits again for its time. */
    void release(long id, MessageState state, boolean isInLog) {
        if (leased.remove(id) == null || state.dead()) {
            return;
        }
        if (isInLog) {
            inLog.add(state.key(id));
        } else {
            addInDatabase(state.key(id));
        }
    }

    void lease(long id) {
        leased.put(id, new Leased());
    }

    /** {@return whether somebody is trying to deliver it and it isn't being settled} */
    boolean isLeased(long id) {
        Leased found = leased.get(id);
        return found != null && !found.settling;
    }

    /** Takes a lease that is to be settled; false when there is none. It is settled once. */
    boolean beginSettle(long id) {
        Leased found = leased.get(id);
        if (found == null || found.settling) {
            return false;
        }
        found.settling = true;
        return true;
    }

    /** A leased message waits nowhere. */
    private void take(long id, MessageState state) {
        if (leased.remove(id) == null && !state.dead()) {
            ScheduleKey key = state.key(id);
            if (!inLog.remove(key)) {
                window.remove(key);
            }
        }
    }

    private void addInDatabase(ScheduleKey key) {
        if (key.compareTo(horizon) > 0) {
            return;
        }
        window.add(key);
        if (window.size() > WINDOW_MESSAGES_MAX) {
            window.pollLast();
            horizon = window.last();
        }
    }

    private void refill() throws IOException {
        ScheduleKey[] last = {horizon};
        boolean ended = database.scanSchedule(horizon, key -> {
            last[0] = key;
            if (!leased.containsKey(key.id())) {
                window.add(key);
            }
            return window.size() < REFILL_MESSAGES;
        });
        horizon = ended ? ScheduleKey.END : last[0];
    }
}
