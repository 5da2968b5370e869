package org.hubmark.queue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The order in which messages are due, merged from two sources, and the leases. It follows the {@link
 * MessageTable}, which tells it of every change. Guarded by the store's lock.
 *
 * <p>Messages in the log stand here all. Of the queue database's schedule a window in memory holds
 * the head: every message that is not leased and whose key is not behind the horizon. The rest is
 * read from the horizon on when the window is used up, so the database is never searched from its
 * start, where the tombstones are, and memory is bounded whatever the backlog. That reading is done
 * without the lock: what changes meanwhile is remembered, and counts.
 *
 * <p>Mail that has just come is due at once, before all that waits for a time, and in the order of its
 * ids: so the clock has no say in it.
 */
final class Schedule {
    /** Messages of the database in the window; about 100 octets each. */
    static final int WINDOW_MESSAGES_MAX = 16_384;

    private static final int PAGE_MESSAGES = 1_024;

    private final QueueDatabase database;
    private final TreeSet<ScheduleKey> inLog = new TreeSet<>();
    private final TreeSet<ScheduleKey> window = new TreeSet<>();
    private final Map<Long, Leased> leased = new HashMap<>();
    private ScheduleKey horizon = ScheduleKey.START;
    private @Nullable Refill refill;

    /** A message that somebody is trying to deliver. */
    private static final class Leased {
        private boolean settling;
    }

    /** A reading of the database behind the horizon, and what has changed there since it began. */
    private static final class Refill {
        private final ScheduleKey after;
        private final Set<ScheduleKey> came = new HashSet<>();
        private final Set<ScheduleKey> gone = new HashSet<>();

        Refill(ScheduleKey after) {
            this.after = after;
        }
    }

    /**
     * What lies behind the horizon.
     *
     * @param keys in order
     * @param isAll whether there are no more
     */
    record Page(List<ScheduleKey> keys, boolean isAll) {}

    Schedule(QueueDatabase database) {
        this.database = database;
    }

    /** {@return whether anything waits to become due, now or later} */
    boolean hasAny() {
        return !inLog.isEmpty() || !window.isEmpty() || horizon.compareTo(ScheduleKey.END) < 0;
    }

    /** {@return the first place, taken out of the order, if it is due by then} */
    @Nullable
    ScheduleKey takeDue(long nowMillis) {
        ScheduleKey first = firstDue(nowMillis);
        if (first != null && !inLog.remove(first)) {
            window.remove(first);
        }
        return first;
    }

    /** {@return the first place if it is due by then, or null} Not while a page is needed. */
    @Nullable
    ScheduleKey firstDue(long nowMillis) {
        ScheduleKey first = inLog.isEmpty() ? ScheduleKey.END : inLog.first();
        if (!window.isEmpty() && window.first().compareTo(first) < 0) {
            first = window.first();
        }
        return first.dueMillis() <= nowMillis && first.compareTo(ScheduleKey.END) < 0
                ? first
                : null;
    }

    /** {@return whether behind the horizon there may be some that are due before all others} */
    boolean needsPage(long nowMillis) {
        return window.isEmpty()
                && horizon.dueMillis() <= nowMillis
                && horizon.compareTo(inLog.isEmpty() ? ScheduleKey.END : inLog.first()) < 0;
    }

    /** {@return the horizon, from which a page is to be read} Its end is {@link #endPage}. */
    ScheduleKey beginPage() {
        refill = new Refill(horizon);
        return horizon;
    }

    /** {@return what the database has behind a key} Reads files: without the lock. */
    Page readPage(ScheduleKey after) throws IOException {
        List<ScheduleKey> keys = new ArrayList<>();
        boolean isAll = database.scanSchedule(after, key -> {
            keys.add(key);
            return keys.size() < PAGE_MESSAGES;
        });
        return new Page(keys, isAll);
    }

    /** Takes a page into the window. */
    void endPage(Page page) {
        Refill changes = Objects.requireNonNull(refill);
        refill = null;
        if (!horizon.equals(changes.after)) {
            // So much came before it that the window was cut: there is enough to do.
            return;
        }
        horizon = page.isAll() ? ScheduleKey.END : page.keys().getLast();
        for (ScheduleKey key : page.keys()) {
            if (!changes.gone.contains(key) && !leased.containsKey(key.id())) {
                window.add(key);
            }
        }
        for (ScheduleKey key : changes.came) {
            if (!leased.containsKey(key.id())) {
                addInDatabase(key);
            }
        }
    }

    /** A message has come, and lies in the log. */
    void cameInLog(long id, MessageState state) {
        if (state.isScheduled() && !leased.containsKey(id)) {
            inLog.add(state.key(id));
        }
    }

    /** A message was moved from the log to the database; of a leased one nothing is changed. */
    void moved(long id, MessageState state) {
        if (state.isScheduled() && !leased.containsKey(id)) {
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
        if (now.isScheduled()) {
            addInDatabase(now.key(id));
        }
    }

    /** Ends a lease of a message that has left or changed since it was taken. */
    void endLease(long id) {
        leased.remove(id);
    }

    /** Ends a lease: the message waits again for its time. */
    void release(long id, MessageState state, boolean isInLog) {
        if (leased.remove(id) == null || !state.isScheduled()) {
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

    /** Takes a message out of the order, as if it were leased and being settled; false if it is leased. */
    boolean withdraw(long id, MessageState state) {
        if (leased.containsKey(id)) {
            return false;
        }
        take(id, state);
        lease(id);
        return beginSettle(id);
    }

    /** A leased message waits nowhere. */
    private void take(long id, MessageState state) {
        boolean wasLeased = leased.remove(id) != null;
        if (!state.isScheduled() || (wasLeased && refill == null)) {
            return;
        }
        ScheduleKey key = state.key(id);
        if (refill != null) {
            refill.came.remove(key);
            refill.gone.add(key);
        }
        if (!inLog.remove(key)) {
            window.remove(key);
        }
    }

    private void addInDatabase(ScheduleKey key) {
        if (refill != null) {
            refill.gone.remove(key);
            refill.came.add(key);
        }
        if (key.compareTo(horizon) > 0) {
            return;
        }
        window.add(key);
        if (window.size() > WINDOW_MESSAGES_MAX) {
            window.pollLast();
            horizon = window.last();
        }
    }
}
