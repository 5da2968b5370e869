package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The segment files found on a log volume and which of them form the log. One thread.
 *
 * <p>The newest header names its predecessor, that one its own, and so on back to the oldest
 * generation that is needed: that chain is the log, and every link must be there. Files outside of
 * it are spare, whatever they hold.
 */
public final class SegmentFiles implements Closeable {
    /** A segment of the chain. */
    public record Link(SegmentHeader header, Segment segment) {}

    private final Volume volume;
    private final UUID storeId;
    /** The files that hold a generation of a log, by that. */
    final TreeMap<Long, Link> used = new TreeMap<>();

    /** The files that were preallocated and never used. */
    final List<Segment> blank = new ArrayList<>();

    private SegmentFiles(Volume volume, UUID storeId) {
        this.volume = volume;
        this.storeId = storeId;
    }

    /**
     * Opens every segment file and reads its header.
     *
     * @throws LogException if one is damaged, of another version, of another store, or there twice
     */
    public static SegmentFiles open(Volume volume, UUID storeId) throws IOException {
        SegmentFiles files = new SegmentFiles(volume, storeId);
        try {
            for (String name : volume.list()) {
                if (LogFormat.segmentNumber(name) != 0) {
                    files.read(name);
                }
            }
            return files;
        } catch (IOException e) {
            files.close();
            throw e;
        }
    }

    /** {@return the header of the newest segment, or null when none was ever used} */
    public @Nullable SegmentHeader newest() {
        return used.isEmpty() ? null : used.lastEntry().getValue().header();
    }

    /** {@return the highest generation that any file has, or 0} */
    long lastGeneration() {
        return used.isEmpty() ? 0 : used.lastKey();
    }

    /**
     * Checks that the log has all the segments that it knows of itself, and the queue volume.
     *
     * @throws LogException if the newest is missing or its header was zeroed
     */
    public void requireKnown(LogWitness witness) throws LogException {
        if (!used.isEmpty()) {
            Link last = used.lastEntry().getValue();
            if (last.header().nextGeneration() != 0) {
                throw new LogException(volume.describe(last.segment().name)
                        + ": the log went on in generation " + last.header().nextGeneration()
                        + ", which no file holds; the newest segment is missing, its header was"
                        + " zeroed" + blankNote() + " or never written: put back the missing files,"
                        + " or restore the log and queue volumes from one backup");
            }
        }
        if (lastGeneration() < witness.generation()) {
            throw new LogException(volume.describe("segment-*.log")
                    + ": the log ends at generation " + lastGeneration()
                    + " but had begun " + witness.generation() + ", says the queue volume; the"
                    + " newest segment is missing, its header was zeroed"
                    + blankNote()
                    + ", or the log volume is older than the queue volume: put back the missing"
                    + " files, or restore the log and queue volumes from one backup");
        }
    }

    private String blankNote() {
        return blank.isEmpty() ? "" : " (" + blank.getFirst().name + " has none)";
    }

    /**
     * {@return the log, oldest first}
     *
     * @param replayFrom the oldest generation that the queue database still needs; 0 when it has
     *     never been fed
     * @throws LogException if a segment is missing, or the log is older than the database
     */
    public List<Link> chain(long replayFrom) throws LogException {
        if (replayFrom > lastGeneration()) {
            throw new LogException(volume.describe("segment-*.log")
                    + ": the log ends at generation " + lastGeneration()
                    + " but the queue database goes on at " + replayFrom
                    + "; the log volume is older than the queue volume or empty: mount the log"
                    + " volume that belongs to this queue volume");
        }
        Deque<Link> chain = new ArrayDeque<>();
        if (used.isEmpty()) {
            return List.of();
        }
        Link link = used.lastEntry().getValue();
        long oldest = Math.max(replayFrom, link.header().lowWaterGeneration());
        chain.addFirst(link);
        while (link.header().previousGeneration() >= oldest) {
            long wanted = link.header().previousGeneration();
            Link previous = used.get(wanted);
            if (previous == null) {
                throw new LogException(volume.describe("segment-*.log")
                        + ": the segment with generation " + wanted + " is missing, which "
                        + link.segment().name + " (generation "
                        + link.header().generation()
                        + ") follows; put the file back, or restore the log and queue volumes from"
                        + " one backup");
            }
            link = previous;
            chain.addFirst(link);
        }
        return List.copyOf(chain);
    }

    /** {@return whether the file that held a generation still does} Another process may write it. */
    public boolean stillHolds(long generation) throws IOException {
        Segment segment = find(generation);
        if (segment == null) {
            return false;
        }
        ByteBuffer sector = ByteBuffer.allocate(LogFormat.SECTOR_BYTES);
        segment.file.read(0, sector);
        SegmentHeader header = SegmentHeader.decode(sector, volume.describe(segment.name));
        return header != null && header.generation() == generation;
    }

    /** Closes every file. */
    @Override
    public void close() throws IOException {
        for (Link link : used.values()) {
            link.segment().close();
        }
        for (Segment segment : blank) {
            segment.close();
        }
    }

    private void read(String name) throws IOException {
        VolumeFile file = volume.open(name);
        boolean kept = false;
        try {
            ByteBuffer sector = ByteBuffer.allocate(LogFormat.SECTOR_BYTES);
            String where = volume.describe(name);
            try {
                file.read(0, sector);
            } catch (IOException e) {
                throw new LogException(
                        where + ": its header can't be read (" + e.getMessage()
                                + "). Nothing was changed. Restore this file from a copy; the"
                                + " medium can no longer be trusted",
                        e);
            }
            if (sector.hasRemaining()) {
                throw new LogException(where + ": cut off at " + sector.position()
                        + " bytes; restore the file from a copy");
            }
            long bytes = file.length();
            Segment segment = new Segment(name, file, bytes);
            SegmentHeader header = SegmentHeader.decode(sector, where);
            if (header == null) {
                blank.add(segment);
            } else {
                check(header, bytes, where);
                segment.use(header.generation(), header.firstSequence());
                Link other = used.putIfAbsent(header.generation(), new Link(header, segment));
                if (other != null) {
                    throw new LogException(where + ": has the same generation "
                            + header.generation() + " as " + other.segment().name
                            + "; one is a copy: remove it");
                }
            }
            kept = true;
        } finally {
            if (!kept) {
                file.close();
            }
        }
    }

    private void check(SegmentHeader header, long bytes, String where) throws LogException {
        if (!header.storeId().equals(storeId)) {
            throw new LogException(where + ": belongs to store " + header.storeId() + ", not to "
                    + storeId + "; move it back to its own log volume");
        }
        if (header.segmentBytes() != bytes) {
            throw new LogException(where + ": is " + bytes + " bytes long instead of "
                    + header.segmentBytes() + "; restore the file from a copy");
        }
    }

    /** {@return the segment that holds a generation, or null} */
    public @Nullable Segment find(long generation) {
        Link link = used.get(generation);
        return link == null ? null : link.segment();
    }
}
