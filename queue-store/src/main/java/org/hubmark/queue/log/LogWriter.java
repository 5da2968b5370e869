package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/**
 * Builds groups and writes them: one gathering write and, where asked, one data sync a group. The
 * committer's thread, but for {@link #sync}.
 *
 * <p>Heads are encoded where they are written from, and small content is copied there; the whole
 * pages of large content are written from the caller's buffers, which must stay as they are until
 * {@link #write} has returned. After a failed write or sync every further call throws: nothing is
 * retried, since what reached the disk is no longer known.
 */
public final class LogWriter {
    /** The largest head of a record. */
    public static final int HEAD_BYTES_MAX = 2 << 20;

    private static final int FRONT_BYTES_MAX = 2 * HEAD_BYTES_MAX;

    /** The operating system takes 1024 buffers in one write (IOV_MAX), the front is one. */
    private static final int BODIES_MAX = 1000;

    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    /**
     * The last group that was written.
     *
     * @param through its last record
     * @param calls that wrote groups until then
     * @param bytes of groups until then
     */
    private record Written(Segment segment, long through, long calls, long bytes) {}

    /**
     * Groups that were synced since the writer was made.
     *
     * @param calls that wrote it
     * @param bytes of it
     */
    public record Synced(long calls, long bytes) {
        private static final Synced NOTHING = new Synced(0, 0);
    }

    /** A segment, and what it held when it was left. */
    private record Left(Segment segment, long generation) {}

    private final Volume volume;
    private final SegmentPool segments;
    private final UUID storeId;
    private final LongSupplier databaseCheckpoint;
    private final LogCounters counters;
    private final ByteBuffer front = Pages.allocate(FRONT_BYTES_MAX);

    /** The front, and the bodies behind it. */
    private final ByteBuffer[] slices = new ByteBuffer[1 + BODIES_MAX];

    private final @Nullable LogPosition[] positions = new LogPosition[BODIES_MAX];
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(LogFormat.PAGE_BYTES);
    private final CRC32C crc = new CRC32C();

    /**
     * Left before they were synced, which only happens where no sync was asked for; until a durable
     * header says that they aren't needed. Recycled ones too: they are links of the chain until then.
     */
    private final List<Left> unsynced = new CopyOnWriteArrayList<>();

    private @Nullable Segment segment;
    private SegmentFiles.@Nullable Link newest;
    private long generation;
    private long lastGeneration;
    private int offset;
    private long nextSequence;
    private long highestId;
    private volatile @Nullable Written written;
    private volatile long syncedThrough;
    private long writtenCalls;
    private long writtenBytes;
    private volatile Synced synced = Synced.NOTHING;
    private volatile @Nullable IOException failure;

    /**
     * Shared by two syncs that may be under way together; held alone by one that may not, and while the
     * log goes on in another segment.
     */
    private final ReadWriteLock segmentLock = new ReentrantReadWriteLock();

    // The group that is open.
    private int bodyCount;
    private int bodyBytes;
    private int recordCount;
    private int recordStart;
    private RecordType recordType = RecordType.ENQUEUE;
    private long recordId;
    private int headBytesMax;

    /**
     * Goes on after recovery, in a new segment: what a torn tail has left behind in the old one can
     * then never be taken for what follows.
     *
     * @param databaseCheckpoint the newest one that is durable
     * @param newest the newest live segment, or null
     * @param lastGeneration the highest generation ever seen; never used again
     * @param end where the log ended; all up to there is synced
     */
    LogWriter(
            Volume volume,
            SegmentPool segments,
            UUID storeId,
            LongSupplier databaseCheckpoint,
            LogCounters counters,
            SegmentFiles.@Nullable Link newest,
            long lastGeneration,
            LogScan.End end) {
        this.volume = volume;
        this.segments = segments;
        this.storeId = storeId;
        this.databaseCheckpoint = databaseCheckpoint;
        this.counters = counters;
        this.newest = newest;
        this.generation = newest == null ? 0 : newest.header().generation();
        this.lastGeneration = lastGeneration;
        this.nextSequence = end.lastSequence() + 1;
        this.syncedThrough = end.lastSequence();
        this.highestId = end.highestId();
        startGroup();
    }

    /** {@return whether a record fits the open group} If not: write, or if empty, {@link #openNext}. */
    public boolean fits(int headBytes, int contentBytes) {
        int recordBodyBytes = LogFormat.bodyBytes(contentBytes);
        int recordFrontBytes = RecordHeader.BYTES + headBytes + contentBytes - recordBodyBytes;
        if (segment == null || bodyCount == BODIES_MAX || front.remaining() < recordFrontBytes) {
            return false;
        }
        long bytes = LogFormat.paddedBytes(front.position() + recordFrontBytes)
                + bodyBytes
                + recordBodyBytes;
        return offset + bytes <= segment.bytes();
    }

