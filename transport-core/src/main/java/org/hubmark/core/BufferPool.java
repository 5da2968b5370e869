package org.hubmark.core;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * The pool that the memory of messages comes from: Netty's, which keeps freed buffers for their thread.
 * Of its own accord it keeps those of up to 32 KiB; of larger ones, as messages need, each would be new
 * memory that the kernel has to zero. Netty reads how far it goes from a system property, once, when
 * its pool is loaded: so it is set here, unless somebody has set it. In a program that has used the
 * pool before, it stays as it is, and large messages cost more. Any thread.
 */
public final class BufferPool {
    private static final String CACHED_BYTES_MAX = "io.netty.allocator.maxCachedBufferCapacity";

    static {
        if (System.getProperty(CACHED_BYTES_MAX) == null) {
            System.setProperty(CACHED_BYTES_MAX, String.valueOf(2 << 20));
        }
    }

    private BufferPool() {}

    /** {@return the pool} */
    public static ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }
}
