package org.hubmark.hub.admin;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection over which lines go, of a bounded length and within a bounded time, whatever the other
 * side does. Closes the channel. One thread.
 */
final class SocketLine implements AutoCloseable {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;

    SocketLine(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        this.selector = Selector.open();
        this.key = channel.register(selector, 0);
    }

    /** {@return the first line; null if it does not end, in time or before it is too long} */
    @Nullable
    String read(int bytesMax, Duration timeMax) throws IOException {
        long deadlineNanos = System.nanoTime() + timeMax.toNanos();
        key.interestOps(SelectionKey.OP_READ);
        ByteBuffer octets = ByteBuffer.allocate(bytesMax);
        int searched = 0;
        while (octets.hasRemaining() && awaitReady(deadlineNanos) && channel.read(octets) >= 0) {
            for (; searched < octets.position(); searched++) {
                if (octets.get(searched) == '\n') {
                    return new String(octets.array(), 0, searched, StandardCharsets.UTF_8);
                }
            }
        }
        return null;
    }

    /** Writes a line, as much of it as the other side takes in time. */
    void write(String line, Duration timeMax) throws IOException {
        long deadlineNanos = System.nanoTime() + timeMax.toNanos();
        key.interestOps(SelectionKey.OP_WRITE);
        ByteBuffer octets = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (octets.hasRemaining() && awaitReady(deadlineNanos)) {
            channel.write(octets);
        }
    }

    private boolean awaitReady(long deadlineNanos) throws IOException {
        selector.selectedKeys().clear();
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        return leftMillis > 0 && selector.select(leftMillis) > 0;
    }

    @Override
    public void close() throws IOException {
        try {
            selector.close();
        } finally {
            channel.close();
        }
    }
}
