package org.hubmark.queue.table;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The order in which messages are due, and the leases. It follows the {@link MessageTable}, which
 * tells it of every change. Guarded by the store's lock.
 *
 * <p>Mail that has just come is due at once, in the order of its ids: so the clock has no say in it.
 * Mail that waits for a time has a lane of its own. Where both have something due they take turns, so
 * that neither a flow of fresh mail nor a backlog that is overdue keeps the other waiting.
 *
 * <p>What was not tried is held back in memory, and its place is written nowhere.
 */
public final class Schedule {
    /**
     * Number of leases of which one is for mail that has waited for its time, while there is fresh
     * mail.
     */
    static final int TIMED_SHARE = 4;

    /** Messages held back; about 200 octets each. */
    static final int HELD_BACK_MAX = 16_384;

    private final ScheduleLane atOnce;
    private final ScheduleLane timed;
    private final Map<Long, Leased> leased = new HashMap<>();

    /** The places of messages that are held back, by when and whose. */
    private final TreeMap<ScheduleKey, ScheduleKey> heldBack = new TreeMap<>();

    private @Nullable ScheduleLane reading;
    private int turn;

    /** A message that somebody is trying to deliver, or that is held back. */
    private static final class Leased {
        private boolean settling;
        private @Nullable ScheduleKey heldUntil;
    }

    /** Begins with what the database has in its schedule. */
    public Schedule(QueueDatabase database) {
        this.atOnce = new ScheduleLane(database, ScheduleKey.START, ScheduleKey.FIRST_TIMED);
        this.timed = new ScheduleLane(database, ScheduleKey.FIRST_TIMED, ScheduleKey.END);
    }

    /** {@return when something may become due next; the greatest number if nothing waits} */
    public long nextMillis() {
        long heldMillis =
                heldBack.isEmpty() ? Long.MAX_VALUE : heldBack.firstKey().dueMillis();
        return Math.min(heldMillis, Math.min(atOnce.nextMillis(), timed.nextMillis()));
    }

    /** {@return the place whose turn it is, taken out of the order, if one is due by then} */
    public @Nullable ScheduleKey takeDue(long nowMillis) {
        ScheduleKey fresh = atOnce.first();
        ScheduleKey waited = firstTimed(nowMillis);
        if (fresh != null && waited != null) {
            turn = (turn + 1) % TIMED_SHARE;
        }
        if (fresh != null && (waited == null || turn != 0)) {
            atOnce.take(fresh);
            return fresh;
        }
        if (waited != null) {
            ScheduleKey place = heldBack.remove(waited);
            if (place != null) {
                leased.remove(place.id());
                return place;
            }
            timed.take(waited);
        }
        return waited;
    }

    /** {@return a place that is due by then, or null} Not while a page is needed. */
    public @Nullable ScheduleKey firstDue(long nowMillis) {
        ScheduleKey fresh = atOnce.first();
        return fresh != null ? fresh : firstTimed(nowMillis);
    }

    private @Nullable ScheduleKey firstTimed(long nowMillis) {
        ScheduleKey first = timed.first();
        if (!heldBack.isEmpty() && (first == null || heldBack.firstKey().compareTo(first) < 0)) {
            first = heldBack.firstKey();
        }
        return first != null && first.dueMillis() <= nowMillis ? first : null;
    }

    /** {@return whether the database has to be read to know what is due} */
    public boolean needsPage(long nowMillis) {
        return atOnce.needsPage(nowMillis) || timed.needsPage(nowMillis);
    }

    /**
     * {@return where to read a page, which has to be needed} Without the lock; its end is {@link
     * #endPage}.
     */
    public PageToRead beginPage(long nowMillis) {
        ScheduleLane lane = atOnce.needsPage(nowMillis) ? atOnce : timed;
        reading = lane;
        ScheduleKey after = lane.beginPage();
        return () -> lane.readPage(after);
    }

    /** Reads a page of the database. */
    public interface PageToRead {
        ScheduleLane.Page read() throws IOException;
    }

    /** Takes a page in. */
    public void endPage(ScheduleLane.Page page) {
        Objects.requireNonNull(reading).endPage(page, leased.keySet());
        reading = null;
    }

    /** A message has come, and lies in the log. */
    void cameInLog(long id, MessageState state) {
        if (!leased.containsKey(id)) {
            add(id, state, true);
        }
    }

