package org.hubmark.bench.durability.unsynced;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Content of a file in memory; what was never written is zeros and takes none. One thread. */
final class SparseFile {
    private static final int BLOCK_BYTES = 4096;

    private final Map<Long, byte[]> blocks = new HashMap<>();
    private long bytes;

    long bytes() {
        return bytes;
    }

    /** {@return how many octets it takes in memory} */
    long allocatedBytes() {
        return (long) blocks.size() * BLOCK_BYTES;
    }

    /** {@return one octet; zero beyond the end} */
    byte at(long position) {
        byte[] block = blocks.get(position / BLOCK_BYTES);
        return block == null ? 0 : block[(int) (position % BLOCK_BYTES)];
    }

    /** {@return octets, those beyond the end left out} */
    byte[] read(long position, int count) {
        byte[] octets = new byte[(int) Math.clamp(bytes - position, 0L, (long) count)];
        for (int done = 0; done < octets.length; ) {
            int at = (int) ((position + done) % BLOCK_BYTES);
            int part = Math.min(octets.length - done, BLOCK_BYTES - at);
            byte[] block = blocks.get((position + done) / BLOCK_BYTES);
            if (block != null) {
                System.arraycopy(block, at, octets, done, part);
            }
            done += part;
        }
        return octets;
    }

    /** Writes octets; makes the file longer if need be. */
    void write(long position, byte[] octets) {
        for (int done = 0; done < octets.length; ) {
            int at = (int) ((position + done) % BLOCK_BYTES);
            int part = Math.min(octets.length - done, BLOCK_BYTES - at);
            byte[] block = blocks.computeIfAbsent(
                    (position + done) / BLOCK_BYTES, key -> new byte[BLOCK_BYTES]);
            System.arraycopy(octets, done, block, at, part);
            done += part;
        }
        bytes = Math.max(bytes, position + octets.length);
    }

    /** Cuts it off, or makes it longer. */
    void resize(long size) {
        if (size < bytes) {
            zero(size, bytes);
        }
        bytes = size;
    }

    /** Makes octets zero; the size stays. */
    void zero(long from, long to) {
        blocks.entrySet().removeIf(entry -> {
            long start = entry.getKey() * BLOCK_BYTES;
            int first = (int) Math.clamp(from - start, 0L, (long) BLOCK_BYTES);
            int last = (int) Math.clamp(to - start, 0L, (long) BLOCK_BYTES);
            if (first < last) {
                Arrays.fill(entry.getValue(), first, last, (byte) 0);
            }
            return first == 0 && last == BLOCK_BYTES;
        });
    }
}
