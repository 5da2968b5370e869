package org.hubmark.queue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;

import org.hubmark.core.Content;
import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The content of the newest mail, still in the memory into which it was received, so that a delivery
 * that follows soon reads no file. Bounded in bytes; the oldest gives way. Nothing is kept while
 * nobody reads content, which is so where mail is only held or thrown away. Any thread.
 */
final class FreshContent implements AutoCloseable {
    /** When so many in a row have left without having been read, no more are kept. */
    private static final int UNREAD_MAX = 1000;

    private final long bytesMax;
    private final Map<Long, ByteBuf> contents = new LinkedHashMap<>();
    private long bytes;
    private int unread;
    private boolean closed;
    private volatile boolean wanted;
    private volatile boolean empty = true;

    /**
     * Keeps nothing until content is read for the first time.
     *
     * @param bytesMax memory at most
     */
    FreshContent(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes over a content and closes it. Keeps its octets if all are in memory and are wanted. */
    void takeOver(Content content) {
        if (!wanted || content.storedExtents() > 0) {
            content.close();
            return;
        }
        long id = content.id().value();
        ByteBuf memory = content.giveAway();
        synchronized (this) {
            if (closed) {
                memory.release();
                return;
            }
            bytes += memory.capacity();
            contents.put(id, memory);
            empty = false;
            Iterator<ByteBuf> oldest = contents.values().iterator();
            while (bytes > bytesMax && oldest.hasNext()) {
                ByteBuf first = oldest.next();
                oldest.remove();
                left(first);
            }
        }
    }

    /**
     * {@return a message's content, or null when it isn't here} Read from the memory itself, which stays until
     * the stream is closed.
     */
    @Nullable
    InputStream open(long id) {
        synchronized (this) {
            wanted = !closed;
            unread = 0;
            ByteBuf memory = contents.get(id);
            return memory == null ? null : new ByteBufInputStream(memory.retainedDuplicate(), true);
        }
    }

    /** A first attempt to deliver a message has ended. */
    void drop(long id) {
        if (empty) {
            return;
        }
        synchronized (this) {
            ByteBuf memory = contents.remove(id);
            if (memory != null) {
                left(memory);
            }
        }
    }

    /** Keeps nothing any more. */
    @Override
    public synchronized void close() {
        contents.values().forEach(this::left);
        contents.clear();
        closed = true;
        wanted = false;
        empty = true;
    }

    private void left(ByteBuf memory) {
        bytes -= memory.capacity();
        memory.release();
        unread++;
        if (unread > UNREAD_MAX) {
            wanted = false;
        }
        empty = contents.isEmpty();
    }
}