    /** {@return whether a segment is open} */
    public boolean isOpen() {
        return segment != null;
    }

    /** {@return bytes that are left in the open segment behind the open group} */
    public long remainingBytes() {
        return segment == null
                ? 0
                : segment.bytes() - offset - LogFormat.paddedBytes(front.position()) - bodyBytes;
    }

    /**
     * Starts a record that {@link #fits}.
     *
     * @param headBytes at most so many are put into the buffer
     * @return put the head here, then call {@link #finish}
     */
    public ByteBuffer start(RecordType type, long id, int headBytes) {
        recordStart = front.position();
        recordType = type;
        recordId = id;
        headBytesMax = headBytes;
        return front.position(recordStart + RecordHeader.BYTES);
    }

    /** Ends a record that has no content. */
    public LogPosition finish() {
        return finish(EMPTY, 0);
    }

    /**
     * Ends the record.
     *
     * @param content direct; read from its position to its limit, and unchanged
     * @param contentChecksum its CRC32C
     * @return where it will lie when the group is written
     */
    public LogPosition finish(ByteBuffer content, int contentChecksum) {
        int headBytes = front.position() - recordStart - RecordHeader.BYTES;
        if (headBytes > headBytesMax) {
            throw new IllegalStateException(headBytes + " bytes of head, not " + headBytesMax);
        }
        int contentBytes = content.remaining();
        int recordBodyBytes = LogFormat.bodyBytes(contentBytes);
        RecordHeader.encode(
                front,
                recordStart,
                recordType,
                recordId,
                generation,
                nextSequence,
                headBytes,
                contentBytes,
                recordBodyBytes,
                contentChecksum);
        crc.reset();
        crc.update(front.duplicate()
                .limit(front.position())
                .position(recordStart + RecordHeader.CHECKSUM_BYTES));
        RecordHeader.setChecksum(front, recordStart, (int) crc.getValue());
        front.put(content.slice(
                content.position() + recordBodyBytes, contentBytes - recordBodyBytes));
        LogPosition position = new LogPosition(
                generation,
                offset + recordStart,
                RecordHeader.BYTES + headBytes + contentBytes,
                recordBodyBytes,
                bodyBytes);
        if (recordBodyBytes > 0) {
            positions[bodyCount] = position;
            bodyCount++;
            slices[bodyCount] = content.slice(content.position(), recordBodyBytes);
            bodyBytes += recordBodyBytes;
        }
        recordCount++;
        nextSequence++;
        highestId = Math.max(highestId, recordId);
        return position;
    }

    /** {@return the records in the open group} */
    public int recordCount() {
        return recordCount;
    }

    /** {@return the generation that is being written, or the last one before the start} */
    public long generation() {
        return generation;
    }

    /** {@return the sequence of the last record finished} */
    long lastSequence() {
        return nextSequence - 1;
    }

    /** {@return all records up to this sequence are synced} Any thread. */
    long syncedThrough() {
        return syncedThrough;
    }

    /** Writes the open group, if it has a record, and opens the next. */
    public void write() throws IOException {
        requireSound();
        if (recordCount == 0) {
            return;
        }
        Segment target = Objects.requireNonNull(segment);
        int frontBytes = front.position();
        new GroupHeader(
                        generation,
                        nextSequence - recordCount,
                        syncedThrough,
                        frontBytes,
                        bodyBytes,
                        recordCount)
                .encode(front, 0, storeId);
        int paddedBytes = (int) LogFormat.paddedBytes(frontBytes);
        front.put(zeros.slice(0, paddedBytes - frontBytes));
        slices[0] = front.slice(0, paddedBytes);
        for (int i = 0; i < bodyCount; i++) {
            Objects.requireNonNull(positions[i]).bodiesBegin(offset + paddedBytes);
        }
        int groupBytes = paddedBytes + bodyBytes;
        long startNanos = System.nanoTime();
        try {
            int groupCalls = target.file.write(offset, slices, 1 + bodyCount);
            counters.writes.add(groupCalls);
            writtenCalls += groupCalls;
        } catch (IOException e) {
            throw fail(e, target, "write");
        }
        counters.writeNanos.add(System.nanoTime() - startNanos);
        counters.bytesWritten.add(groupBytes);
        counters.groups.increment();
        offset += groupBytes;
        writtenBytes += groupBytes;
        written = new Written(target, nextSequence - 1, writtenCalls, writtenBytes);
        startGroup();
    }

