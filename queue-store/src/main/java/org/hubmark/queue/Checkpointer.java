package org.hubmark.queue;

import org.hubmark.queue.log.IntakeLog;
import org.hubmark.queue.log.LogException;
import org.hubmark.queue.log.LogRecord;
import org.hubmark.queue.log.LogScan;
import org.hubmark.queue.log.Segment;
import org.hubmark.queue.table.ContentExtent;
import org.hubmark.queue.table.Entry;
import org.hubmark.queue.table.QueueBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Keeps the log short. Its own thread, {@code checkpointer}, runs {@link #run}.
 *
 * <p>A segment of which nothing is needed is given free as it is, so a message that leaves soon never
 * touches the queue volume. When the log holds more than the checkpoint depth, what is still needed
 * of its oldest segment is written to the queue database, that is flushed, and only then the segment
 * is given free. It also tells the {@link StoreWitness} of each new segment: beside the committer, so
 * that intake never waits for the queue volume.
 */
final class Checkpointer implements Runnable {
    /**
     * Size of the records that are moved together: their contents are one write, their rows one
     * batch.
     */
    private static final long BATCH_BYTES = 1 << 20;

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The wait when nothing was written to the log since the last one, and nothing is to be moved. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long BUSY_NANOS = 1_000_000;

    /** How often a volume without room is tried. */
    private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);

    private final Messages messages;
    private final IntakeLog log;
    private final StoreParts parts;
    private final LogScan scan;
    private final DamagedSegment damaged;
    private final SpaceReclaimer reclaimer;
    private final IntakeThrottle throttle = new IntakeThrottle(LogSettings.SLACK_SEGMENTS);
    private final LogSettings settings;

    private final Consumer<Throwable> onFailure;
    private final LongAdder checkpoints = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final List<Entry.Stored> batchMoves = new ArrayList<>();
    private final QueueBatch batch;
    private final ContentWriter contentWriter;
    private final ContentWriter.Repetition whileFull = this::awaitRoom;
    private long batchBytes;
    private long logWrites;
    private boolean awake;
    private boolean stopping;
    private volatile boolean blocked;

    /** A write has found no room: nothing is written before there is some, nor given free by it. */
    private volatile boolean full;

    private volatile boolean cutOff;

    /**
     * Watches the log of a store.
     *
     * @param onFailure called once, on the checkpointer's thread, which then ends
     */
    Checkpointer(StoreParts parts, Consumer<Throwable> onFailure) {
        this.messages = parts.messages();
        this.log = parts.log();
        this.parts = parts;
        this.reclaimer = new SpaceReclaimer(parts, onFailure);
        this.settings = parts.settings().log();
        this.onFailure = onFailure;
        this.scan = log.newScan(this::move);
        this.damaged = new DamagedSegment(messages, log.reader(), parts.database());
        this.batch = parts.database().newBatch();
        this.contentWriter = parts.contentWriter();
        contentWriter.ask(whileFull);
    }

    /** There may be something to do. Any thread. */
    synchronized void wake() {
        awake = true;
        notifyAll();
    }

    /** Ends the thread when it has done what it is doing. Any thread. */
    synchronized void stop() {
        stopping = true;
        notifyAll();
    }

    /** {@return whether the queue volume has no room for what has to be moved} Any thread. */
    boolean isBlocked() {
        return blocked || full;
    }

    /** {@return whether a write to the queue volume has found no room, until one does} Any thread. */
    boolean isFull() {
        return full;
    }

    /** {@return whether the end came while a checkpoint waited for room} Then the log counts. */
    boolean isCutOff() {
        return cutOff;
    }

    /** {@return what changes while it moves anything} Any thread. */
    long progress() {
        return batches.sum() + parts.database().content().writes();
    }

    /** {@return how many segments were moved to the database} Any thread. */
    long checkpoints() {
        return checkpoints.sum();
    }

    /**
     * {@return how long the committer is to pause for so much mail, so that the log and its index fill
     * up to their bounds slowly and never meet them}
     *
     * @param openBytes that are left in the segment that is being written
     */
    long pauseNanos(long bytes, long openBytes) {
        double logOver = log.segments().liveCount()
                - settings.depthSegments()
                - (double) openBytes / log.segments().segmentBytes();
        double indexOver = LogSettings.SLACK_SEGMENTS
                * (2.0 * messages.indexBytes() / settings.indexBytesMax() - 1);
        double over = Math.max(logOver, indexOver);
        return over <= 0 ? 0 : throttle.pauseNanos(bytes, over, System.nanoTime());
    }

    /** {@return whether memory may get to know more messages} Any thread. */
    boolean hasRoomInIndex() {
        return messages.indexBytes() < settings.indexBytesMax();
    }

    /** {@return whether memory knows so many messages that the oldest are moved} Any thread. */
    boolean isIndexLarge() {
        return messages.indexBytes() > settings.indexBytesMax() / 2;
    }

    @Override
    public void run() {
        try {
            while (awaitWork(waitNanos())) {
                boolean room = hasRoom();
                parts.witness().keep(log.witness());
                shorten(room);
                if (room) {
                    reclaimer.check(contentWriter);
                }
            }
        } catch (InterruptedException e) {
            // Only stop() ends this thread in good order.
            onFailure.accept(e);
        } catch (Throwable e) {
            if (!cutOff && !parts.database().isLeft()) {
                LOG.error("writing to the queue volume failed", e);
                onFailure.accept(e);
            }
        } finally {
            // However this ends: the database is closed when this thread has ended.
            reclaimer.stop();
            batch.close();
        }
    }

    private long waitNanos() {
        long before = logWrites;
        logWrites = log.counters().writes.sum();
        return logWrites == before && !isBlocked() && !isTooLong() ? IDLE_NANOS : POLL_NANOS;
    }

    private synchronized boolean awaitWork(long waitNanos) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + waitNanos;
        long leftNanos = waitNanos;
        while (!awake && !stopping && leftNanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            leftNanos = deadlineNanos - System.nanoTime();
        }
        awake = false;
        return !stopping;
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    /** {@return whether the database takes writes} What it has not taken before is written first. */
    private boolean hasRoom() throws IOException {
        try {
            parts.database().requireSound();
            messages.writePending();
        } catch (IOException e) {
            if (!parts.database().content().isFull(e)) {
                throw e;
            }
            tellFull(e);
            return false;
        }
        tellRoom();
        return true;
    }

    /**
     * {@return whether to try again what has failed: for want of room, and the store is not closing}
     * Nothing is lost meanwhile: the log is not given free before what was moved is durable.
     */
    private boolean awaitRoom(IOException failure) throws IOException {
        if (!parts.database().content().isFull(failure)) {
            return false;
        }
        tellFull(failure);
        LockSupport.parkNanos(FULL_NANOS);
        cutOff = isStopping();
        return !cutOff && !Thread.currentThread().isInterrupted();
    }

    private void tellFull(IOException failure) {
        if (!full) {
            full = true;
            LOG.atWarn()
                    .addKeyValue("event", "queue_volume_full")
                    .log(
                            "the queue volume is full ({}): new mail is refused; accepted mail"
                                    + " stays in the log and is delivered from there. Free bytes"
                                    + " or inodes",
                            failure.getMessage());
        }
    }

    private void tellRoom() {
        if (full) {
            full = false;
            LOG.atInfo()
                    .addKeyValue("event", "queue_volume_has_room")
                    .log("the queue volume has room again");
        }
    }

    private void shorten(boolean room) throws IOException {
        while (!isStopping() && log.segments().liveCount() > 1) {
            long oldest = log.segments().oldestGeneration();
            if (messages.isDead(oldest) && !messages.needsFlush(oldest)) {
                log.segments().recycle(oldest);
            } else if (room && isTooLong() && messages.isCommitted(oldest) && beginMove(oldest)) {
                checkpoint(oldest);
            } else {
                blocked &= isTooLong();
                return;
            }
        }
    }

    private boolean isTooLong() {
        return log.segments().liveCount() > settings.depthSegments()
                || log.segments().isShort()
                || isIndexLarge();
    }

    /** False if there is no room; a segment of which nothing is needed takes next to none. */
    private boolean beginMove(long generation) throws IOException {
        Segment segment = Objects.requireNonNull(log.segments().find(generation));
        // A volume that hangs already does so when it is asked for its room.
        throttle.begin(segment.bytes(), System.nanoTime());
        blocked = !parts.freeSpace().hasRoomFor(messages.isDead(generation) ? 0 : segment.bytes());
        if (blocked) {
            throttle.cancel();
        }
        return !blocked;
    }

    private void checkpoint(long generation) throws IOException {
        Segment segment = Objects.requireNonNull(log.segments().find(generation));
        long next = log.segments().generationAfter(generation);
        if (!messages.isDead(generation)) {
            batch.putMoving(generation);
            scan(
                    generation,
                    segment,
                    Objects.requireNonNull(log.segments().find(next)).firstSequence());
            writeBatch(generation);
        }
        // Until here the log counts, so what was flushed meanwhile may name content that is not
        // durable.
        contentWriter.sync(batch);
        // Nothing may say that the log is not needed before all that it says is here.
        whileFull.attempt(messages::writePending);
        batch.putReplayFrom(next);
        whileFull.attempt(() -> parts.database().write(batch));
        whileFull.attempt(messages::flush);
        tellRoom();
        parts.witness().keep(log.witness());
        log.segments().recycle(generation);
        batches.increment();
        checkpoints.increment();
        throttle.end(System.nanoTime());
    }

    private void scan(long generation, Segment segment, long endSequence) throws IOException {
        try {
            scan.runOne(segment, endSequence);
        } catch (LogException e) {
            LOG.error("moving what can be read of a damaged segment, record by record", e);
            // What was read so far is sound.
            writeBatch(generation);
            damaged.move(generation, this::move);
        }
    }

    private void move(LogRecord record) throws IOException {
        if (Entry.of(record) instanceof Entry.Stored stored) {
            ByteBuffer content = record.content();
            // The scan has just verified it.
            move(stored, content, new ContentExtent(content.remaining(), record.contentChecksum()));
        }
    }

    /** Copies content, if it is still needed. */
    private void move(Entry.Stored stored, ByteBuffer content, ContentExtent extent)
            throws IOException {
        if (!messages.isNeeded(stored)) {
            return;
        }
        int recordBytes = stored.place().recordBytes;
        if (batchBytes + recordBytes > BATCH_BYTES
                || !contentWriter.hasRoomFor(content.remaining())) {
            writeBatch(stored.place().generation);
        }
        batchBytes += recordBytes;
        if (content.hasRemaining()) {
            batch.putIncomplete(stored.id());
            batch.putExtent(stored.id(), stored.extent(), contentWriter.append(content, extent));
        }
        batchMoves.add(stored);
    }

    private void writeBatch(long generation) throws IOException {
        // Never into a stall: the committer writes rows to the same database.
        whileFull.attempt(() -> {
            while (parts.database().isBusy() && !isStopping()) {
                LockSupport.parkNanos(BUSY_NANOS);
            }
        });
        // A checkpoint may take long, and the log goes on meanwhile.
        parts.witness().keep(log.witness());
        // Before the rows that say where it lies, which are read at once.
        contentWriter.write();
        whileFull.attempt(() -> parts.database().write(batch));
        batches.increment();
        messages.moved(generation, batchMoves);
        batchMoves.clear();
        batchBytes = 0;
    }
}
