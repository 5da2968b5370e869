package org.hubmark.smtp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;

import org.hubmark.core.BufferPool;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Intake;
import org.hubmark.core.Settings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    private static final Logger LOG = LoggerFactory.getLogger(SmtpReceiver.class);

    /** Connections that the kernel holds until they are taken. */
    private static final int BACKLOG = 1024;

    private final Service service;
    private final EventLoopGroup loops;
    private final ChannelGroup connections;
    private final AtomicInteger open = new AtomicInteger();

    /** The one for plain text first. Changed only before anybody else has this. */
    private final List<Channel> listeners = new ArrayList<>();

    private SmtpReceiver(Service service, EventLoopGroup loops, ChannelGroup connections) {
        this.service = service;
        this.loops = loops;
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
        return start(listen, intake, settings, new OpenPolicy(), null, InstantSource.system());
    }

    /** Loads the native library for sockets, if there is one for this machine. Else the first start does. */
    public static void preload() {
        var unused = Epoll.isAvailable();
    }

    /**
     * {@return whether a receiver with these settings takes mail from everybody, for some domains}
     *
     * @throws IllegalArgumentException if a setting can't be served; the message names it
     */
    public static boolean takesFromStrangers(Settings settings) {
        return RelayRules.read(settings, List.of()).accepts("postmaster");
    }

    /** {@return octets of the largest message that a receiver with these settings takes} */
    public static long messageBytesMax(Settings settings) {
        return Limits.messageBytesMax(settings);
    }

    /**
     * Reads the settings and the certificate, so that what is wrong with them can be told before
     * anything is started.
     *
     * @return where a receiver with these settings listens
     * @throws IOException if the certificate can't be had; the message says why
     * @throws IllegalArgumentException if a setting can't be served; the message names it
     */
    public static List<InetSocketAddress> check(InetSocketAddress listen, Settings settings)
            throws IOException {
        Limits.read(settings);
        Tls tls = Tls.read(settings);
        try {
            List<InetSocketAddress> addresses = addresses(listen, tls);
            RelayRules.read(settings, addresses);
            return addresses;
        } finally {
            if (tls != null) {
                tls.close();
            }
        }
    }

    private static List<InetSocketAddress> addresses(InetSocketAddress listen, @Nullable Tls tls) {
        InetSocketAddress tlsListen = tls == null ? null : tls.listen();
        return tlsListen == null ? List.of(listen) : List.of(listen, tlsListen);
    }

    /**
     * Does the same with rules of one's own.
     *
     * @param policy asked before commands and while content comes
     * @param recipients asked about each recipient before it is taken; null to ask nobody
     * @param clock tells when mail was received
     */
    public static SmtpReceiver start(
            InetSocketAddress listen,
            Intake intake,
            Settings settings,
            SmtpPolicy policy,
            @Nullable RecipientCheck recipients,
            InstantSource clock)
            throws IOException {
        Limits limits = Limits.read(settings);
        return start(
                listen, intake, settings, limits, Tls.read(settings), policy, recipients, clock);
    }

    /** Does the same with limits and TLS that were read before. */
    static SmtpReceiver start(
            InetSocketAddress listen,
            Intake intake,
            Settings settings,
            Limits limits,
            @Nullable Tls tls,
            SmtpPolicy policy,
            @Nullable RecipientCheck recipients,
            InstantSource clock)
            throws IOException {
        List<InetSocketAddress> addresses = addresses(listen, tls);
        RelayRules relaying = RelayRules.read(settings, addresses);
        Service service = new Service(
                intake,
                Peers.of(limits),
                new SmtpCounters(),
                limits,
                relaying,
                policy,
                recipients,
                clock,
                tls);
        boolean epoll = Epoll.isAvailable();
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                limits.eventLoops(),
                new DefaultThreadFactory("smtp", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        // Closes what is added after it was closed, so that no connection slips past a stop.
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        SmtpReceiver receiver = new SmtpReceiver(service, loops, connections);
        boolean started = false;
        try {
            for (InetSocketAddress address : addresses) {
                receiver.listen(address, !receiver.listeners.isEmpty());
            }
            started = true;
            if (tls != null) {
                tls.warnOfOpenKey();
            }
            LOG.debug("scans text by {}", DataDecoder.BEST_SCAN.description());
            return receiver;
        } finally {
            if (!started) {
                receiver.kill();
            }
        }
    }

    private void listen(InetSocketAddress address, boolean secure) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(
                        Epoll.isAvailable()
                                ? EpollServerSocketChannel.class
                                : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.ALLOCATOR, BufferPool.allocator())
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new ReceiveBuffers())
                .childHandler(new Acceptor(secure))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Throwable cause = bound.cause();
            throw new IOException(
                    "cannot listen on " + NetUtil.toSocketAddressString(address) + ": "
                            + cause.getMessage(),
                    cause);
        }
        listeners.add(bound.channel());
    }

    /** {@return where it listens, with the port that was picked} */
    public InetSocketAddress address() {
        return (InetSocketAddress) listeners.getFirst().localAddress();
    }

    /** {@return where it speaks TLS from the first octet, with the port that was picked, if it does} */
    public Optional<InetSocketAddress> tlsAddress() {
        return listeners.size() < 2
                ? Optional.empty()
                : Optional.of((InetSocketAddress) listeners.getLast().localAddress());
    }

    /**
     * {@return whether mail is taken for no recipient at all} So it is on an address other than
     * loopback unless the settings smtp.relay-from or smtp.accept-domains say for whom.
     */
    public boolean takesNothing() {
        return service.relaying().takesNothing();
    }

    /** {@return whether mail is taken from every client for anybody, as it is by default on loopback} */
    public boolean trustsEveryone() {
        return service.relaying().trustsEveryone();
    }

    /** {@return how many connections there may be at once} */
    public int connectionsMax() {
        return service.limits().connectionsMax();
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
        closeListeners();
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
        end();
    }

    /** Cuts all connections without a word, as the end of the process would. */
    public void kill() {
        closeListeners();
        connections.close().awaitUninterruptibly();
        end();
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    private void closeListeners() {
        for (Channel listener : listeners) {
            listener.close().awaitUninterruptibly();
        }
    }

    private void end() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        Tls tls = service.tls();
        if (tls != null) {
            tls.close();
        }
    }

    /** Takes a connection, or turns it away. Event loops call it. */
    private final class Acceptor extends ChannelInitializer<Channel> {
        private final boolean secure;

        Acceptor(boolean secure) {
            this.secure = secure;
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
            Peers.Admission admission = admission(channel);
            Peers.Address address = admission.address();
            if (address != null) {
                channel.closeFuture()
                        .addListener(closed -> service.peers().leave(address, System.nanoTime()));
                begin(channel, address);
            } else if (admission.tooOften()) {
                turnAway(channel, Reply.TOO_OFTEN_FROM_ADDRESS, counters.addressRateRefused);
            } else {
                turnAway(channel, Reply.TOO_MANY_OF_ADDRESS, counters.addressConnectionsRefused);
            }
        }

        private void begin(Channel channel, Peers.Address address) {
            Tls tls = service.tls();
            if (secure && tls != null) {
                SslHandler handler = tls.handler(channel.alloc());
                if (handler == null) {
                    service.counters().tlsFailures.increment();
                    var unused = channel.close();
                    return;
                }
                channel.pipeline().addLast(handler);
            }
            service.counters().connectionsOpened.increment();
            connections.add(channel);
            channel.pipeline().addLast(new Connection(service, address, secure));
        }

        private Peers.Admission admission(Channel channel) {
            // A peer that has gone again by now has no address, and nothing to limit.
            return channel.remoteAddress() instanceof InetSocketAddress from
                            && from.getAddress() != null
                    ? service.peers().admit(from.getAddress(), System.nanoTime())
                    : new Peers.Admission(service.peers().unlimited(), false);
        }

        private void turnAway(Channel channel, Reply reply, LongAdder counter) {
            counter.increment();
            if (secure) {
                // The words could only be read after a handshake, which is what it would have cost.
                var unused = channel.close();
                return;
            }
            channel.writeAndFlush(Unpooled.wrappedBuffer(reply.line()))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }
}
