package org.hubmark.bench.durability;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * A disk with a volatile write cache that never writes back by itself: what was not flushed is known
 * write by write, so that it can be lost in any way a real cache may lose it. One thread.
 */
final class RecordedDisk {
    static final int SECTOR_BYTES = 512;

    /** Size of the latest writes that can be undone; a history writes a tenth of that. */
    private static final long REMEMBERED_BYTES_MAX = 256 << 20;

    private final BlockImage seen;
    private final BlockImage medium;
    private final List<Write> unflushed = new ArrayList<>();
    private final Deque<Overwrite> remembered = new ArrayDeque<>();
    private final BitSet faulty = new BitSet();
    private boolean remembers;
    private boolean ignoresFlushes;
    private boolean unreadable;
    private long rememberedBytes;
    private long faultyReads;
    private long writes;

    /** A write that was not flushed. */
    private static final class Write {
        private final long position;
        private final byte[] octets;

        Write(long position, byte[] octets) {
            this.position = position;
            this.octets = octets;
        }
    }

    /** A write, and what was there before. */
    static final class Overwrite {
        final long position;
        final byte[] octets;
        final byte[] before;

        private Overwrite(long position, byte[] octets, byte[] before) {
            this.position = position;
            this.octets = octets;
            this.before = before;
        }
    }

    /** A disk of zeros. */
    RecordedDisk(long bytes) {
        this.seen = new BlockImage(bytes);
        this.medium = new BlockImage(bytes);
    }

    /** A disk that holds what a cut has left of another one. */
    RecordedDisk(BlockImage medium) {
        this.seen = medium.copy();
        this.medium = medium;
    }

    /**
     * Reads.
     *
     * @return whether it could: false where a sector is unreadable
     */
    boolean read(long position, int count, ByteBuffer target) {
        if (!faulty.isEmpty()) {
            int first = (int) (position / SECTOR_BYTES);
            int next = faulty.nextSetBit(first);
            if (next >= 0 && (long) next * SECTOR_BYTES < position + count) {
                faultyReads++;
                if (unreadable) {
                    return false;
                }
            }
        }
        seen.read(position, count, target);
        return true;
    }

    void write(long position, byte[] octets) {
        if (remembers) {
            remember(position, octets);
        }
        seen.write(position, octets, 0, octets.length);
        unflushed.add(new Write(position, octets));
        writes++;
    }

    void flush() {
        if (ignoresFlushes) {
            return;
        }
        for (Write write : unflushed) {
            medium.write(write.position, write.octets, 0, write.octets.length);
        }
        unflushed.clear();
    }

    /**
     * From now on a flush does nothing, as with a disk that lies to look fast: its cache is written
     * back in order and late.
     */
    void ignoreFlushes() {
        flush();
        ignoresFlushes = true;
    }

    boolean ignoresFlushes() {
        return ignoresFlushes;
    }

    /** From now on it is known what a write has replaced. */
    void remember() {
        remembers = true;
    }

    /** {@return the last writes since {@link #remember}, the oldest first} */
    List<Overwrite> remembered() {
        return new ArrayList<>(remembered);
    }

    /** {@return how many writes have not been flushed} */
    int unflushed() {
        return unflushed.size();
    }

    /** {@return how many writes there were} */
    long writes() {
        return writes;
    }

    /**
     * {@return what is on the medium if the power goes now} Of the writes that were not flushed it
     * holds none, or those up to one that is torn, or any of them, or any of their sectors.
     */
    BlockImage cut(long seed) {
        Random random = Seeds.random(seed);
        BlockImage left = medium.copy();
        if (ignoresFlushes) {
            keepPrefix(left, random);
            return left;
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                return left;
            }
            case 1 -> keepPrefix(left, random);
            case 2 ->
                unflushed.stream()
                        .filter(write -> random.nextBoolean())
                        .forEach(write ->
                                left.write(write.position, write.octets, 0, write.octets.length));
            default -> unflushed.forEach(write -> keepSectors(left, write, random));
        }
        return left;
    }

    /** {@return all that was written} */
    BlockImage copy() {
        return seen.copy();
    }

    /** {@return the octets of one sector} */
    byte[] sector(int number) {
        ByteBuffer octets = ByteBuffer.allocate(SECTOR_BYTES);
        seen.read((long) number * SECTOR_BYTES, SECTOR_BYTES, octets);
        return octets.array();
    }

    /** The medium has something else in a sector than what was written there. */
    void falsify(int sector, byte[] octets, int from) {
        long position = (long) sector * SECTOR_BYTES;
        seen.write(position, octets, from, SECTOR_BYTES);
        medium.write(position, octets, from, SECTOR_BYTES);
        faulty.set(sector);
    }

    /** A sector can't be read any more. */
    void forbid(int sector) {
        unreadable = true;
        faulty.set(sector);
    }

    /** {@return how many sectors are false or unreadable} */
    int faultySectors() {
        return faulty.cardinality();
    }

    /** {@return how many reads met one of them} */
    long faultyReads() {
        return faultyReads;
    }

    private void remember(long position, byte[] octets) {
        ByteBuffer before = ByteBuffer.allocate(octets.length);
        seen.read(position, octets.length, before);
        remembered.addLast(new Overwrite(position, octets, before.array()));
        rememberedBytes += octets.length;
        while (rememberedBytes > REMEMBERED_BYTES_MAX) {
            rememberedBytes -= remembered.removeFirst().octets.length;
        }
    }

    private void keepPrefix(BlockImage left, Random random) {
        int kept = random.nextInt(unflushed.size() + 1);
        for (int i = 0; i < kept; i++) {
            Write write = unflushed.get(i);
            left.write(write.position, write.octets, 0, write.octets.length);
        }
        if (kept < unflushed.size()) {
            Write torn = unflushed.get(kept);
            int sectors = random.nextInt(torn.octets.length / SECTOR_BYTES + 1);
            left.write(torn.position, torn.octets, 0, sectors * SECTOR_BYTES);
        }
    }

    private static void keepSectors(BlockImage left, Write write, Random random) {
        for (int from = 0; from < write.octets.length; from += SECTOR_BYTES) {
            if (random.nextBoolean()) {
                int count = Math.min(SECTOR_BYTES, write.octets.length - from);
                left.write(write.position + from, write.octets, from, count);
            }
        }
    }
}
