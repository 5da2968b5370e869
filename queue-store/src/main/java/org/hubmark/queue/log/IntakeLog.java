package org.hubmark.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * The intake log: the write-ahead log that a 250 stands on. Opens and recovers it, and holds its
 * parts.
 *
 * @param segments to wait for a spare one, and to see how full the log is
 * @param writer the one writer, of the committer's thread
 * @param reader for any thread
 * @param recovered where the log ended when this was opened
 */
public record IntakeLog(
        Volume volume,
        UUID storeId,
        SegmentPool segments,
        LogWriter writer,
        LogReader reader,
        LogCounters counters,
        LogScan.End recovered)
        implements AutoCloseable {
    /**
     * Size of a log.
     *
     * @param segmentBytes of each new segment file, a multiple of 4 KiB
     * @param segmentsMax at most so many files
     * @param reserveBytes what a new file leaves free on the volume
     */
    public record Size(int segmentBytes, int segmentsMax, long reserveBytes) {}

    /**
     * Opens the log, makes an empty one where there is none, and hands every record that is needed
     * to the visitor. What it has handed over is synced when this returns.
     *
     * @param counterpart the queue volume, which must neither be older than the log nor newer
     * @param damage hears of what is damaged, and says whether to go on behind it
     * @param preallocator makes new segments; one at a time
     * @throws LogException if the log is damaged or isn't this store's; says what to do
     */
    public static IntakeLog open(
            Volume volume,
            UUID storeId,
            Size size,
            Counterpart counterpart,
            LogRecord.Visitor visitor,
            LogDamage damage,
            Executor preallocator)
            throws IOException {
        LogCounters counters = new LogCounters();
        SegmentPool segments = new SegmentPool(
                volume,
                size.segmentBytes(),
                size.segmentsMax(),
                size.reserveBytes(),
                preallocator,
                counters);
        SegmentFiles files = SegmentFiles.open(volume, storeId);
        try {
            files.requireKnown(counterpart.witness());
            SegmentHeader newestHeader = files.newest();
            if (newestHeader != null) {
                newestHeader.requireDatabase(
                        counterpart.checkpoint().getAsLong(), volume.describe("segment-*.log"));
            }
            List<SegmentFiles.Link> chain = files.chain(counterpart.replayFrom());
            LogScan.End end = new LogScan(volume, storeId, visitor, damage, (segment, unproven) -> {
                        if (visitor.isFull()) {
                            volume.syncNames();
                            makeDurable(segment, unproven, counters);
                            unproven.clear();
                            visitor.write();
                        }
                    })
                    .run(chain);
            counterpart.witness().requireReached(end, volume.describe("segment-*.log"));
            List<SegmentFiles.Link> log = chain.subList(0, end.links());
            volume.syncNames();
            if (!log.isEmpty()) {
                makeDurable(log.getLast().segment(), end.unproven(), counters);
            }
            fill(segments, files, log);
            for (String name : volume.list()) {
                if (LogFormat.isLeftover(name)) {
                    volume.delete(name);
                }
            }
            LogWriter writer = new LogWriter(
                    volume,
                    segments,
                    storeId,
                    counterpart.checkpoint(),
                    counters,
                    log.isEmpty() ? null : log.getLast(),
                    files.lastGeneration(),
                    end);
            segments.ensureSpare(0);
            LogReader reader = new LogReader(volume, segments::find, counters);
            return new IntakeLog(volume, storeId, segments, writer, reader, counters, end);
        } catch (IOException | RuntimeException | Error e) {
            files.close();
            throw e;
        }
    }

    /** {@return what of the log is durable} Any thread. */
    public LogWitness witness() {
        return new LogWitness(segments.newestGeneration(), writer.syncedThrough());
    }

    /**
     * Makes durable what was found, since the log will say so from here on. A killed process may
     * have left it in the page cache only. A sync is not enough: when an earlier one failed, the
     * kernel may hold the pages as clean though the medium lacks them. So what isn't known to be
     * synced is written again, as it is, in place.
     */
    private static void makeDurable(
            Segment newest, Collection<LogScan.Range> unproven, LogCounters counters)
            throws IOException {
        rewrite(new LogScan.Range(newest, 0, LogFormat.PAGE_BYTES, 0), counters);
        Set<Segment> rewritten = new LinkedHashSet<>(List.of(newest));
        for (LogScan.Range range : unproven) {
            rewrite(range, counters);
            rewritten.add(range.segment());
        }
        for (Segment segment : rewritten) {
            segment.file.sync();
            counters.syncs.increment();
        }
    }

    private static void rewrite(LogScan.Range range, LogCounters counters) throws IOException {
        VolumeFile file = range.segment().file;
        ByteBuffer bytes = Pages.allocate(range.bytes());
        List<Long> unreadable = ReadErrors.read(file, range.offset(), bytes);
        bytes.flip();
        counters.bytesWritten.add(bytes.remaining());
        if (unreadable.isEmpty()) {
            counters.writes.add(file.write(range.offset(), new ByteBuffer[] {bytes}, 1));
            return;
        }
        // What can't be read is left as it is: a copy of the device may be luckier.
        for (int at = 0; at < bytes.limit(); at += LogFormat.PAGE_BYTES) {
            long offset = range.offset() + at;
            if (!unreadable.contains(offset)) {
                ByteBuffer page = bytes.slice(at, LogFormat.PAGE_BYTES);
                counters.writes.add(file.write(offset, new ByteBuffer[] {page}, 1));
            }
        }
    }

    private static void fill(SegmentPool segments, SegmentFiles files, List<SegmentFiles.Link> log)
            throws IOException {
        for (SegmentFiles.Link link : log) {
            SegmentHeader header = link.header();
            segments.addLive(link.segment(), header.generation(), header.firstSequence());
        }
        for (SegmentFiles.Link link : files.used.values()) {
            if (!log.contains(link)) {
                segments.addSpare(link.segment());
            }
        }
        for (Segment segment : files.blank) {
            segments.addSpare(segment);
        }
    }

    /** {@return a scan of single segments} */
    public LogScan newScan(LogRecord.Visitor visitor) {
        return new LogScan(volume, storeId, visitor, new LogDamage(false, Long::toString));
    }

    /** Closes the files; what was not synced is left to the operating system. */
    @Override
    public void close() throws IOException {
        segments.close();
    }
}
