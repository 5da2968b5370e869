package org.hubmark.bench.durability;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A disk with a volatile write cache that never writes back by itself: what was not flushed is known
 * write by write, so that it can be lost in any way a real cache may lose it. One thread.
 */
final class VolatileDisk {
    static final int SECTOR_BYTES = 512;

    private final BlockImage seen;
    private final BlockImage medium;
    private final List<Write> unflushed = new ArrayList<>();
    private boolean ignoresFlushes;

    /** A write that was not flushed. Two are never compared. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Write(long position, byte[] octets) {
        void to(BlockImage image) {
            image.write(position, octets, 0, octets.length);
        }
    }

    /** A disk of zeros. */
    VolatileDisk(long bytes) {
        this.seen = new BlockImage(bytes);
        this.medium = new BlockImage(bytes);
    }

    /** A disk that holds what a cut has left of another one. */
    VolatileDisk(BlockImage medium) {
        this.seen = medium.copy();
        this.medium = medium;
    }

    void read(long position, int count, ByteBuffer target) {
        seen.read(position, count, target);
    }

    void write(long position, byte[] octets) {
        seen.write(position, octets, 0, octets.length);
        unflushed.add(new Write(position, octets));
    }

    void flush() {
        if (ignoresFlushes) {
            return;
        }
        for (Write write : unflushed) {
            write.to(medium);
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
                        .forEach(write -> write.to(left));
            default -> unflushed.forEach(write -> keepSectors(left, write, random));
        }
        return left;
    }

    private void keepPrefix(BlockImage left, Random random) {
        int kept = random.nextInt(unflushed.size() + 1);
        for (int i = 0; i < kept; i++) {
            unflushed.get(i).to(left);
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
