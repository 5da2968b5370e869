package org.hubmark.hub.relay;

import org.hubmark.core.Content;
import org.hubmark.core.Lease;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Memory of the contents on their way to next hops. A delivery takes it before it opens a content, and
 * gives it back when the content has left: so a next hop that reads slowly holds up some deliveries, and
 * doesn't fill the heap. One destination has too few deliveries to take all of it. Delivery threads, which
 * wait here, first come first served.
 */
final class ContentMemory {
    /** Divisor of the heap: of the usual 256 MB it is 26 times the largest need, or 150 messages of 20 KB. */
    private static final int HEAP_SHARE = 4;

    /** What a connection writes through. */
    private static final int BUFFER_BYTES = WriteBuffer.OCTETS_MAX + NextHopConnection.BLOCK_BYTES;

    private final int kilobytesMax;
    private final Semaphore free;
    private volatile boolean closed;

    /** There is none for a message now, which says nothing of the message or the next hop. */
    static final class LackException extends IOException {
        private static final long serialVersionUID = 1L;

        LackException() {
            super("no memory for its content: others are under way too slowly");
        }
    }

    /** What the messages over one connection have of it. One delivery thread. */
    final class Part implements AutoCloseable {
        private int kilobytes;

        private Part() {}

        /**
         * Takes what a message needs from the opening of its content on, at most all that there is: a content
         * that is alone fits always.
         *
         * @return false if that isn't possible in the time, or the hub is stopping
         */
        boolean take(Lease lease, Duration wait) {
            close();
            // An extent is one array, and G1 gives one of half a region or more whole regions.
            long bytes = 2 * Math.min(lease.sizeBytes(), Content.EXTENT_BYTES_MAX) + BUFFER_BYTES;
            int wanted = (int) Math.min(bytes >> 10, kilobytesMax);
            try {
                if (!free.tryAcquire(wanted, wait.toNanos(), TimeUnit.NANOSECONDS)) {
                    return false;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            kilobytes = wanted;
            return !closed;
        }

        /** The content is closed, and waits to be sent. */
        void contentRead() {
            keep(BUFFER_BYTES >> 10);
        }

        /** Nothing waits to be sent. */
        @Override
        public void close() {
            keep(0);
        }

        private void keep(int kept) {
            if (kilobytes > kept) {
                free.release(kilobytes - kept);
                kilobytes = kept;
            }
        }
    }

    /** Takes a part of the heap. */
    ContentMemory() {
        this(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** At most so much, but for a content that is alone. */
    ContentMemory(long bytesMax) {
        this.kilobytesMax = Math.clamp(bytesMax >> 10, 1, Integer.MAX_VALUE / 2);
        this.free = new Semaphore(kilobytesMax, true);
    }

    /** {@return nothing yet} */
    Part part() {
        return new Part();
    }

    /** From now on nobody waits and nobody gets any: the hub is stopping. */
    void close() {
        closed = true;
        free.release(Integer.MAX_VALUE / 2);
    }
}
