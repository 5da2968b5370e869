package org.hubmark.queue;

import org.hubmark.core.Durability;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Uninterrupted;
import org.hubmark.queue.log.LogCounters;
import org.hubmark.queue.log.LogWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes. Its own thread, {@code committer}, runs {@link #run}; other threads meet it at the
 * hand-off.
 *
 * <p>No timer: the committer takes what is waiting, writes it with one sync, answers; what arrives
 * during a sync forms the next group, so the disk sets the pace. Where much is waiting and syncs are
 * slow the {@link SyncLane} syncs and answers, and the next group is written meanwhile.
 */
final class Committer implements Runnable {
    /** A group ends when its content reaches this; it bounds the latency of the first in it. */
    private static final long GROUP_BYTES_MAX = 16 << 20;

    private static final int GROUP_CHANGES_MAX = 1024;

    /** Changes that may wait; one more message is refused. */
    private static final int SLOTS = 4096;
    /**
     * When so many changes wait, the next group is written during the sync of this one. With fewer the
     * change of threads costs more than it gives, and larger groups are cheaper.
     */
    private static final int OVERLAP_CHANGES_MIN = 8;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How soon it is seen that there is room again. */
    private static final long SHUT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How soon mail that is held up goes when it may. */
    private static final long HELD_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

    private final LogWriter writer;
    private final LogRoom room;
    private final Checkpointer checkpointer;
    private final StoreParts parts;
    private final Durability durability;
    private final SyncLane lane;
    private final long groupBytesMax;
    private final GroupBuilder builder;
    private final BlockingQueue<Change> handoff;
    // Bounded by the contents that are open: each is abandoned once.
    private final Queue<QueueId> abandoned = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final List<Change> group = new ArrayList<>();

    /** Mail that waits for the throttle or for room; with what is in the hand-off as many as it has slots. */
    private final Deque<Change.Mail> held = new ArrayDeque<>();

    private final LogCounters logCounters;
    private final LongAdder turns = new LongAdder();
    private final LongAdder admitted = new LongAdder();
    private volatile boolean inTurn;
    private volatile int heldCount;
    private int staged;
    private int answered;
    private final PeriodicSync sync;
    private volatile boolean ended;

    /** Writes for a store. */
    Committer(StoreParts parts, Checkpointer checkpointer) {
        this.writer = parts.log().writer();
        this.logCounters = parts.log().counters();
        this.checkpointer = checkpointer;
        this.parts = parts;
        this.durability = parts.configuration().durability();
        this.lane = new SyncLane(parts, this::hasFailed, this::failedInLane);
        this.sync = new PeriodicSync(writer, durability);
        this.room = new LogRoom(parts, checkpointer, sync, this::hasFailed);
        // A group that meets the end of a segment takes part of the next one, and no third.
        this.groupBytesMax = Math.min(GROUP_BYTES_MAX, parts.settings().log().segmentBytes() / 2);
        this.builder = new GroupBuilder(parts, room, () -> {
            commit();
            lane.drain();
        });
        this.handoff = new ArrayBlockingQueue<>(SLOTS);
    }

    /** Makes ready to take mail. By the thread that opens the store, before this one's start. */
    void openLog() throws IOException {
        room.open();
    }

    /** Hands a change over; false when the hand-off is full. Any thread; doesn't wait. */
    boolean offer(Change change) {
        // Its size takes its lock once more, and says nothing new while no mail is held up.
        int waiting = heldCount;
        if ((waiting > 0 && waiting + handoff.size() >= SLOTS) || !handoff.offer(change)) {
            return false;
        }
        takeBackIfEnded(change);
        return true;
    }

    /** Hands a change over, waiting while the hand-off is full. Any thread but an event loop. */
    void put(Change change) {
        // The change must not get lost; whoever asked for the thread is served after it.
        Uninterrupted.run(() -> handoff.put(change));
        takeBackIfEnded(change);
    }

    /** Forgets the stored extents of a message. Any thread; doesn't wait. */
    void abandon(QueueId id) {
        abandoned.add(id);
    }

    /** A failure elsewhere in the store ends it too. Any thread. */
    void fail(Throwable found) {
        parts.gate().broken();
        checkpointer.stop();
        if (!cause.compareAndSet(null, found)) {
            return;
        }
        try {
            // Who waits for it may close the store, which waits for the thread that has failed.
            Thread teller = new Thread(() -> failure.complete(found), "store-failure");
            teller.setDaemon(true);
            teller.start();
        } catch (OutOfMemoryError e) {
            // No thread to be had. It must be told all the same.
            failure.complete(found);
        }
    }

    /** {@return whether anybody waits for what this does} Any thread. */
    boolean isWaitedFor() {
        return (inTurn || heldCount > 0 || lane.isBusy()) && !ended;
    }

    /** {@return what changes while that goes on} Any thread. */
    long progress() {
        // Settling may go on for long while mail waits for room.
        long own = heldCount > 0
                ? admitted.sum()
                : turns.sum() + logCounters.writes.sum() + logCounters.syncs.sum();
        return own + logCounters.preallocatedBytes.sum() + checkpointer.progress();
    }

    /** {@return what makes groups durable beside the committer, for a thread of its own} */
    SyncLane lane() {
        return lane;
    }

    /** {@return whether anything of the store has failed} Any thread. */
    boolean hasFailed() {
        return cause.get() != null;
    }

    /**
     * {@return completed with the cause when a write or sync failed} Soon after that, on a thread of
     * its own.
     */
    CompletableFuture<Throwable> failure() {
        return failure;
    }

    @Override
    public void run() {
        boolean stopped = false;
        while (!stopped || !held.isEmpty()) {
            try {
                stopped |= takeGroup(stopped);
                inTurn = true;
                if (hasFailed()) {
                    group.addAll(held);
                    held.clear();
                    heldCount = 0;
                    refuseGroup();
                } else {
                    serve(stopped);
                }
            } catch (Throwable e) {
                // Errors too: a committer that dies leaves everybody waiting.
                failHere(e);
            } finally {
                inTurn = false;
                turns.increment();
            }
        }
        lane.close();
        ended = true;
        Change late = handoff.poll();
        while (late != null) {
            late.refuse(Gate.CLOSING);
            late = handoff.poll();
        }
    }

    private void serve(boolean stopped) throws IOException, InterruptedException {
        admit(stopped);
        for (QueueId id = abandoned.poll(); id != null; id = abandoned.poll()) {
            builder.addAbandon(id.value());
        }
        builder.addLate(false);
        for (staged = 0; staged < group.size(); staged++) {
            builder.add(group.get(staged));
        }
        if (stopped && held.isEmpty()) {
            builder.addLate(true);
        }
        commit();
        if (stopped && held.isEmpty()) {
            lane.drain();
            sync.sync();
        } else {
            sync.syncIfDue();
        }
        room.check();
    }

    /**
     * Takes what is waiting: settling and questions into the group, mail to what is held, since the
     * one never waits for the other. True if it met the last change of all.
     */
    private boolean takeGroup(boolean stopped) throws IOException {
        group.clear();
        answered = 0;
        int mailCount = 0;
        long bytes = 0;
        Change next = stopped ? null : pollFirst();
        while (next != null) {
            if (Change.STOP.equals(next)) {
                return true;
            }
            if (next instanceof Change.Mail mail) {
                held.add(mail);
                heldCount = held.size();
                mailCount++;
                bytes += mail.bytes();
            } else {
                group.add(next);
            }
            // Not by what is held: settling goes on in large groups while mail waits for room.
            if (bytes >= groupBytesMax || mailCount + group.size() >= GROUP_CHANGES_MAX) {
                break;
            }
            next = handoff.poll();
        }
        return false;
    }

    private @Nullable Change pollFirst() {
        boolean isShut = parts.gate().refusal() != null || builder.isLate();
        long idleNanos = isShut ? SHUT_NANOS : IDLE_NANOS;
        long nanos = held.isEmpty() ? idleNanos : HELD_POLL_NANOS;
        try {
            return handoff.poll(sync.dueInNanos(nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // The end comes through the hand-off, so that nothing handed over is left behind.
            return null;
        }
    }

    /** Adds to the group the mail that may go now, or refuses what has no room. */
    private void admit(boolean stopped) throws IOException {
        if (held.isEmpty()) {
            return;
        }
        long waitingBytes = 0;
        int count = 0;
        for (Change.Mail change : held) {
            if (waitingBytes >= groupBytesMax || count == GROUP_CHANGES_MAX) {
                break;
            }
            waitingBytes += change.bytes();
            count++;
        }
        // Closing waits neither for the throttle nor for room.
        // More goes through as many segments as it takes, and is not more than there ever is.
        waitingBytes = Math.min(waitingBytes, groupBytesMax);
        long bytes = stopped ? room.admitAtOnce(waitingBytes) : room.admit(waitingBytes);
        if (bytes == LogRoom.NO_ROOM || (stopped && bytes == 0)) {
            refuseMail(stopped ? Gate.CLOSING : GroupBuilder.LOG_FULL);
            return;
        }
        while (bytes > 0 && count > 0) {
            Change.Mail next = held.remove();
            bytes -= next.bytes();
            count--;
            group.add(next);
            admitted.increment();
        }
        heldCount = held.size();
    }

    private void refuseMail(Receipt.Refused refused) {
        for (Change.Mail change : held) {
            parts.counters().refused(refused);
            change.refuse(refused);
            if (change instanceof Change.Enqueue e && e.content().storedExtents() > 0) {
                abandoned.add(e.content().id());
            }
        }
        held.clear();
        heldCount = 0;
    }

    private void commit() throws IOException {
        if (!builder.isEmpty()) {
            writer.write();
            sync.written();
            WrittenGroup group = builder.end();
            // From here on they get their answer from the lane, whatever comes.
            answered = staged;
            if (group.isSyncedFirst(durability)) {
                sync.synced();
            }
            if (lane.isBusy() || isWorthALane()) {
                lane.add(group);
            } else {
                lane.commit(group);
            }
        }
        answered = staged;
    }

    private boolean isWorthALane() {
        return durability instanceof Durability.Synced
                && lane.isSlow()
                && handoff.size() >= OVERLAP_CHANGES_MIN;
    }

    /** What reached the disk is not known now: nothing is retried, nobody is left waiting. */
    private void failHere(Throwable cause) {
        try {
            fail(cause);
            LOG.error("a write to the queue failed; no more mail is accepted", cause);
        } catch (Throwable again) {
            // Memory is short. Who waits gets an answer all the same.
            cause.addSuppressed(again);
        } finally {
            refuseGroup();
        }
    }

    private void failedInLane(Throwable cause) {
        boolean first = !hasFailed();
        fail(cause);
        if (first) {
            LOG.error("a sync of the queue failed; no more mail is accepted", cause);
        }
    }

    private void refuseGroup() {
        while (answered < group.size()) {
            Change change = group.get(answered);
            answered++;
            change.refuse(Gate.BROKEN);
        }
        group.clear();
        answered = 0;
    }

    void takeBackIfEnded(Change change) {
        if (ended && handoff.remove(change)) {
            change.refuse(Gate.CLOSING);
        }
    }
}
