package org.hubmark.smtp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Intake;
import org.hubmark.core.Settings;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Receives mail by SMTP (RFC 5321 with PIPELINING, SIZE, 8BITMIME, ENHANCEDSTATUSCODES, CHUNKING,
 * BINARYMIME and, with a certificate, STARTTLS) and hands it to an intake.
 *
 * <p>Event loops of its own serve the connections, on native epoll where there is one. Any thread
 * may call, but {@link #stop} not an event loop.
 *
 * <pre>{@code
 * try (SmtpReceiver receiver =
 *         SmtpReceiver.start(new InetSocketAddress("127.0.0.1", 0), intake, Settings.defaults())) {
 *     send(receiver.address());
 * }
 * }</pre>
 */
public final class SmtpReceiver implements AutoCloseable {
    private final Service service;
    private final EventLoopGroup loops;
    private final Channel listener;
    private final ChannelGroup connections;

    private SmtpReceiver(
            Service service, EventLoopGroup loops, Channel listener, ChannelGroup connections) {
        this.service = service;
        this.loops = loops;
        this.listener = listener;
        this.connections = connections;
    }

    /**
     * Listens and serves. Returns when connections are being taken.
     *
     * @param listen where; port 0 picks a free one
     * @throws IOException if the address or the certificate can't be had; the message names it and
     *     says why
     * @throws IllegalArgumentException if a setting can't be served; the message names it
     */
    public static SmtpReceiver start(InetSocketAddress listen, Intake intake, Settings settings)
            throws IOException {
        return start(listen, intake, settings, new OpenPolicy(), InstantSource.system());
    }

    /**
     * Does the same with rules of one's own.
     *
     * @param policy asked before commands and while content comes
     * @param clock tells when mail was received
     */
    public static SmtpReceiver start(
            InetSocketAddress listen,
            Intake intake,
            Settings settings,
            SmtpPolicy policy,
            InstantSource clock)
            throws IOException {
        Limits limits = Limits.read(settings);
        RelayRules relaying = RelayRules.read(settings, listen);
        Service service =
                Service.of(intake, limits, relaying, policy, clock, Tls.read(settings));
        boolean epoll = Epoll.isAvailable();
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                limits.eventLoopThreads(),
                new DefaultThreadFactory("smtp", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        // Closes what is added after it was closed, so that no connection slips past a stop.
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(serverChannel(epoll))
                .option(ChannelOption.SO_BACKLOG, limits.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new ReceiveBuffers(limits.receiveBufferBytes()))
                .childHandler(new Acceptor(service, connections))
                .bind(listen)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            Throwable cause = bound.cause();
            throw new IOException("cannot listen on " + listen + ": " + cause.getMessage(), cause);
        }
        return new SmtpReceiver(service, loops, bound.channel(), connections);
    }

    /** {@return where it listens, with the port that was picked} */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /**
     * {@return whether mail is taken for no recipient at all} So it is on an address other than
     * loopback unless the settings smtp.relay-from or smtp.accept-domains say for whom.
     */
    public boolean takesNothing() {
        return service.relaying().takesNothing();
    }

    /** {@return what was counted so far} */
    public SmtpCounters counters() {
        return service.counters();
    }

    /** {@return the memory of content in flight} */
    public ContentBudget budget() {
        return service.budget();
    }

    /** {@return the memory of envelopes in the making} */
    public ContentBudget envelopeBudget() {
        return service.envelopeBudget();
    }

    /**
     * Takes no further connection, answers each further MAIL with 421, lets what is being received
     * or committed end within the grace time, and closes all connections.
     */
    public void stop(Duration grace) {
        listener.close().awaitUninterruptibly();
        for (Channel channel : connections) {
            channel.eventLoop().execute(() -> {
                Connection connection = channel.pipeline().get(Connection.class);
                if (connection != null) {
                    connection.stop();
                }
            });
        }
        connections.newCloseFuture().awaitUninterruptibly(grace.toMillis());
        connections.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Cuts all connections without a word, as the end of the process would. */
    public void kill() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    private static Class<? extends ServerChannel> serverChannel(boolean epoll) {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Takes a connection, or turns it away. Event loops call it. */
    private static final class Acceptor extends ChannelInitializer<Channel> {
        private final Service service;
        private final ChannelGroup connections;
        private final AtomicInteger open = new AtomicInteger();

        Acceptor(Service service, ChannelGroup connections) {
            this.service = service;
            this.connections = connections;
        }

        @Override
        protected void initChannel(Channel channel) {
            SmtpCounters counters = service.counters();
            boolean welcome = open.incrementAndGet() <= service.limits().connectionsMax();
            channel.closeFuture().addListener(closed -> open.decrementAndGet());
            if (!welcome) {
                turnAway(channel, Reply.TOO_MANY_CONNECTIONS, counters.connectionsRefused);
                return;
            }
            switch (admission(channel)) {
                case Peers.Admission.Admitted(Peers.Address address) -> {
                    counters.connectionsOpened.increment();
                    connections.add(channel);
                    channel.closeFuture()
                            .addListener(
                                    closed -> service.peers().leave(address, System.nanoTime()));
                    channel.pipeline().addLast(new Connection(service, address));
                }
                case Peers.Admission.TooMany many ->
                    turnAway(
                            channel, Reply.TOO_MANY_OF_ADDRESS, counters.addressConnectionsRefused);
                case Peers.Admission.TooOften often ->
                    turnAway(channel, Reply.TOO_OFTEN_FROM_ADDRESS, counters.addressRateRefused);
            }
        }

        private Peers.Admission admission(Channel channel) {
            // A peer that has gone again by now has no address, and nothing to limit.
            return channel.remoteAddress() instanceof InetSocketAddress from
                            && from.getAddress() != null
                    ? service.peers().admit(from.getAddress(), System.nanoTime())
                    : new Peers.Admission.Admitted(service.peers().unlimited());
        }

        private static void turnAway(Channel channel, Reply reply, LongAdder counter) {
            counter.increment();
            channel.writeAndFlush(Unpooled.wrappedBuffer(reply.line()))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }
}
