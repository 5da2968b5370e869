package org.hubmark.smtp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;

import org.hubmark.core.Content;

/**
 * Gives every read of an event loop the same buffer again, as long as nobody has kept it. A pool
 * hands out the buffer that was freed longest ago, and what a message in the queue had lain in is
 * among them; the one read before is still in the processor's cache.
 *
 * <p>A large message keeps the buffer that it was read into, so that it is not copied; the next read gets
 * another one.
 *
 * <p>Used by event loops; a buffer belongs to who reads, who releases it as any other.
 */
final class ReceiveBuffers {
    /** Smaller ones are not aligned: they would lose much of their room, and no message keeps them. */
    private static final int ALIGNED_OCTETS_MIN = 2 * Content.ALIGNED_BYTES_MIN;

    private final int octets;
    private final FastThreadLocal<ByteBuf> ofLoop = new FastThreadLocal<>() {
        @Override
        protected void onRemoval(ByteBuf buffer) {
            buffer.release();
        }
    };

    /** All buffers have that many octets. */
    ReceiveBuffers(int octets) {
        this.octets = octets;
    }

    /** {@return what decides for the reads of a connection where they go} */
    RecvByteBufAllocator allocatorFor(Connection connection) {
        return new PlaceOfReads(connection);
    }

    /**
     * {@return the buffer of the calling event loop} It is empty, and begins at a {@linkplain
     * Content#ALIGNMENT_BYTES multiple} with some octets left out.
     *
     * @param leadOctets so many, which the reader may put in front
     */
    ByteBuf next(ByteBufAllocator allocator, int leadOctets) {
        ByteBuf buffer = ofLoop.getIfExists();
        if (buffer == null || buffer.refCnt() > 1) {
            if (buffer != null) {
                buffer.release();
            }
            buffer = allocator.ioBuffer(octets);
            ofLoop.set(buffer);
        }
        int begin = octets < ALIGNED_OCTETS_MIN ? 0 : toAlignment(buffer) + leadOctets;
        return buffer.setIndex(begin, begin).retain();
    }

    private static int toAlignment(ByteBuf buffer) {
        return buffer.hasMemoryAddress()
                ? (int) (-buffer.memoryAddress() & (Content.ALIGNMENT_BYTES - 1))
                : 0;
    }

    private final class PlaceOfReads extends DefaultMaxMessagesRecvByteBufAllocator {
        private final Connection connection;

        PlaceOfReads(Connection connection) {
            this.connection = connection;
        }

        @Override
        @SuppressWarnings("deprecation") // The interface's own type; there is no other.
        public RecvByteBufAllocator.Handle newHandle() {
            return new MaxMessageHandle() {
                @Override
                public int guess() {
                    return octets;
                }

                @Override
                public ByteBuf allocate(ByteBufAllocator allocator) {
                    return connection.place(ReceiveBuffers.this, allocator);
                }
            };
        }
    }
}
