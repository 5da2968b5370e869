package org.hubmark.queue;

import org.hubmark.core.Durability;
import org.hubmark.queue.log.IntakeLog;
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
final class LogRoom implements GroupBuilder.RoomForRecords {
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration SPARE_WAIT = Duration.ofMillis(50);

    private final LogWriter writer;
    private final SegmentPool segments;
    private final Checkpointer checkpointer;
    private final FreeSpace freeSpace;
    private final Gate gate;
    private final boolean syncsSegments;
    private final BooleanSupplier failed;
    private long lastCheckNanos;

    /**
     * Watches a log.
     *
     * @param failed whether the store has failed, so that nobody waits for room that won't come
     */
    LogRoom(
            IntakeLog log,
            Checkpointer checkpointer,
            FreeSpace freeSpace,
            Gate gate,
            Durability durability,
            BooleanSupplier failed) {
        this.writer = log.writer();
        this.segments = log.segments();
        this.checkpointer = checkpointer;
        this.freeSpace = freeSpace;
        this.gate = gate;
        this.syncsSegments = !(durability instanceof Durability.None);
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
     * Holds a group with mail up as the checkpointer's speed demands, and until there is room for it.
     *
     * @param groupBytes content in it
     * @return false when there is no room and nothing can be moved: the mail is to be refused
     */
    boolean admit(long groupBytes) throws IOException, InterruptedException {
        long pauseNanos = checkpointer.pauseNanos(groupBytes, writer.remainingBytes());
        if (pauseNanos > 0) {
            TimeUnit.NANOSECONDS.sleep(pauseNanos);
        }
        while (writer.remainingBytes() < 2 * groupBytes && !segments.hasRoomForMail()) {
            requireSound();
            if (checkpointer.isBlocked() || !writer.isOpen()) {
                gate.full("log volume");
                return false;
            }
            checkpointer.wake();
            segments.awaitSpare(SPARE_WAIT);
            if (!segments.hasRoomForMail()) {
                // The one spare segment is kept for settling.
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
        return true;
    }

    /** Ends the open group's write and takes another segment until a record fits. */
    @Override
    public void make(int headBytes, int contentBytes) throws IOException {
        while (!writer.fits(headBytes, contentBytes)) {
            if (writer.recordCount() > 0) {
                writer.write();
            } else if (writer.openNext(syncsSegments)) {
                checkpointer.wake();
            } else {
                awaitSpare();
            }
        }
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
        if (!freeSpace.hasRoomForMail()) {
            gate.full("queue volume");
            return;
        }
        boolean stuck = segments.isShort() || checkpointer.isBlocked();
        boolean room = writer.isOpen() && (!stuck || segments.hasRoomForMail());
        gate.full(room ? null : "log volume");
    }

    private void awaitSpare() throws IOException {
        requireSound();
        checkpointer.wake();
        try {
            segments.awaitSpare(SPARE_WAIT);
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
