package org.hubmark.queue.log;

import java.nio.ByteBuffer;

/** Memory that begins at a page, as a write past the page cache needs it. */
public final class Pages {
    private Pages() {}

    /** {@return a direct buffer} */
    public static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes + LogFormat.PAGE_BYTES)
                .alignedSlice(LogFormat.PAGE_BYTES)
                .slice(0, bytes);
    }

    /** {@return whether what remains in the buffers are whole pages that begin at a page} */
    static boolean areIn(ByteBuffer[] buffers, int count) {
        for (int i = 0; i < count; i++) {
            if (!areIn(buffers[i])) {
                return false;
            }
        }
        return true;
    }

    static boolean areIn(ByteBuffer buffer) {
        return buffer.isDirect()
                && buffer.remaining() % LogFormat.PAGE_BYTES == 0
                && buffer.alignmentOffset(buffer.position(), LogFormat.PAGE_BYTES) == 0;
    }
}