    /**
     * Waits for the syncs that are under way, and makes everything durable that was written before the
     * call. Any thread.
     */
    public void sync() throws IOException {
        sync(0, segmentLock.writeLock());
    }

    /**
     * Does so without waiting for another that is under way. Any thread.
     *
     * @param descriptor 0 or 1; each of two that are under way has its own
     */
    public void sync(int descriptor) throws IOException {
        sync(descriptor, segmentLock.readLock());
    }

    /** {@return whether two syncs may be under way at once} Any thread. */
    public boolean syncsBeside() {
        Written end = written;
        return end != null && end.segment().file.syncsAtOnce() > 1;
    }

    private void sync(int descriptor, Lock lock) throws IOException {
        lock.lock();
        try {
            requireSound();
            Written end = written;
            if (end == null || end.through() <= syncedThrough) {
                return;
            }
            List<Left> earlier = List.copyOf(unsynced);
            for (Left left : earlier) {
                sync(left.segment(), descriptor);
            }
            sync(end.segment(), descriptor);
            synced(end, earlier);
        } finally {
            lock.unlock();
        }
    }

    private synchronized void synced(Written end, List<Left> earlier) {
        unsynced.removeAll(earlier);
        if (end.through() > syncedThrough) {
            syncedThrough = end.through();
            synced = new Synced(end.calls(), end.bytes());
        }
    }

    /** {@return what is synced} Any thread. */
    public Synced synced() {
        return synced;
    }

    /**
     * Goes on in the next segment. The open group must be empty. Syncs what was written to the old
     * one only if {@code syncOld}; the header of the new one always, and that of the old one, which
     * then names the new one.
     *
     * @return false when there is no spare segment at this moment
     */
    public boolean openNext(boolean syncOld) throws IOException {
        segmentLock.writeLock().lock();
        try {
            requireSound();
            if (recordCount != 0) {
                throw new IllegalStateException("a group is open");
            }
            if (syncOld) {
                sync();
            }
            Segment next;
            try {
                next = segments.takeSpare();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
            if (next == null) {
                return false;
            }
            long newGeneration = lastGeneration + 1;
            // Both asked for after taking the file: its own old generation is below the low water,
            // and
            // the checkpoint that gave it free is durable.
            long oldest = segments.oldestGeneration();
            long lowWater = oldest == 0 ? newGeneration : oldest;
            SegmentHeader header = new SegmentHeader(
                    storeId,
                    newGeneration,
                    generation,
                    lowWater,
                    nextSequence,
                    syncedThrough,
                    next.bytes(),
                    highestId,
                    databaseCheckpoint.getAsLong(),
                    0);
            write(next, header);
            if (newest != null) {
                write(newest.segment(), newest.header().followedBy(newGeneration));
            }
            if (segment != null && syncedThrough < nextSequence - 1) {
                unsynced.add(new Left(segment, generation));
            }
            unsynced.removeIf(left -> left.generation() < lowWater);
            segments.makeLive(next, newGeneration, nextSequence, lowWater);
            segment = next;
            newest = new SegmentFiles.Link(header, next);
            generation = newGeneration;
            lastGeneration = newGeneration;
            offset = LogFormat.PAGE_BYTES;
            return true;
        } finally {
            segmentLock.writeLock().unlock();
        }
    }

    private void write(Segment target, SegmentHeader header) throws IOException {
        long startNanos = System.nanoTime();
        try {
            counters.writes.add(target.file.write(0, new ByteBuffer[] {header.encode()}, 1));
        } catch (IOException e) {
            throw fail(e, target, "write");
        }
        counters.writeNanos.add(System.nanoTime() - startNanos);
        counters.bytesWritten.add(LogFormat.PAGE_BYTES);
        sync(target, 0);
    }

    private void sync(Segment target, int descriptor) throws IOException {
        long startNanos = System.nanoTime();
        try {
            target.file.sync(descriptor);
        } catch (IOException e) {
            throw fail(e, target, "sync");
        }
        counters.writeNanos.add(System.nanoTime() - startNanos);
        counters.syncs.increment();
    }

    private void startGroup() {
        Arrays.fill(slices, 0, 1 + bodyCount, null);
        Arrays.fill(positions, 0, bodyCount, null);
        front.clear().position(GroupHeader.BYTES);
        bodyCount = 0;
        bodyBytes = 0;
        recordCount = 0;
    }

    private void requireSound() throws IOException {
        if (failure != null) {
            throw new IOException("the intake log failed before: " + failure.getMessage(), failure);
        }
    }

    private IOException fail(IOException cause, Segment target, String what) {
        failure = new IOException(
                volume.describe(target.name) + ": " + what + " failed: " + cause.getMessage(),
                cause);
        return failure;
    }
}
