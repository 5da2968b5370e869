package org.hubmark.hub.relay;

import org.hubmark.core.BlockLock;
import org.hubmark.core.Content;
import org.hubmark.core.Lease;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;

/**
 * Memory of the contents on their way to next hops. A delivery takes it before it opens a content, and
 * gives it back when the content has left: so a next hop that reads slowly holds up some deliveries, and
 * doesn't fill the heap. Delivery threads, which wait here.
 *
 * <p>A content that is alone fits always. While less than half is in use each destination gets what it
 * asks for; the other half is for those that have little, as it is with workers.
 */
final class ContentMemory {
    /** Divisor of the heap: of the usual 256 MB it is 26 times the largest need, or 150 messages of 20 KB. */
    private static final int HEAP_SHARE = 4;

    /** Part of the whole that a destination may have also beyond the half: some messages of 20 KB. */
    private static final int LITTLE_SHARE = 32;

    /** What a connection writes through. */
    private static final long BUFFER_BYTES = WriteBuffer.OCTETS_MAX + NextHopConnection.BLOCK_BYTES;

    private final long bytesMax;
    private final BlockLock lock = new BlockLock();
    private final Map<String, Long> bytesOf = new HashMap<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private long bytesUsed;
    private boolean closed;

    /** There is none for a message now, which says nothing of the message or the next hop. */
    static final class LackException extends IOException {
        private static final long serialVersionUID = 1L;

        LackException() {
            super("no memory for its content: other deliveries are too slow");
        }
    }

    /** A delivery that waits. Under the lock. */
    private final class Waiting {
        private final String destination;
        private final long bytes;
        private final Condition ended = lock.newCondition();
        private boolean served;

        private Waiting(String destination, long bytes) {
            this.destination = destination;
            this.bytes = bytes;
        }
    }

    /** What the messages over one connection have of it, all for one destination. One delivery thread. */
    final class Part implements AutoCloseable {
        private final String destination;
        private long bytes;

        private Part(String destination) {
            this.destination = destination;
        }

        /**
         * Takes what a message needs from the opening of its content on.
         *
         * @return false if that isn't possible in the time, or the hub is stopping
         */
        boolean take(Lease lease, Duration wait) {
            // An extent is one array, and G1 gives one of half a region or more whole regions.
            long reading = 2 * Math.min(lease.sizeBytes(), Content.EXTENT_BYTES_MAX);
            long more = reading + (bytes == 0 ? BUFFER_BYTES : 0);
            boolean taken = ContentMemory.this.take(destination, more, wait.toNanos());
            bytes += taken ? more : 0;
            return taken;
        }

        /** The content is closed, and waits to be sent. */
        void contentRead() {
            keep(BUFFER_BYTES);
        }

        /** Nothing waits to be sent. */
        @Override
        public void close() {
            keep(0);
        }

        private void keep(long kept) {
            if (bytes > kept) {
                give(destination, bytes - kept);
                bytes = kept;
            }
        }
    }

    /** Takes a part of the heap. */
    ContentMemory() {
        this(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** At most so much, but for a content that is alone. */
    ContentMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** {@return nothing yet} */
    Part part(String destination) {
        return new Part(destination);
    }

    /** From now on nobody waits and nobody gets any: the hub is stopping. */
    void close() {
        try (BlockLock.Held unused = lock.hold()) {
            closed = true;
            waiting.forEach(one -> one.ended.signal());
        }
    }

    private boolean take(String destination, long bytes, long waitNanos) {
        Waiting one = new Waiting(destination, bytes);
        try (BlockLock.Held unused = lock.hold()) {
            return await(one, waitNanos);
        }
    }

    private boolean await(Waiting one, long waitNanos) {
        try {
            serve(one);
            waiting.add(one);
            long leftNanos = waitNanos;
            while (!one.served && !closed && leftNanos > 0) {
                leftNanos = one.ended.awaitNanos(leftNanos);
            }
            return one.served;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return one.served;
        } finally {
            waiting.remove(one);
        }
    }

    private void give(String destination, long bytes) {
        try (BlockLock.Held unused = lock.hold()) {
            bytesUsed -= bytes;
            bytesOf.merge(destination, -bytes, ContentMemory::sum);
            for (Iterator<Waiting> next = waiting.iterator(); next.hasNext(); ) {
                Waiting one = next.next();
                serve(one);
                if (one.served) {
                    next.remove();
                    one.ended.signal();
                }
            }
        }
    }

    /** Gives one what it wants, if that may be. */
    private void serve(Waiting one) {
        long own = bytesOf.getOrDefault(one.destination, 0L);
        boolean isLittle = own == 0 || own + one.bytes <= bytesMax / LITTLE_SHARE;
        one.served = !closed
                && (bytesUsed == 0
                        || bytesUsed + one.bytes <= (isLittle ? bytesMax : bytesMax / 2));
        if (one.served) {
            bytesUsed += one.bytes;
            bytesOf.merge(one.destination, one.bytes, ContentMemory::sum);
        }
    }

    /** {@return a sum, or null for nothing, which needs no place in the map} */
    private static @Nullable Long sum(Long one, Long other) {
        long sum = one + other;
        return sum == 0 ? null : sum;
    }
}
