package org.hubmark.queue;

import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.StoreException;
import org.hubmark.queue.log.IntakeLog;
import org.hubmark.queue.log.LogException;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.LogReader;
import org.hubmark.queue.log.LogRecord;
import org.hubmark.queue.log.VolumeFullException;
import org.hubmark.queue.table.Entry;
import org.hubmark.queue.table.LogMessage;
import org.hubmark.queue.table.MessageRow;
import org.hubmark.queue.table.MessageState;
import org.hubmark.queue.table.MessageTable;
import org.hubmark.queue.table.QueueBatch;
import org.hubmark.queue.table.QueueDatabase;
import org.hubmark.queue.table.Schedule;
import org.hubmark.queue.table.ScheduleKey;
import org.hubmark.queue.table.ScheduleLane;
import org.hubmark.queue.table.Totals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The messages of a running store, and the store's lock, which is this object's: the committer says
 * what it has committed, the checkpointer what it has moved, the dispatcher asks what is due. The
 * lock is held for changes in memory and rows of the database, never for a write or sync of the log
 * or a flush, nor while what is leased is read.
 */
final class Messages {
    /** How exactly a message is leased when its time comes, and how soon after a clock was set. */
    private static final long DUE_MILLIS = 20;

    private static final long CLOCK_LOOK_MILLIS = 250;

    /** Changes of the database that wait for room, in memory. */
    private static final long PENDING_BYTES_MAX = 16 << 20;

    /** Memory for content that is delivered soon. */
    private static final long FRESH_BYTES_MAX = 32L << 20;

    /** A clock that goes back by more was set; then nothing that is held back waits for it. */
    private static final long CLOCK_STEP_MILLIS = 10_000;

    /** How often it looks for what is due too far ahead, and how far that is beyond the longest wait. */
    private static final long LOOK_AHEAD_MILLIS = 60_000;

