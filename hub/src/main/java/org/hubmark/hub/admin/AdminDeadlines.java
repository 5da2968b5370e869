package org.hubmark.hub.admin;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection to the admin server that takes too long: connections are few, and whoever sends an octet now
 * and then must not keep them from others. The admin thread.
 */
final class AdminDeadlines extends ChannelDuplexHandler {
    /** How long the peer has to take the last answer: what it sends meanwhile would end the connection by a reset. */
    private static final Duration LINGERING = Duration.ofSeconds(2);

    private final Limits limits;
    private final long startNanos = System.nanoTime();
    private @Nullable Future<?> timer;
    private boolean inRequest;
    private boolean lingers;

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
        if (lingers) {
            ReferenceCountUtil.release(octets);
            return;
        }
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

    /** The last answer has been sent: nothing more is, and what comes is thrown away until the peer closes. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (lingers || !context.channel().isActive()) {
            var unused = context.close(promise);
            return;
        }
        lingers = true;
        closeAfter(LINGERING, context);
        var unused = ((DuplexChannel) context.channel()).shutdownOutput(promise);
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
