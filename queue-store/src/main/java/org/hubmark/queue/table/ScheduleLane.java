package org.hubmark.queue.table;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A range of the {@link Schedule}, merged from two sources. Guarded by the store's lock.
 *
 * <p>Messages in the log stand here all. Of the queue database's schedule a window in memory holds
 * the head: every message of the range that is not leased and whose key is not behind the horizon. The
 * rest is read from the horizon on when the window is used up, so the database is never searched from
 * the range's start, where the tombstones are, and memory is bounded whatever the backlog. That reading
 * is done without the lock: what changes meanwhile is remembered, and counts.
 */
public final class ScheduleLane {
    /** Messages of the database in the window; about 100 octets each. */
    static final int WINDOW_MESSAGES_MAX = 16_384;

    private static final int PAGE_MESSAGES = 1_024;

    private final QueueDatabase database;
    private final ScheduleKey end;
    private final TreeSet<ScheduleKey> inLog = new TreeSet<>();
    private final TreeSet<ScheduleKey> window = new TreeSet<>();
    private ScheduleKey horizon;
    private @Nullable Refill refill;

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
     * Keys of the schedule behind the horizon.
     *
     * @param keys in order
     * @param isAll whether there are no more
     */
    public record Page(List<ScheduleKey> keys, boolean isAll) {}

    /**
     * A range of which nothing is known yet.
     *
     * @param start before the first place
     * @param end after the last place
     */
    ScheduleLane(QueueDatabase database, ScheduleKey start, ScheduleKey end) {
        this.database = database;
        this.horizon = start;
        this.end = end;
    }

    List<ScheduleKey> inLogAfter(ScheduleKey place) {
        return List.copyOf(inLog.tailSet(place, false));
    }

    /** {@return when the first place becomes due, or where it may lie that is not known} */
    long nextMillis() {
        ScheduleKey first = first();
        long knownMillis = first == null ? Long.MAX_VALUE : first.dueMillis();
        boolean mayBeAtHorizon = window.isEmpty() && horizon.compareTo(end) < 0;
        return mayBeAtHorizon ? Math.min(knownMillis, horizon.dueMillis()) : knownMillis;
    }

    /** {@return the first place that is known, or null} */
    @Nullable
    ScheduleKey first() {
        ScheduleKey first = inLog.isEmpty() ? null : inLog.first();
        if (!window.isEmpty() && (first == null || window.first().compareTo(first) < 0)) {
            first = window.first();
        }
        return first;
    }

    /** {@return whether behind the horizon there may be some that are due before all others} */
    boolean needsPage(long nowMillis) {
        return window.isEmpty()
                && horizon.compareTo(end) < 0
                && horizon.dueMillis() <= nowMillis
                && (inLog.isEmpty() || horizon.compareTo(inLog.first()) < 0);
    }

    /** {@return the horizon, from which a page is to be read} Its end is {@link #endPage}. */
    ScheduleKey beginPage() {
        refill = new Refill(horizon);
        return horizon;
    }

    /** {@return what the database has behind a key} Reads files: without the lock. */
    Page readPage(ScheduleKey after) throws IOException {
        List<ScheduleKey> keys = new ArrayList<>();
        boolean isAll = database.scanSchedule(after, end, key -> {
            keys.add(key);
            return keys.size() < PAGE_MESSAGES;
        });
        return new Page(keys, isAll);
    }

    /** Takes a page into the window, but what is leased. */
    void endPage(Page page, Set<Long> leased) {
        Refill changes = Objects.requireNonNull(refill);
        refill = null;
        if (!horizon.equals(changes.after)) {
            // So much came before it that the window was cut: there is enough to do.
            return;
        }
        horizon = page.isAll() ? end : page.keys().getLast();
        for (ScheduleKey key : page.keys()) {
            if (!changes.gone.contains(key) && !leased.contains(key.id())) {
                window.add(key);
            }
        }
        for (ScheduleKey key : changes.came) {
            if (!leased.contains(key.id())) {
                addInDatabase(key);
            }
        }
    }

    /** {@return whether a page is being read} Then it has to hear of what leaves, leased or not. */
    boolean isReading() {
        return refill != null;
    }

    void addInLog(ScheduleKey key) {
        inLog.add(key);
    }

    void addInDatabase(ScheduleKey key) {
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

    /** A message has moved from the log to the database. */
    void moved(ScheduleKey key) {
        inLog.remove(key);
        addInDatabase(key);
    }

    /** A message has been leased: its place is free. */
    void take(ScheduleKey key) {
        if (!inLog.remove(key)) {
            window.remove(key);
        }
    }

    /** A message has left, or has another place. */
    void remove(ScheduleKey key) {
        if (refill != null) {
            refill.came.remove(key);
            refill.gone.add(key);
        }
        take(key);
    }
}
