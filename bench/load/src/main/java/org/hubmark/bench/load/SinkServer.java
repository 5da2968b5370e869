package org.hubmark.bench.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * A server that takes mail and forgets it, as slowly and unwillingly as asked: the far end of
 * delivery, and the floor of what a driver costs. It is no transport: it checks no address.
 */
public final class SinkServer implements AutoCloseable {
    /** A message of the study's sizes in one read. */
    private static final int READ_BYTES = 128 * 1024;

    private final EventLoopGroup group;
    private final Channel channel;
    private final Behaviour behaviour;
    private final Counters counters;

    /**
     * How it answers the end of a message.
     *
     * @param heldBackNanos for which the answer to the next message is held back
     * @param deferPercent of the messages answered with 451
     * @param rejectPercent of the messages answered with 550
     * @param lmtp speaks LMTP (RFC 2033) instead of SMTP: an answer for each recipient
     */
    public record Behaviour(
            LongSupplier heldBackNanos, double deferPercent, double rejectPercent, boolean lmtp) {
        /** Checks the shares. */
        public Behaviour {
            if (deferPercent < 0 || rejectPercent < 0 || deferPercent + rejectPercent > 100) {
                throw new IllegalArgumentException(
                        "the shares of 4xx and 5xx answers are 0 to 100 percent together");
            }
        }

        /** Waits so long before each answer. */
        public Behaviour(Duration delay, double deferPercent, double rejectPercent, boolean lmtp) {
            this(delay::toNanos, deferPercent, rejectPercent, lmtp);
        }

        /** {@return answers at once and takes all} */
        public static Behaviour willing() {
            return new Behaviour(Duration.ZERO, 0, 0, false);
        }
    }

    /** What it counted; any thread reads, the event loop answers. */
    static final class Counters {
        private double deferPercent;
        private double rejectPercent;
        final LongAdder accepted = new LongAdder();
        final LongAdder bytes = new LongAdder();
        final LongAdder recipients = new LongAdder();
        final LongAdder deferred = new LongAdder();
        final LongAdder rejected = new LongAdder();

        /** Spreads the unwilling answers evenly: of four messages at 25 percent, one. */
        String answer(Behaviour behaviour, long contentBytes, int forwardPaths) {
            deferPercent += behaviour.deferPercent();
            rejectPercent += behaviour.rejectPercent();
            if (deferPercent >= 100) {
                deferPercent -= 100;
                deferred.increment();
                return "451 4.3.0 Try again later";
            }
            if (rejectPercent >= 100) {
                rejectPercent -= 100;
                rejected.increment();
                return "550 5.7.1 Not here";
            }
            accepted.increment();
            bytes.add(contentBytes);
            recipients.add(forwardPaths);
            return "250 2.0.0 Ok";
        }
    }

    private SinkServer(
            EventLoopGroup group, Channel channel, Behaviour behaviour, Counters counters) {
        this.group = group;
        this.channel = channel;
        this.behaviour = behaviour;
        this.counters = counters;
    }

    /**
     * Listens and serves.
     *
     * @param listen port 0 picks a free one
     * @throws IOException when the address can't be had; the message names it and says why
     */
    public static SinkServer start(InetSocketAddress listen, Behaviour behaviour)
            throws IOException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("sink", true), LoadDriver.ioHandlers());
        Counters counters = new Counters();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(serverType())
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        accepted.pipeline().addLast(new SinkSession(behaviour, counters));
                    }
                });
        var binding = bootstrap.bind(listen).awaitUninterruptibly();
        if (!binding.isSuccess()) {
            close(group);
            throw new IOException(
                    "can't listen on " + listen.getHostString() + ":" + listen.getPort() + " ("
                            + binding.cause().getMessage() + ")",
                    binding.cause());
        }
        return new SinkServer(group, binding.channel(), behaviour, counters);
    }

    /** {@return where it listens, with the port that was picked} */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** {@return messages accepted so far} */
    public long acceptedMessages() {
        return counters.accepted.sum();
    }

    /** {@return octets of content accepted so far} */
    public long acceptedBytes() {
        return counters.bytes.sum();
    }

    /** {@return recipients of the messages accepted so far} */
    public long recipients() {
        return counters.recipients.sum();
    }

    /** {@return one line that says what it did} */
    public String summary() {
        return counters.accepted.sum() + " messages taken (" + counters.bytes.sum() + " bytes, "
                + counters.recipients.sum() + " recipients), "
                + counters.deferred.sum() + " deferred, " + counters.rejected.sum() + " rejected"
                + (behaviour.lmtp() ? ", by LMTP" : "");
    }

    /** Closes everything. */
    @Override
    public void close() {
        close(group);
    }

    private static void close(EventLoopGroup group) {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }

    private static Class<? extends ServerChannel> serverType() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }
}
