package org.hubmark.queue.simulation;

import org.hubmark.queue.log.LogFormat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/**
 * The data of one file of a {@link SimulatedVolume}: what a reader sees, what is on the medium, and
 * the writes between the two. Guarded by the volume.
 */
public final class SimulatedFile {
    private static final int SECTOR_BYTES = LogFormat.SECTOR_BYTES;

    /** Whole sectors, as the page cache holds them after a write that was not synced. */
    private static final class Write {
        private final long position;
        private final byte[] bytes;

        Write(long position, byte[] bytes) {
            this.position = position;
            this.bytes = bytes;
        }
    }

    private byte[] seen = new byte[0];
    private byte[] medium = new byte[0];
    private final List<Write> unsynced = new ArrayList<>();
    private OptionalLong unsyncedSinceNanos = OptionalLong.empty();
    private boolean lost;
    private final BitSet unreadable = new BitSet();

    /** {@return when the oldest write was that no sync has covered; empty if all are covered} */
    OptionalLong unsyncedSinceNanos() {
        return unsyncedSinceNanos;
    }

    long length() {
        return seen.length;
    }

    int read(long position, ByteBuffer target) throws IOException {
        int count = (int) Math.clamp(seen.length - position, 0L, (long) target.remaining());
        if (count > 0) {
            int bad = unreadable.nextSetBit((int) sector(position));
            if (bad >= 0 && bad <= sector(position + count - 1)) {
                throw new IOException("Input/output error (simulated)");
            }
        }
        target.put(seen, (int) position, count);
        return count;
    }

    /** Takes the first bytes of a write. */
    void write(long position, byte[] bytes, int count) {
        if (count == 0) {
            return;
        }
        seen = overwritten(seen, position, bytes, 0, count);
        unreadable.clear((int) sector(position), (int) sector(position + count - 1) + 1);
        long start = sector(position) * SECTOR_BYTES;
        long end = Math.min(seen.length, (sector(position + count - 1) + 1) * SECTOR_BYTES);
        unsynced.add(new Write(start, Arrays.copyOfRange(seen, (int) start, (int) end)));
        if (unsyncedSinceNanos.isEmpty()) {
            unsyncedSinceNanos = OptionalLong.of(System.nanoTime());
        }
    }

    void sync() {
        for (Write write : unsynced) {
            medium = overwritten(medium, write.position, write.bytes, 0, write.bytes.length);
        }
        unsynced.clear();
        if (!lost) {
            unsyncedSinceNanos = OptionalLong.empty();
        }
    }

    /** A sync fails, and no later one covers what was written before it. */
    void failSync(Random random) {
        forgetUnsynced(random);
        lost = true;
    }

    /** Puts any subset of the unsynced sectors on the medium and forgets that the rest isn't there. */
    private void forgetUnsynced(Random random) {
        for (Write write : unsynced) {
            keepSome(write, random);
        }
        unsynced.clear();
    }

    /** Does the same, and then only the medium is left. */
    void loseUnsynced(Random random) {
        forgetUnsynced(random);
        lost = false;
        unsyncedSinceNanos = OptionalLong.empty();
        seen = medium.clone();
    }

    /** The sectors that hold the bytes can't be read until they are written again. */
    void makeUnreadable(long position, long bytes) {
        unreadable.set((int) sector(position), (int) sector(position + bytes - 1) + 1);
    }

    private void keepSome(Write write, Random random) {
        int sectors = (int) sector(write.position + write.bytes.length - 1)
                - (int) sector(write.position)
                + 1;
        BitSet kept = subset(sectors, random);
        for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
            long start = Math.max(write.position, (sector(write.position) + i) * SECTOR_BYTES);
            long end = Math.min(
                    write.position + write.bytes.length,
                    (sector(write.position) + i + 1) * SECTOR_BYTES);
            int from = (int) (start - write.position);
            medium = overwritten(medium, start, write.bytes, from, (int) (end - start));
        }
    }

    /** {@return which of so many things that nothing orders are done: all, none, the first, or any} */
    static BitSet subset(int count, Random random) {
        BitSet kept = new BitSet(count);
        switch (random.nextInt(4)) {
            case 0 -> kept.set(0, count);
            case 1 -> kept.clear();
            case 2 -> kept.set(0, random.nextInt(count + 1));
            case 3 -> {
                for (int i = 0; i < count; i++) {
                    kept.set(i, random.nextBoolean());
                }
            }
            default -> throw new IllegalStateException("nextInt");
        }
        return kept;
    }

    private static long sector(long position) {
        return position / SECTOR_BYTES;
    }

    private static byte[] overwritten(
            byte[] old, long position, byte[] bytes, int from, int count) {
        int end = Math.toIntExact(position + count);
        byte[] result = end > old.length ? Arrays.copyOf(old, end) : old;
        System.arraycopy(bytes, from, result, (int) position, count);
        return result;
    }
}