    /** How many are brought forward at a look. */
    private static final int FORWARD_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Messages.class);

    private final MessageTable table;
    private final Schedule schedule;
    private final QueueDatabase database;
    private final LogReader log;
    private final InstantSource clock;
    private final FreshContent fresh;
    private long committedBelow;
    private long databaseChangedFrom;
    private volatile Totals totals;
    private boolean closed;

    /** When the clock was last looked at, for the schedule. */
    private long clockMillis = Long.MIN_VALUE;

    private volatile long waitMaxMillis = Long.MAX_VALUE;

    /** By the clock; the dispatcher's thread alone. */
    private long lookAheadMillis = Long.MIN_VALUE;

    /**
     * Takes over what a start has found.
     *
     * @param table with the whole log replayed
     * @param databaseChangedFrom the oldest generation whose replay changed the database, or 0
     */
    Messages(
            MessageTable table,
            QueueDatabase database,
            IntakeLog log,
            InstantSource clock,
            long databaseChangedFrom) {
        this.table = table;
        this.schedule = new Schedule(database);
        this.database = database;
        this.log = log.reader();
        this.clock = clock;
        this.fresh = new FreshContent(FRESH_BYTES_MAX);
        this.totals = table.totals();
        this.databaseChangedFrom = databaseChangedFrom;
        this.committedBelow = log.writer().generation();
        table.schedule(schedule);
    }

    /** {@return the length of the queue} Any thread. */
    Totals totals() {
        return totals;
    }

    /** {@return the content that is still in memory} Any thread. */
    FreshContent fresh() {
        return fresh;
    }

    /** {@return bytes in the log that may still have to be moved} */
    synchronized long movableBytes() {
        return table.index().recordBytes();
    }

    /** {@return content of the messages that are in the database} */
    synchronized long databaseBytes() {
        return table.rows().totals().bytes();
    }

    /** {@return about how much memory is needed to know what the log holds} Any thread. */
    long indexBytes() {
        return table.index().memoryBytes();
    }

    /** Hears of a message that is due and can't be read; says whether its state can be changed. */
    interface Unreadable {
        void found(QueueId id, IOException cause, boolean canChange);
    }

    /**
     * Leases what is due, as {@link Schedule} says, until the leases take so much memory: all that needs no
     * reading under one lock. One that can't be read stays leased. Dispatcher's thread.
     */
    List<Lease> lease(int messagesMax, long bytesMax, Unreadable unreadable) throws IOException {
        lookAhead();
        List<Lease> leases = new ArrayList<>();
        long leftBytes = bytesMax;
        while (leases.size() < messagesMax && leftBytes > 0) {
            readSchedule();
            ScheduleKey unread = null;
            synchronized (this) {
                do {
                    ScheduleKey key = closed || isFull() ? null : schedule.takeDue(lookAtClock());
                    if (key == null) {
                        return leases;
                    }
                    Lease lease = lease(key);
                    if (lease == null) {
                        unread = key;
                    } else {
                        leases.add(lease);
                        leftBytes -= lease.memoryBytes();
                    }
                } while (unread == null
                        && leases.size() < messagesMax
                        && leftBytes > 0
                        && !schedule.needsPage(clockMillis));
            }
            Lease lease = unread == null ? null : read(unread, unreadable);
            if (lease != null) {
                leases.add(lease);
                leftBytes -= lease.memoryBytes();
            }
        }
        return leases;
    }

    /** No message waits longer than that for another attempt, if the clock is right. Any thread. */
    void limitWait(Duration waitMax) {
        waitMaxMillis = waitMax.toMillis();
    }

    /**
     * Makes due what is so far ahead that it can't be meant: it was deferred before the clock was set
     * back. Dispatcher's thread.
     */
    private void lookAhead() throws IOException {
        long nowMillis = clock.millis();
        boolean looked =
                nowMillis < lookAheadMillis && nowMillis >= lookAheadMillis - LOOK_AHEAD_MILLIS;
        if (looked || waitMaxMillis == Long.MAX_VALUE) {
            return;
        }
        lookAheadMillis = nowMillis + LOOK_AHEAD_MILLIS;
        ScheduleKey latest = new ScheduleKey(lookAheadMillis + waitMaxMillis, Long.MAX_VALUE);
        List<ScheduleKey> ahead = new ArrayList<>();
        database.scanSchedule(latest, ScheduleKey.END, key -> {
            ahead.add(key);
            return ahead.size() < FORWARD_MAX;
        });
        synchronized (this) {
            ahead.addAll(schedule.inLogAfter(latest));
        }
        int count = 0;
        for (ScheduleKey key : ahead) {
            count += bringForward(key) ? 1 : 0;
        }
        if (count > 0) {
            LOG.atWarn()
                    .addKeyValue("event", "due_too_far_ahead")
                    .addKeyValue("messages", count)
                    .log(
                            "{} messages were scheduled beyond the longest wait, since the clock"
                                    + " was set back; they are tried now",
                            count);
        }
    }

    private synchronized boolean bringForward(ScheduleKey place) throws IOException {
        MessageState state = closed ? null : table.state(place.id());
        return state != null
                && state.isScheduled()
                && state.key(place.id()).equals(place)
                && schedule.bringForward(place);
    }

    /** Waits until something is due; false when the time is over or the store closed. */
    boolean awaitDue(Duration timeout) throws InterruptedException, IOException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (true) {
            lookAhead();
            readSchedule();
            synchronized (this) {
                if (closed) {
                    return false;
                }
                if (!isFull() && schedule.firstDue(lookAtClock()) != null) {
                    return true;
                }
                long leftMillis = (deadlineNanos - System.nanoTime() + 999_999) / 1_000_000;
                if (leftMillis <= 0) {
                    return false;
                }
                wait(Math.min(leftMillis, lookAgainMillis()));
            }
        }
    }

    /** Nobody tells when a clock is set, so with something in the schedule it is asked. */
    private long lookAgainMillis() {
        long nextMillis = schedule.nextMillis();
        return nextMillis == Long.MAX_VALUE
                ? nextMillis
                : Math.clamp(
                        Math.max(nextMillis, clockMillis) - clockMillis,
                        DUE_MILLIS,
                        CLOCK_LOOK_MILLIS);
    }

    /** Ends a lease with nothing changed; false when there is none. Any thread. */
    synchronized boolean release(long id) throws IOException {
        boolean isLeased = schedule.isLeased(id);
        if (isLeased) {
            releaseSettling(id);
        }
        return isLeased;
    }

    /** Ends a lease with nothing written; false when as many are held back as may be. Any thread. */
    synchronized boolean holdBack(long id, long untilMillis) throws IOException {
        MessageState state = schedule.isLeased(id) ? table.state(id) : null;
        notifyAll();
        return state == null || schedule.holdBack(id, state, untilMillis);
    }

    /** Ends what {@link #beginSettle} began, with nothing changed; none need be. Committer's thread. */
    synchronized void releaseSettling(long id) throws IOException {
        MessageState state = table.state(id);
        if (state != null) {
            schedule.release(id, state, table.index().find(id) != null);
            notifyAll();
        }
    }

    /** Takes a lease that is to be settled; null when there is none. Committer's thread. */
    synchronized @Nullable MessageState beginSettle(long id) throws IOException {
        return schedule.beginSettle(id) ? table.state(id) : null;
    }

    /**
     * Takes a message out of the schedule for an operator, so that nobody begins to deliver it; false
     * when somebody has. {@link #releaseSettling} puts it back, its change ends it. Committer's thread.
     */
    synchronized boolean withdraw(long id, MessageState state) {
        return schedule.withdraw(id, state);
    }

    synchronized boolean isSettling(long id) {
        return schedule.isSettling(id);
    }

    synchronized boolean isLeased(long id) {
        return schedule.isLeased(id);
    }

    synchronized @Nullable MessageState state(long id) throws IOException {
        return table.state(id);
    }

    /** {@return a message as an operator sees it} */
    Optional<QueuedMessage> find(long id) throws IOException {
        MessageRow row = row(id);
        return row == null ? Optional.empty() : Optional.of(row.message(new QueueId(id)));
    }

    /**
     * A group is committed: applies its entries. Committer's thread.
     *
     * @param generation that is being written: what lies before it is all committed
     */
    synchronized void commit(List<Entry> entries, long generation) throws IOException {
        for (Entry entry : entries) {
            table.apply(entry);
        }
        writeRows();
        committedBelow = generation;
        if (schedule.nextMillis() != Long.MAX_VALUE) {
            notifyAll();
        }
    }

    // For the checkpointer.

    /** {@return whether every record of a generation has been applied, and none is needed} */
    synchronized boolean isDead(long generation) {
        return generation < committedBelow && table.index().isDead(generation);
    }

    /** {@return whether every record of a generation has been applied} */
    synchronized boolean isCommitted(long generation) {
        return generation < committedBelow;
    }

    /** {@return whether the database holds changes from that part of the log unflushed} */
    synchronized boolean needsFlush(long generation) {
        return databaseChangedFrom != 0 && databaseChangedFrom <= generation;
    }

    /** {@return whether the database holds any change unflushed} */
    synchronized boolean needsFlush() {
        return databaseChangedFrom != 0;
    }

    /**
     * Makes durable what has changed in the database so far.
     *
     * @throws VolumeFullException if there is no room; then it is still to be done
     */
    void flush() throws IOException {
        long changedFrom = beginFlush();
        boolean flushed = false;
        try {
            database.flush();
            flushed = true;
        } finally {
            if (!flushed) {
                changedSince(changedFrom);
            }
        }
    }

    private synchronized long beginFlush() throws IOException {
        table.rows().write();
        long changedFrom = databaseChangedFrom;
        databaseChangedFrom = 0;
        return changedFrom;
    }

    private synchronized void changedSince(long generation) {
        if (generation != 0 && (databaseChangedFrom == 0 || generation < databaseChangedFrom)) {
            databaseChangedFrom = generation;
        }
    }

    /** Writes the changes that there was no room for; fails as long as there is none. */
    synchronized void writePending() throws IOException {
        table.rows().write();
    }

    /** {@return whether content is still needed where it lies} */
    synchronized boolean isNeeded(Entry.Stored stored) {
        return table.isNeeded(stored);
    }

    /** {@return the messages whose rows lie in a generation} */
    synchronized List<LogMessage> messagesIn(long generation) {
        return table.index().messagesIn(generation);
    }

    /** {@return the envelope of a message in the log, if memory has it} */
    synchronized @Nullable Envelope recentEnvelope(long id) {
        LogMessage message = table.index().find(id);
        return message == null ? null : message.envelope();
    }

    /** {@return the extents without a row that lie in a generation} */
    synchronized List<Entry.ExtentStored> extentsIn(long generation) {
        return table.index().extentsIn(generation);
    }

    /** Contents have been written to the database: they and their messages are there from now on. */
    synchronized void moved(long generation, List<Entry.Stored> group) throws IOException {
        for (Entry.Stored stored : group) {
            table.moved(stored);
        }
        changedSince(generation);
        writeRows();
    }

    /** Extents were copied to another file: those that lie where they did are there from now on. */
    synchronized void copied(List<ContentCompaction.Copy> copies, QueueBatch batch)
            throws IOException {
        for (ContentCompaction.Copy copy : copies) {
            if (copy.from().equals(database.place(copy.id(), copy.extent()))) {
                batch.putExtent(copy.id(), copy.extent(), copy.to());
            }
        }
        database.write(batch);
    }

    // For who removes dead letters.

    /** {@return the dead letters among so many messages from an id on} Reads files, without the lock. */
    DeadLetters deadLetters(long from, int messagesMax) throws IOException {
        TreeMap<Long, QueuedMessage> found = new TreeMap<>();
        // First those in the log: what is moved to the database meanwhile is found there.
        List<Long> inLog = deadInLog(from, messagesMax);
        long lastInLog = inLog.size() < messagesMax ? Long.MAX_VALUE : inLog.getLast();
        long[] visited = {0, Long.MAX_VALUE};
        database.scanRows(from, (id, encoded) -> {
            if (id > lastInLog) {
                return false;
            }
            addIfDead(found, id, encoded::decode);
            visited[0]++;
            visited[1] = visited[0] < messagesMax ? Long.MAX_VALUE : id;
            return visited[0] < messagesMax;
        });
        long last = Math.min(lastInLog, visited[1]);
        for (long id : inLog) {
            if (id <= last) {
                addIfDead(found, id, () -> row(id));
            }
        }
        return new DeadLetters(
                List.copyOf(found.values()), last == Long.MAX_VALUE ? null : new QueueId(last + 1));
    }

    private interface RowSource {
        @Nullable
        MessageRow read() throws IOException;
    }

    private static void addIfDead(Map<Long, QueuedMessage> found, long id, RowSource source)
            throws IOException {
        try {
            MessageRow row = source.read();
            if (row != null && row.state().kind().isDead()) {
                found.put(id, row.message(new QueueId(id)));
            }
        } catch (StoreException | LogException e) {
            // One that can't be read must not keep the others; a check of the queue names it.
        }
    }

    synchronized List<Long> deadInLog(long from, int max) {
        return table.index().dead().tailMap(from, true).keySet().stream()
                .limit(max)
                .toList();
    }

    // For contents.

    /** {@return where an extent lies in the log, or null when it isn't there} Any thread. */
    synchronized @Nullable LogPosition place(long id, int extent) {
        LogMessage message = table.index().find(id);
        return message == null ? null : message.place(extent);
    }

    private synchronized boolean isInLog(long id) {
        return table.index().find(id) != null;
    }

    /**
     * {@return the row of a message, wherever it lies, or null when it has left} Reads files, without
     * the lock. Any thread.
     */
    @Nullable
    MessageRow row(long id) throws IOException {
        while (true) {
            LogPosition home = null;
            MessageState state = null;
            int headBytes = 0;
            synchronized (this) {
                LogMessage message = table.index().find(id);
                if (message == null && table.rows().isChanged(id)) {
                    return table.rows().row(id);
                }
                if (message != null) {
                    home = message.home;
                    headBytes = message.headBytes;
                    state = message.state();
                }
            }
            if (home == null || state == null) {
                // Whoever holds the lock writes all that it changes there before it lets go, or
                // there
                // was no room.
                return database.row(id);
            }
            LogRecord record = log.readHead(home, headBytes);
            if (record != null) {
                return MessageRow.decode(id, record.head()).with(state);
            }
            // It was moved meanwhile.
        }
    }

    /** Forgets messages whose end hasn't come, at the end. */
    synchronized void abandonUnfinished() throws IOException {
        table.abandonUnfinished();
        writeRows();
    }

    /** Wakes who waits; nothing is due any more. */
    synchronized void close() {
        closed = true;
        fresh.close();
        notifyAll();
    }

    /** {@return what the schedule goes by} Under the lock. */
    private long lookAtClock() {
        long nowMillis = clock.millis();
        if (nowMillis < clockMillis - CLOCK_STEP_MILLIS) {
            schedule.endHolding();
        }
        clockMillis = nowMillis;
        return nowMillis;
    }

    /** Reads on in the database's schedule until it is known what is due first. */
    private void readSchedule() throws IOException {
        while (true) {
            Schedule.PageToRead next;
            synchronized (this) {
                long nowMillis = lookAtClock();
                // What there was no room for would be missed by the page, and by all that follow.
                if (closed || table.rows().isPending() || !schedule.needsPage(nowMillis)) {
                    return;
                }
                next = schedule.beginPage(nowMillis);
            }
            ScheduleLane.Page page = next.read();
            synchronized (this) {
                schedule.endPage(page);
            }
        }
    }

    /** Leases a message that was taken out of the schedule; {@return null if it has to be read} Under the lock. */
    private @Nullable Lease lease(ScheduleKey key) {
        schedule.lease(key.id());
        LogMessage message = table.index().find(key.id());
        Envelope envelope = message == null ? null : message.envelope();
        if (message == null || envelope == null) {
            return null;
        }
        QueueId id = new QueueId(key.id());
        return lease(id, envelope, message.state(), message.sizeBytes, message.extentCount);
    }

    private Lease lease(
            QueueId id, Envelope envelope, MessageState state, long sizeBytes, int extentCount) {
        return new Lease(
                id,
                envelope,
                state.results(),
                sizeBytes,
                state.attempts(),
                state.isAskedFor(),
                new MessageContent(this, log, database, id, extentCount));
    }

    /** {@return null when the message has left or changed since it was taken, or can't be read} */
    private @Nullable Lease read(ScheduleKey key, Unreadable unreadable) throws IOException {
        QueueId id = new QueueId(key.id());
        MessageRow row;
        try {
            row = row(key.id());
        } catch (ClosedChannelException e) {
            // Not the message: the files are closed, or gone.
            throw e;
        } catch (IOException e) {
            unreadable.found(id, e, isInLog(key.id()));
            return null;
        }
        if (row == null
                || !row.state().isScheduled()
                || !row.state().key(key.id()).equals(key)) {
            synchronized (this) {
                schedule.endLease(key.id());
            }
            return null;
        }
        if (row.isEnvelopeLost()) {
            unreadable.found(id, new IOException("its envelope was damaged and is lost"), true);
            return null;
        }
        return lease(
                id, row.envelope(), row.state(), row.sizeBytes(), row.extents().size());
    }

    /** {@return whether more waits for room than memory is meant for} Then nothing is leased. */
    private boolean isFull() {
        return table.rows().isPending() && table.rows().batchBytes() > PENDING_BYTES_MAX;
    }

    private void writeRows() throws IOException {
        totals = table.totals();
        try {
            if (table.rows().write()) {
                changedSince(committedBelow);
            }
        } catch (VolumeFullException e) {
            // The log has them. The checkpointer says so, and writes them before it gives any of it
            // free.
            changedSince(committedBelow);
        }
    }
}
