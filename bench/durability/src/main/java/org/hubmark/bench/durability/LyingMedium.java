package org.hubmark.bench.durability;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * What becomes of a disk that lies: a write that it acknowledged is not there, or lies elsewhere, or a
 * sector can't be read. Only sectors of the server's files are concerned, since a file system that is
 * deceived about its own structures can lose any file without a trace. One thread.
 */
final class LyingMedium {
    private static final int TRIES_MAX = 1000;

    private final RecordedDisk lied;
    private final List<RecordedDisk.Overwrite> writes;
    private final BitSet files;
    private final Random random;

    /**
     * Prepares.
     *
     * @param written the disk as the server wrote it, which remembers its writes
     * @param lied holds the same, and is going to be changed
     * @param files the sectors that belong to the server's files
     */
    LyingMedium(RecordedDisk written, RecordedDisk lied, BitSet files, Random random) {
        this.lied = lied;
        this.writes = written.remembered();
        this.files = files;
        this.random = random;
    }

    /** A write, of which something is still to be seen, was never done. */
    void loseWrite() {
        for (int i = 0; i < TRIES_MAX && lied.faultySectors() == 0 && !writes.isEmpty(); i++) {
            RecordedDisk.Overwrite write = writes.get(random.nextInt(writes.size()));
            if (belongs(write.position, write.octets.length)) {
                undo(write);
            }
        }
    }

    /** A write was done at another place among the files. */
    void misdirectWrite() {
        for (int i = 0; i < TRIES_MAX && lied.faultySectors() == 0 && !writes.isEmpty(); i++) {
            RecordedDisk.Overwrite write = writes.get(random.nextInt(writes.size()));
            long target = (long) random.nextInt(files.length()) * RecordedDisk.SECTOR_BYTES;
            if (belongs(write.position, write.octets.length)
                    && belongs(target, write.octets.length)
                    && Math.abs(target - write.position) >= write.octets.length) {
                undo(write);
                if (lied.faultySectors() > 0) {
                    put(write.octets, sector(target));
                }
            }
        }
    }

    /** A sector that holds something can't be read. */
    void forbidSector() {
        for (int i = 0; i < TRIES_MAX && lied.faultySectors() == 0 && !files.isEmpty(); i++) {
            int sector = random.nextInt(files.length());
            byte[] octets = lied.sector(sector);
            if (files.get(sector) && !Arrays.equals(octets, new byte[octets.length])) {
                lied.forbid(sector);
            }
        }
    }

    private boolean belongs(long position, int bytes) {
        int first = sector(position);
        int end = first + bytes / RecordedDisk.SECTOR_BYTES;
        return bytes > 0 && files.nextClearBit(first) >= end;
    }

    /** Where something was written later nothing is left of it that could be missing. */
    private void undo(RecordedDisk.Overwrite write) {
        int first = sector(write.position);
        for (int from = 0; from < write.octets.length; from += RecordedDisk.SECTOR_BYTES) {
            int end = from + RecordedDisk.SECTOR_BYTES;
            int sector = first + from / RecordedDisk.SECTOR_BYTES;
            boolean last = Arrays.equals(
                    lied.sector(sector), 0, RecordedDisk.SECTOR_BYTES, write.octets, from, end);
            if (last && !Arrays.equals(write.octets, from, end, write.before, from, end)) {
                lied.falsify(sector, write.before, from);
            }
        }
    }

    private void put(byte[] octets, int first) {
        for (int from = 0; from < octets.length; from += RecordedDisk.SECTOR_BYTES) {
            lied.falsify(first + from / RecordedDisk.SECTOR_BYTES, octets, from);
        }
    }

    private static int sector(long position) {
        return Math.toIntExact(position / RecordedDisk.SECTOR_BYTES);
    }
}
