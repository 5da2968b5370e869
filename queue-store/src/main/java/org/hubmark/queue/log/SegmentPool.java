package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The segment files of a log: which hold live generations, which are spare. Any thread; the work of
 * preallocating runs on the executor, one file at a time.
 *
 * <p>A file is written full of zeros and synced once in its life, so that no later write allocates
 * blocks or changes metadata: overwriting needs no journal commit of the file system.
 */
public final class SegmentPool implements AutoCloseable {
    private static final int ZEROS_BYTES = 1 << 20;

    /** Where there was no room for a file, it is tried for once more after this. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The same where that was found out by writing, as with a quota. */
    private static final long GROWTH_RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOG = LoggerFactory.getLogger(SegmentPool.class);

    private final Volume volume;
    private final int segmentBytes;
    private final int segmentsMax;
    private final long reserveBytes;
    private final Executor preallocator;
    private final LogCounters counters;
    private final TreeMap<Long, Segment> live = new TreeMap<>();
    /** The last one recycled is taken first, so that few pages of the cache are in use. */
    private final ArrayDeque<Segment> spare = new ArrayDeque<>();

    /**
     * Not wanted, by the generation in the header. Deleted when a later header says, durably, that
     * they aren't needed: until then the newest generation must be there, whatever is in it.
     */
    private final TreeMap<Long, Segment> retired = new TreeMap<>();

    /** Taken by a file when it is there whole, so that failures use none up. */
    private long lastFileNumber;

    private long retryNanos = System.nanoTime();
    private boolean preallocating;
    private boolean closed;
    private @Nullable VolumeFullException full;
    private @Nullable Throwable failure;

    /**
     * Makes an empty pool.
     *
     * @param segmentBytes of a new file; a multiple of the page
     * @param segmentsMax at most so many files, live and spare
     * @param reserveBytes what a new file leaves free on the volume
     * @param preallocator runs one preallocation at a time
     */
    SegmentPool(
            Volume volume,
            int segmentBytes,
            int segmentsMax,
            long reserveBytes,
            Executor preallocator,
            LogCounters counters) {
        this.volume = volume;
        this.segmentBytes = segmentBytes;
        this.segmentsMax = segmentsMax;
        this.reserveBytes = reserveBytes;
        this.preallocator = preallocator;
        this.counters = counters;
    }

    /** Takes in a file that was there at start and holds no live generation. */
    synchronized void addSpare(Segment segment) throws IOException {
        lastFileNumber = Math.max(lastFileNumber, LogFormat.segmentNumber(segment.name));
        long generation = segment.generation();
        segment.makeSpare();
        if (isWanted(segment)) {
            spare.push(segment);
        } else if (generation != 0) {
            retired.put(generation, segment);
        } else {
            delete(segment);
        }
    }

    /** Takes in a file that was there at start and holds a live generation. */
    synchronized void addLive(Segment segment, long generation, long firstSequence) {
        lastFileNumber = Math.max(lastFileNumber, LogFormat.segmentNumber(segment.name));
        segment.use(generation, firstSequence);
        live.put(generation, segment);
    }

    /**
     * {@return a spare file, which is the caller's until {@link #makeLive}; null when there is none
     * at this moment} Sees to it that another is made while the bound allows it.
     *
     * @throws IOException if preallocating has failed for good
     */
    synchronized @Nullable Segment takeSpare() throws IOException {
        requireSound();
        Segment segment = spare.poll();
        ensureSpare(segment == null ? 0 : 1);
        // An executor that runs at once has made one by now.
        return segment == null ? spare.poll() : segment;
    }

    /**
     * Enters a taken file with the generation whose header it has got.
     *
     * @param lowWaterGeneration what that header says, durably: older segments may now go missing
     */
    synchronized void makeLive(
            Segment segment, long generation, long firstSequence, long lowWaterGeneration)
            throws IOException {
        segment.use(generation, firstSequence);
        live.put(generation, segment);
        while (!retired.isEmpty() && retired.firstKey() < lowWaterGeneration) {
            long oldest = retired.firstKey();
            delete(Objects.requireNonNull(retired.remove(oldest)));
        }
    }

    /**
     * Makes the oldest live segment spare; from now on its records can't be read. Nothing in it is needed
     * any more, not even after a power loss.
     */
    public synchronized void recycle(long generation) {
        if (live.size() < 2 || live.firstKey() != generation) {
            throw new IllegalStateException(
                    "generation " + generation + " is not the oldest of several: " + live.keySet());
        }
        Segment segment = Objects.requireNonNull(live.remove(generation));
        segment.makeSpare();
        if (isWanted(segment)) {
            spare.push(segment);
        } else {
            retired.put(generation, segment);
        }
        notifyAll();
    }

