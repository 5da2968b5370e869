package org.hubmark.queue;

import org.hubmark.core.Durability;
import org.hubmark.queue.log.LogWriter;
import org.hubmark.queue.log.SegmentPool;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sees to it that the log has room: slows mail as the log nears its bound, takes the next segment,
 * and tells the gate when a volume is full. Committer's thread; {@link #open} before that is started.
 */
final class LogRoom {
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SPARE_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Mail is held up for no longer at a time: what is slow now may not be so in a second. */
    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    static final long NO_ROOM = -1;

    private final LogWriter writer;
    private final SegmentPool segments;
    private final Checkpointer checkpointer;
    private final StoreParts parts;
    private final PeriodicSync sync;
    private final boolean syncsSegments;
    private final BooleanSupplier failed;
    private long lastCheckNanos;

    // The pause that the next mail is in.
    private boolean pausing;
    private long pauseEndNanos;
    private long pausedAtCheckpoint;
    private long pausedBytes;

    /**
     * Watches a log.
     *
     * @param failed whether the store has failed, so that nobody waits for room that won't come
     */
    LogRoom(
            StoreParts parts,
            Checkpointer checkpointer,
            PeriodicSync sync,
            BooleanSupplier failed) {
        this.writer = parts.log().writer();
        this.segments = parts.log().segments();
        this.checkpointer = checkpointer;
        this.parts = parts;
        this.sync = sync;
        this.syncsSegments = !(parts.configuration().durability() instanceof Durability.None);
        this.failed = failed;
    }

    /**
     * Takes a first segment, so that mail is taken from the start; where there is no room for one it
     * is refused at first. By the thread that opens the store.
     */
    void open() throws IOException {
        segments.awaitPreallocation();
        while (!writer.isOpen()
                && !writer.openNext(true)
                && !failed.getAsBoolean()
                && !checkpointer.isBlocked()
                && segments.full() == null) {
            awaitSpare();
        }
        check();
    }

    /**
     * {@return how many bytes of the mail that waits may go now: 0 for none yet, {@link #NO_ROOM} when
     * there is no room and none can be made} Never waits.
     *
     * @param waitingBytes of mail, in one group at most
     */
    long admit(long waitingBytes) throws IOException {
        requireSound();
        long nowNanos = System.nanoTime();
        if (!pausing) {
            long pauseNanos = checkpointer.pauseNanos(waitingBytes, writer.remainingBytes());
            pausedBytes = waitingBytes;
            if (pauseNanos > PAUSE_NANOS_MAX) {
                // A part of the mail after a bounded pause, rather than all after a long one.
                pausedBytes =
                        Math.max(1, (long) ((double) waitingBytes * PAUSE_NANOS_MAX / pauseNanos));
                pauseNanos = PAUSE_NANOS_MAX;
            }
            pauseEndNanos = nowNanos + pauseNanos;
            pausedAtCheckpoint = checkpointer.checkpoints();
            pausing = true;
        }
        if (pauseEndNanos - nowNanos > 0 && checkpointer.checkpoints() == pausedAtCheckpoint) {
            return 0;
        }
        return admitAtOnce(pausedBytes);
    }

    /** {@return the same without a pause} */
    long admitAtOnce(long bytes) throws IOException {
        boolean onlyOne = segments.liveCount() == 1;
        if (onlyOne
                && (checkpointer.isIndexLarge() || !hasRoom(bytes))
                && writer.openNext(syncsSegments)) {
            // The segment that is being written can neither be moved nor given free.
            checkpointer.wake();
        }
        if (hasRoom(bytes)) {
            pausing = false;
            return Math.max(1, bytes);
        }
        boolean nothingToMove = onlyOne && segments.isShort();
        if (checkpointer.isBlocked() || nothingToMove || !writer.isOpen()) {
            parts.gate().full(checkpointer.hasRoomInIndex() ? "log volume" : "queue volume");
            pausing = false;
            return NO_ROOM;
        }
        checkpointer.wake();
        return 0;
    }

    /**
     * {@return whether what is left is to be kept} Then settling takes effect without a record, until
     * there is room for those, many to a page.
     */
    boolean isTight() throws IOException {
        return writer.remainingBytes() + segments.roomBytes() < segments.segmentBytes() / 2;
    }

    /** A segment is left for settling, which is what makes room again. */
    private boolean hasRoom(long bytes) throws IOException {
        // Twice: what is left of a segment that a record doesn't fit is lost.
        return checkpointer.hasRoomInIndex()
                && writer.remainingBytes() + segments.roomBytes() - 2 * bytes
                        >= segments.segmentBytes();
    }

    /**
     * Sees to it that a record fits: ends the open group's write and takes another segment. What was
     * admitted counted on segments that were still to be made, for which there may turn out to be
     * no room.
     *
     * @return false if there is no segment and none will come before some mail has left
     */
    boolean make(int headBytes, int contentBytes) throws IOException {
        sync.syncIfDue();
        while (!writer.fits(headBytes, contentBytes)) {
            if (writer.recordCount() > 0) {
                writer.write();
                sync.written();
            } else if (writer.openNext(syncsSegments)) {
                checkpointer.wake();
            } else if (isStuck()) {
                return false;
            } else {
                awaitSpare();
            }
        }
        return true;
    }

    /** Neither volume has room, so only mail that leaves can make some; or there is none to move. */
    private boolean isStuck() {
        return (segments.isShort() || segments.isExhausted())
                && (checkpointer.isBlocked() || segments.liveCount() < 2);
    }

    /** Tells the gate whether both volumes have room; now and then. */
    void check() throws IOException {
        long nowNanos = System.nanoTime();
        if (lastCheckNanos != 0 && nowNanos - lastCheckNanos < CHECK_NANOS) {
            return;
        }
        lastCheckNanos = nowNanos;
        if (!writer.isOpen()) {
            writer.openNext(true);
        }
        if (!parts.freeSpace().hasRoomForMail(checkpointer.isFull())) {
            parts.gate().full("queue volume");
            return;
        }
        boolean stuck = segments.isShort() || checkpointer.isBlocked();
        boolean room = writer.isOpen() && (!stuck || hasRoom(0));
        parts.gate().full(room ? null : "log volume");
    }

    private void awaitSpare() throws IOException {
        requireSound();
        checkpointer.wake();
        sync.syncIfDue();
        try {
            segments.awaitSpare(Duration.ofNanos(sync.dueInNanos(SPARE_WAIT_NANOS)));
        } catch (InterruptedException e) {
            // The end comes through the hand-off.
            throw new IOException("interrupted while waiting for a segment", e);
        }
    }

    private void requireSound() throws IOException {
        if (failed.getAsBoolean()) {
            throw new IOException("the store has failed");
        }
    }
}
