package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The first sector of a segment; written and synced before the first group of each use, and once more
 * when the log goes on in another segment.
 *
 * <pre>
 *  offset bytes field
 *       0     8 magic "HUBMKLOG"
 *       8     4 format version
 *      12     4 CRC32C of the sector, this field taken as zero
 *      16    16 store id
 *      32     8 generation
 *      40     8 previous generation
 *      48     8 low-water generation
 *      56     8 first sequence
 *      64     8 synced through
 *      72     8 bytes of the segment
 *      80     8 highest id
 *      88     8 checkpoint of the queue database
 *      96     8 next generation
 *     104   408 zero
 * </pre>
 *
 * The first sixteen bytes mean the same in every version.
 *
 * @param storeId which store it belongs to
 * @param generation grows with each use of any segment file and is never used twice
 * @param previousGeneration that of the segment before it in the log; 0 for the first
 * @param lowWaterGeneration the oldest generation still needed when this one was opened
 * @param firstSequence of the first record in it; also what ends the previous segment
 * @param syncedThrough the highest sequence known to be synced when this one was opened
 * @param segmentBytes the length of the file
 * @param highestId the highest message id in any record before; ids must grow even when all records
 *     with them have been overwritten
 * @param databaseCheckpoint the newest one that was durable when this one was opened: segments may
 *     have been used again since it is, so a queue database that doesn't have it is too old
 * @param nextGeneration that of the segment in which the log went on; 0 while it is here that it is
 *     written. Synced before anything that the next segment holds is relied on, so a next segment
 *     that is not there was lost
 */
public record SegmentHeader(
        UUID storeId,
        long generation,
        long previousGeneration,
        long lowWaterGeneration,
        long firstSequence,
        long syncedThrough,
        long segmentBytes,
        long highestId,
        long databaseCheckpoint,
        long nextGeneration) {
    private static final long MAGIC =
            ByteBuffer.wrap("HUBMKLOG".getBytes(StandardCharsets.US_ASCII)).getLong();

    /** {@return the same of a log that has gone on in another segment} */
    SegmentHeader followedBy(long next) {
        return new SegmentHeader(
                storeId,
                generation,
                previousGeneration,
                lowWaterGeneration,
                firstSequence,
                syncedThrough,
                segmentBytes,
                highestId,
                databaseCheckpoint,
                next);
    }

    /**
     * Checks that the queue database has all that the log was relieved of.
     *
     * @param checkpoint of the queue database
     * @throws LogException if it is older than the log
     */
    public void requireDatabase(long checkpoint, String where) throws LogException {
        if (databaseCheckpoint > checkpoint) {
            throw new LogException(where + ": generation " + generation
                    + " was begun after checkpoint "
                    + databaseCheckpoint + " of the queue database, which is only at " + checkpoint
                    + "; the queue volume is older than the log volume: mount the queue volume that"
                    + " belongs to this log volume, or restore both from one backup");
        }
    }

    /** {@return the header page, ready to be written} */
    ByteBuffer encode() {
        ByteBuffer page = ByteBuffer.allocateDirect(LogFormat.PAGE_BYTES);
        page.putLong(MAGIC)
                .putInt(LogFormat.VERSION)
                .putInt(0)
                .putLong(storeId.getMostSignificantBits())
                .putLong(storeId.getLeastSignificantBits())
                .putLong(generation)
                .putLong(previousGeneration)
                .putLong(lowWaterGeneration)
                .putLong(firstSequence)
                .putLong(syncedThrough)
                .putLong(segmentBytes)
                .putLong(highestId)
                .putLong(databaseCheckpoint)
                .putLong(nextGeneration);
        page.putInt(LogFormat.CHECKSUM_OFFSET, LogFormat.sectorChecksum(page));
        return page.clear();
    }

    /**
     * Reads a header.
     *
     * @param sector the first sector of the file, from its index 0
     * @param where names the file in a message
     * @return null when the sector is all zeros: preallocated and never used
     * @throws LogException if it is damaged or of an unknown version
     */
    static @Nullable SegmentHeader decode(ByteBuffer sector, String where) throws LogException {
        if (blank(sector)) {
            return null;
        }
        if (sector.getLong(0) != MAGIC
                || sector.getInt(LogFormat.CHECKSUM_OFFSET) != LogFormat.sectorChecksum(sector)) {
            throw new LogException(where + ": the segment header is damaged (offset 0); "
                    + "restore the file from a copy, or the log and queue volumes from one"
                    + " backup");
        }
        int version = sector.getInt(8);
        if (version != LogFormat.VERSION) {
            throw new LogException(where + ": intake log format version " + version
                    + " is not known here (known: " + LogFormat.VERSION
                    + "); use the Hubmark version that wrote it");
        }
        return new SegmentHeader(
                new UUID(sector.getLong(16), sector.getLong(24)),
                sector.getLong(32),
                sector.getLong(40),
                sector.getLong(48),
                sector.getLong(56),
                sector.getLong(64),
                sector.getLong(72),
                sector.getLong(80),
                sector.getLong(88),
                sector.getLong(96));
    }

    private static boolean blank(ByteBuffer sector) {
        for (int i = 0; i < LogFormat.SECTOR_BYTES; i += Long.BYTES) {
            if (sector.getLong(i) != 0) {
                return false;
            }
        }
        return true;
    }
}
