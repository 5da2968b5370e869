package org.hubmark.hub.admin;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection to the admin server that takes too long: connections are few, and whoever sends an octet now
 * and then must not keep them from others. The admin thread.
 */
final class AdminDeadlines extends ChannelDuplexHandler {
    /** How long the peer has to take the answer: what it sends meanwhile would end the connection by a reset. */
    private static final Duration LINGERING = Duration.ofSeconds(2);

    private final Duration requestMax;
    private boolean lingers;
    private @Nullable Future<?> timer;

    /**
     * Makes those of one connection.
     *
     * @param requestMax from its begin until its answer is sent
     */
    AdminDeadlines(Duration requestMax) {
        this.requestMax = requestMax;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        closeAfter(requestMax, context);
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancel();
        context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object octets) {
        if (lingers) {
            ReferenceCountUtil.release(octets);
        } else {
            context.fireChannelRead(octets);
        }
    }

    /** The answer has been sent: nothing more is, and what comes is thrown away until the peer closes. */
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

    private void closeAfter(Duration time, ChannelHandlerContext context) {
        cancel();
        timer = context.executor()
                .schedule(
                        () -> {
                            var unused = context.close();
                        },
                        time.toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
