package org.hubmark.hub.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Octets that wait to be sent over one connection. It is small until it has to hold content, and
 * then takes one of the large arrays that all connections share, so that connections which wait for
 * an answer need little memory, however many there are. One thread at a time.
 */
final class WriteBuffer {
    /** Octets that it holds at most: a chunk, and the commands before it. */
    static final int OCTETS_MAX = NextHopConnection.CHUNK_BYTES + (64 << 10);

    private static final int SMALL = 4 << 10;

    /** As many as there are writes at a time on a machine of some cores; what is more is left to the collector. */
    private static final ArrayBlockingQueue<byte[]> SPARE = new ArrayBlockingQueue<>(32);

    private byte[] octets = new byte[SMALL];
    private int count;

    /** {@return octets that wait} */
    int count() {
        return count;
    }

    /** {@return octets that it takes before it has to be sent} */
    int room() {
        return OCTETS_MAX - count;
    }

    /** Puts octets behind the others; there is room. */
    void add(byte[] added, int from, int length) {
        System.arraycopy(added, from, room(length), count, length);
        count += length;
    }

    /**
     * {@return the array, with room for more octets from {@link #count} on} Who writes there says so by {@link
     * #setCount}. The array is this buffer's.
     */
    byte[] room(int more) {
        if (octets.length - count < more) {
            byte[] large = SPARE.poll();
            large = large == null ? new byte[OCTETS_MAX] : large;
            System.arraycopy(octets, 0, large, 0, count);
            octets = large;
        }
        return octets;
    }

    /** Says how many octets wait. */
    void setCount(int octetsWaiting) {
        count = octetsWaiting;
    }

    /** Sends all of it, and is empty then, also where that fails. */
    void send(OutputStream out) throws IOException {
        try {
            out.write(octets, 0, count);
        } finally {
            clear();
        }
    }

    /** Drops what waits. */
    void clear() {
        count = 0;
        if (octets.length == OCTETS_MAX) {
            boolean unused = SPARE.offer(octets);
            octets = new byte[SMALL];
        }
    }
}