    /** A message was moved from the log to the database; of a leased one nothing is changed. */
    void moved(long id, MessageState state) {
        if (state.isScheduled() && !leased.containsKey(id)) {
            lane(state).moved(state.key(id));
        }
    }

    /** A message has left. */
    void left(long id, MessageState before) {
        take(id, before);
    }

    /**
     * A message has another state, which ends its lease. The end of a notification about it changes neither
     * its place nor its lease.
     */
    void changed(long id, MessageState before, MessageState now, boolean isInLog) {
        boolean staysInPlace = before.isScheduled()
                && now.isScheduled()
                && before.key(id).equals(now.key(id))
                && !isSettling(id);
        if (!staysInPlace) {
            take(id, before);
            add(id, now, isInLog);
        }
    }

    private void add(long id, MessageState state, boolean isInLog) {
        if (!state.isScheduled()) {
            return;
        }
        if (isInLog) {
            lane(state).addInLog(state.key(id));
        } else {
            lane(state).addInDatabase(state.key(id));
        }
    }

    /** {@return whether a change that ends a lease of it is under way} */
    public boolean isSettling(long id) {
        Leased found = leased.get(id);
        return found != null && found.settling;
    }

    /** Ends a lease of a message that has left or changed since it was taken. */
    public void endLease(long id) {
        leased.remove(id);
    }

    /** Ends a lease: the message waits again for its time. */
    public void release(long id, MessageState state, boolean isInLog) {
        if (leased.remove(id) != null) {
            add(id, state, isInLog);
        }
    }

    /** Holds a leased message back until then; false when as many are held back as may be. */
    public boolean holdBack(long id, MessageState state, long untilMillis) {
        Leased found = leased.get(id);
        if (found == null || heldBack.size() >= HELD_BACK_MAX) {
            return false;
        }
        return holdUntil(state.key(id), untilMillis);
    }

    /** {@return those in the log that are due after a place} */
    public List<ScheduleKey> inLogAfter(ScheduleKey place) {
        return timed.inLogAfter(place);
    }

    /**
     * Makes a message due that waits for a time, until a restart; false if it is leased, or if as many are
     * held back as may be.
     */
    public boolean bringForward(ScheduleKey place) {
        if (leased.containsKey(place.id()) || heldBack.size() >= HELD_BACK_MAX) {
            return false;
        }
        timed.take(place);
        lease(place.id());
        return holdUntil(place, ScheduleKey.FIRST_TIMED.dueMillis());
    }

    private boolean holdUntil(ScheduleKey place, long untilMillis) {
        ScheduleKey until = new ScheduleKey(untilMillis, place.id());
        Objects.requireNonNull(leased.get(place.id())).heldUntil = until;
        heldBack.put(until, place);
        return true;
    }

    /** Makes due what is held back. */
    public void endHolding() {
        List<ScheduleKey> places = List.copyOf(heldBack.values());
        heldBack.clear();
        for (ScheduleKey place : places) {
            holdUntil(place, ScheduleKey.FIRST_TIMED.dueMillis());
        }
    }

    /** Somebody tries to deliver a message from now on. */
    public void lease(long id) {
        leased.put(id, new Leased());
    }

    /** {@return whether somebody is trying to deliver it and it isn't being settled} */
    public boolean isLeased(long id) {
        Leased found = leased.get(id);
        return found != null && found.heldUntil == null && !found.settling;
    }

    /** Takes a lease that is to be settled; false when there is none. It is settled once. */
    public boolean beginSettle(long id) {
        Leased found = leased.get(id);
        if (found == null || found.heldUntil != null || found.settling) {
            return false;
        }
        found.settling = true;
        return true;
    }

    /** Takes a message out of the order, as if it were leased and being settled; false if it is leased. */
    public boolean withdraw(long id, MessageState state) {
        Leased found = leased.get(id);
        if (found != null && found.heldUntil == null) {
            return false;
        }
        take(id, state);
        lease(id);
        return beginSettle(id);
    }

    /** A leased message waits nowhere, one that is held back only there. */
    private void take(long id, MessageState state) {
        Leased found = leased.remove(id);
        if (found != null && found.heldUntil != null) {
            heldBack.remove(found.heldUntil);
        }
        if (!state.isScheduled()) {
            return;
        }
        ScheduleLane lane = lane(state);
        if (found == null || lane.isReading()) {
            lane.remove(state.key(id));
        }
    }

    private ScheduleLane lane(MessageState state) {
        return state.dueMillis() == MessageState.AT_ONCE ? atOnce : timed;
    }
}