    /** Waits for a spare file; false when the time is over. */
    public synchronized boolean awaitSpare(Duration timeout) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        ensureSpare(0);
        while (spare.isEmpty() && failure == null && !closed) {
            long nowNanos = System.nanoTime();
            long restNanos = deadlineNanos - nowNanos;
            if (restNanos <= 0) {
                return false;
            }
            long retryNanosLeft = retryNanos - nowNanos;
            TimeUnit.NANOSECONDS.timedWait(
                    this,
                    full == null || retryNanosLeft <= 0
                            ? restNanos
                            : Math.min(restNanos, retryNanosLeft));
            ensureSpare(0);
        }
        return true;
    }

    /** Waits until no file is being made; at a start, when there may be none yet. */
    public synchronized void awaitPreallocation() throws IOException {
        try {
            while (preallocating) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a segment was being preallocated", e);
        }
    }

    public synchronized @Nullable Segment find(long generation) {
        return live.get(generation);
    }

    /**
     * {@return bytes of the segments that are spare or may still be made}
     *
     * @throws IOException if preallocating has failed for good
     */
    public synchronized long roomBytes() throws IOException {
        requireSound();
        ensureSpare(0);
        int more = full == null ? Math.max(0, segmentsMax - live.size() - spare.size()) : 0;
        return (long) (spare.size() + more) * segmentBytes;
    }

    /** {@return whether there is no spare file and the bound allows no further one} */
    public synchronized boolean isExhausted() {
        return spare.isEmpty() && live.size() >= segmentsMax;
    }

    /** {@return whether the volume has no room for a file that mail would need} */
    public synchronized boolean isShort() {
        return spare.size() < 2 && full != null;
    }

    public int segmentBytes() {
        return segmentBytes;
    }

    public synchronized int liveCount() {
        return live.size();
    }

    /** {@return the oldest live generation, or 0 when there is none} */
    public synchronized long oldestGeneration() {
        return live.isEmpty() ? 0 : live.firstKey();
    }

    /** {@return the newest live generation, or 0 when there is none} */
    synchronized long newestGeneration() {
        return live.isEmpty() ? 0 : live.lastKey();
    }

    /** {@return the live generation that follows, or 0} */
    public synchronized long generationAfter(long generation) {
        Long next = live.higherKey(generation);
        return next == null ? 0 : next;
    }

    /** {@return why the last preallocation found no room, or null when it found some} */
    public synchronized @Nullable VolumeFullException full() {
        return full;
    }

    @Override
    public void close() throws IOException {
        List<Segment> all;
        synchronized (this) {
            closed = true;
            notifyAll();
            awaitPreallocation();
            all = new ArrayList<>(live.values());
            all.addAll(spare);
            all.addAll(retired.values());
        }
        for (Segment segment : all) {
            segment.close();
        }
    }

    /** Not wanted: of another size since the setting changed, or more than the log may have now. */
    private boolean isWanted(Segment segment) {
        return segment.bytes() == segmentBytes && live.size() + spare.size() < segmentsMax;
    }

    private void requireSound() throws IOException {
        if (failure != null) {
            throw new IOException("preallocating a segment failed: " + failure, failure);
        }
    }

    private void delete(Segment segment) throws IOException {
        volume.delete(segment.name);
        volume.syncNames();
        segment.close();
    }

    synchronized void ensureSpare(int taken) {
        // Where there was no room for a file, one more is tried for, to see when there is again.
        if (spare.size() > (full == null ? 0 : 1)
                || preallocating
                || closed
                || failure != null
                || live.size() + taken >= segmentsMax
                || (full != null && System.nanoTime() - retryNanos < 0)) {
            return;
        }
        preallocating = true;
        long number = lastFileNumber + 1;
        try {
            preallocator.execute(() -> preallocate(number));
        } catch (Error e) {
            // No thread to be had.
            preallocating = false;
            throw e;
        }
    }

    private void preallocate(long number) {
        Segment made = null;
        Throwable problem = null;
        try {
            made = writeZeros(LogFormat.segmentName(number));
        } catch (Throwable e) {
            // Errors too: whoever waits for a segment must hear that none comes.
            problem = e;
        }
        synchronized (this) {
            preallocating = false;
            if (made != null) {
                lastFileNumber = number;
                spare.push(made);
                full = null;
            } else if (problem instanceof VolumeFullException noRoom) {
                if (full == null && noRoom.getCause() != null) {
                    LOG.atWarn()
                            .addKeyValue("event", "no_segment")
                            .setCause(noRoom)
                            .log("can't add a segment to the log; it continues in those it has");
                }
                full = noRoom;
                retryNanos = System.nanoTime()
                        + (noRoom.getCause() == null ? RETRY_NANOS : GROWTH_RETRY_NANOS);
            } else {
                failure = problem;
            }
            notifyAll();
        }
    }

    private Segment writeZeros(String name) throws IOException {
        String unfinished = name + LogFormat.UNFINISHED;
        if (volume.freeBytes() - segmentBytes < reserveBytes) {
            throw new VolumeFullException(volume.describe(name)
                    + ": no room for another segment of " + segmentBytes + " bytes");
        }
        grow(unfinished);
        volume.rename(unfinished, name);
        volume.syncNames();
        try {
            // Opened anew, so that it is known by the name that it keeps.
            return new Segment(name, volume.open(name), segmentBytes);
        } catch (IOException e) {
            // No file descriptor, perhaps.
            volume.delete(name);
            throw noRoom(name, e);
        }
    }

    private void grow(String unfinished) throws IOException {
        VolumeFile file = create(unfinished);
        boolean grown = false;
        try (file) {
            ByteBuffer zeros = Pages.allocate(Math.min(ZEROS_BYTES, segmentBytes));
            for (long position = 0; position < segmentBytes; position += zeros.capacity()) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), segmentBytes - position));
                counters.bytesWritten.add(zeros.remaining());
                counters.preallocatedBytes.add(zeros.remaining());
                counters.writes.add(file.write(position, new ByteBuffer[] {zeros}, 1));
            }
            grown = true;
            file.sync();
        } catch (IOException e) {
            if (grown) {
                throw e;
            }
            volume.delete(unfinished);
            throw noRoom(unfinished, e);
        }
    }

    private VolumeFile create(String unfinished) throws IOException {
        try {
            return volume.create(unfinished);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            throw noRoom(unfinished, e);
        }
    }

    /**
     * A file that can't grow. Java doesn't say whether that is a full volume, a quota or something
     * else, only a text in the operator's language; and nothing relies on this file yet.
     */
    private VolumeFullException noRoom(String name, IOException cause) {
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return new VolumeFullException(volume.describe(name) + ": " + reason, cause);
    }
}
