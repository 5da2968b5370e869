package org.hubmark.core;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;

/**
 * In the place of the pool, which locks: Netty's threads and locks are not led by the scheduler, and one
 * that waits for a lock that it does not know would wait for ever.
 */
public final class BufferPool {
    private static final ByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(true, true);

    private BufferPool() {}

    public static ByteBufAllocator allocator() {
        return ALLOCATOR;
    }
}
