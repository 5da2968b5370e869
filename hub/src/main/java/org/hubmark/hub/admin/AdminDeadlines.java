package org.hubmark.hub.admin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection to the admin server that takes too long: connections are few, and whoever sends an octet now
 * and then must not keep them from others. The admin thread.
 */
final class AdminDeadlines extends ChannelInboundHandlerAdapter {
    private final Limits limits;
    private final long startNanos = System.nanoTime();
    private @Nullable Future<?> timer;
    private boolean inRequest;

    /**
     * Time limits of requests and connections.
     *
     * @param request from the first octet of a request, or of the first one from the connection on,
     *     until its answer is sent
     * @param idle between an answer and the next request
     * @param connection after it an answer is the last one
     */
    record Limits(Duration request, Duration idle, Duration connection) {
        static final Limits DEFAULTS =
                new Limits(Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofMinutes(10));
    }

    AdminDeadlines(Limits limits) {
        this.limits = limits;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        inRequest = true;
        closeAfter(limits.request(), context);
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object octets) {
        if (!inRequest) {
            inRequest = true;
            closeAfter(limits.request(), context);
        }
        context.fireChannelRead(octets);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancel();
        context.fireChannelInactive();
    }

    /** An answer has been sent. */
    void answered(ChannelHandlerContext context) {
        inRequest = false;
        closeAfter(limits.idle(), context);
    }

    /** {@return whether the next answer has to be the last one} */
    boolean isOver() {
        return System.nanoTime() - startNanos >= limits.connection().toNanos();
    }

    private void closeAfter(Duration time, ChannelHandlerContext context) {
        cancel();
        if (context.channel().isActive()) {
            timer = context.executor()
                    .schedule(
                            () -> {
                                var unused = context.close();
                            },
                            time.toNanos(),
                            TimeUnit.NANOSECONDS);
        }
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
