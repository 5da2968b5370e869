package org.hubmark.bench.durability;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The content of a block device in memory. A copy of it costs next to nothing: blocks are shared until
 * one of the two is written. One thread.
 */
final class BlockImage {
    private static final int CHUNK_BYTES = 32 << 10;
    private static final byte[] ZEROS = new byte[CHUNK_BYTES];

    private final byte[][] chunks;
    private final boolean[] ours;

    /** A device of zeros. */
    BlockImage(long bytes) {
        int count = Math.toIntExact((bytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
        this.chunks = new byte[count][];
        this.ours = new boolean[count];
        Arrays.fill(chunks, ZEROS);
    }

    private BlockImage(byte[][] chunks) {
        this.chunks = chunks;
        this.ours = new boolean[chunks.length];
    }

    /** {@return the same content, on its own from now on} */
    BlockImage copy() {
        Arrays.fill(ours, false);
        return new BlockImage(chunks.clone());
    }

    /** Puts octets from a position on into the buffer. */
    void read(long position, int count, ByteBuffer target) {
        long at = position;
        int left = count;
        while (left > 0) {
            int offset = (int) (at % CHUNK_BYTES);
            int part = Math.min(left, CHUNK_BYTES - offset);
            target.put(chunks[(int) (at / CHUNK_BYTES)], offset, part);
            at += part;
            left -= part;
        }
    }

    /** Writes some of the octets to a position. */
    void write(long position, byte[] octets, int from, int count) {
        long at = position;
        int next = from;
        int end = from + count;
        while (next < end) {
            int offset = (int) (at % CHUNK_BYTES);
            int part = Math.min(end - next, CHUNK_BYTES - offset);
            int index = (int) (at / CHUNK_BYTES);
            // Making a file system writes zeros by the hundred megabytes, where there are zeros.
            if (!Arrays.equals(octets, next, next + part, chunks[index], offset, offset + part)) {
                System.arraycopy(octets, next, writable(index), offset, part);
            }
            at += part;
            next += part;
        }
    }

    private byte[] writable(int index) {
        if (!ours[index]) {
            chunks[index] = chunks[index].clone();
            ours[index] = true;
        }
        return chunks[index];
    }
}
