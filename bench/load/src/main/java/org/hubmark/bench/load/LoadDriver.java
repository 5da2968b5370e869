package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Sends mail at a server and counts the answers. Connect with {@link #start}, then {@link #begin},
 * then {@link #stop} and {@link #close}.
 *
 * <p>Latency counts from the intended start of a message to the answer to its end. In an open loop
 * the intended starts are set by the clock whatever the server does ({@link Pace}); a message that has to wait for a
 * connection is late, and that is part of its latency. In a closed loop a message is intended to
 * start when the one before it on its connection was answered.
 *
 * <p>One thread calls; the sending is done by event loops of its own.
 */
public final class LoadDriver implements Workload {
    /**
     * All at once, they would overflow the backlog of a server that has a short one (OpenSMTPD: 5),
     * and the kernel repeats what was dropped after 1, 3, 7 and 15 seconds.
     */
    private static final Duration OPEN_EVERY = Duration.ofMillis(2);

    private static final int CONNECT_MILLIS = 5_000;
    /** Replies are short. */
    private static final int READ_BYTES = 2048;

    private final LoadPlan plan;
    private final EventLoopGroup group;
    private final List<Lane> lanes = new ArrayList<>();
    /** Null in a closed loop. */
    private final @Nullable SendSchedule schedule;

    private final List<LoadConnection> connections = new ArrayList<>();
    private final CountDownLatch ready;
    private final CountDownLatch finished;

    private LoadDriver(LoadPlan plan, MessageSet messages, TargetProbe.Announced server) {
        this.plan = plan;
        int threads = Math.min(plan.threads(), plan.connections());
        this.group = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("load", true), ioHandlers());
        this.ready = new CountDownLatch(plan.connections());
        this.finished = new CountDownLatch(threads);
        this.schedule = switch (plan.pace()) {
            case Pace.ClosedLoop closed -> null;
            case Pace.OpenLoop open -> new SendSchedule(open);
            case Pace.MaxSustained search ->
                throw new IllegalArgumentException("the rate has to be searched first");
        };
        MessageNumbers numbers = messages.numbers(plan.messagesMax());
        for (int i = 0; i < threads; i++) {
            EventLoop loop = group.next();
            lanes.add(new Lane(plan, messages, loop, schedule, numbers, finished::countDown));
        }
        Bootstrap bootstrap = bootstrap(server.address());
        boolean pipelining = plan.dialogue().pipelining() && server.pipelining();
        List<ByteBuf> login = login(plan.dialogue().auth(), server.mechanism());
        for (int i = 0; i < plan.connections(); i++) {
            Lane lane = lanes.get(i % threads);
            connections.add(
                    new LoadConnection(lane, bootstrap, pipelining, login, ready::countDown));
        }
    }

    /** On the heap, since nobody releases them: they are for as many connections as there will be. */
    private static List<ByteBuf> login(
            @Nullable ClientAuth auth, @Nullable SaslMechanism mechanism) {
        return auth == null || mechanism == null
                ? List.of()
                : auth.lines(mechanism).stream()
                        .map(line -> Unpooled.unreleasableBuffer(
                                Unpooled.wrappedBuffer((line + "\r\n").getBytes(US_ASCII))))
                        .toList();
    }

    /**
     * Opens all connections.
     *
     * @param messages stay the caller's, who closes them after the driver
     * @throws UserError when not all of them can be had
     */
    public static LoadDriver start(LoadPlan plan, MessageSet messages, TargetProbe.Announced server)
            throws InterruptedException {
        return start(plan, messages, server, TargetProbe.TIMEOUT);
    }

    static LoadDriver start(
            LoadPlan plan,
            MessageSet messages,
            TargetProbe.Announced server,
            Duration connectTimeout)
            throws InterruptedException {
        plan.requireFiles();
        if (plan.dialogue().transfer() == Transfer.BDAT && !server.chunking()) {
            throw UserError.failed("target " + plan.targetText()
                    + " doesn't announce CHUNKING, which --transfer bdat needs");
        }
        LoadDriver driver = new LoadDriver(plan, messages, server);
        try {
            driver.connect(connectTimeout);
        } catch (UserError | InterruptedException e) {
            driver.close();
            throw e;
        }
        return driver;
    }

    private void connect(Duration timeout) throws InterruptedException {
        for (int i = 0; i < connections.size(); i++) {
            Lane lane = lanes.get(i % lanes.size());
            LoadConnection connection = connections.get(i);
            Runnable open = () -> {
                lane.opened();
                connection.connect();
            };
            var unused = lane.loop.schedule(open, i * OPEN_EVERY.toNanos(), TimeUnit.NANOSECONDS);
        }
        Duration all = timeout.plus(OPEN_EVERY.multipliedBy(plan.connections()));
        if (!ready.await(all.toMillis(), TimeUnit.MILLISECONDS)) {
            String said = snapshot().firstRefusal();
            throw UserError.failed("target " + plan.targetText() + " takes only "
                    + (plan.connections() - ready.getCount()) + " of " + plan.connections()
                    + " connections"
                    + (said == null ? "" : ", and answers: " + said)
                    + "; give it fewer (--connections)");
        }
    }

    @Override
    public void audit(AcceptedMail accepted) {
        lanes.forEach(lane -> lane.audited = accepted);
    }

    @Override
    public void begin() {
        if (schedule != null) {
            schedule.begin(System.nanoTime());
        }
        lanes.forEach(lane -> lane.loop.execute(lane::begin));
    }

    @Override
    public LoadSnapshot snapshot() {
        long nowNanos = System.nanoTime();
        long cpuNanos = 0;
        String refusal = null;
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (Lane lane : lanes) {
            refusal = refusal == null ? lane.firstRefusal : refusal;
            cpuNanos += Math.max(0, threads.getThreadCpuTime(lane.threadId()));
        }
        return new LoadSnapshot(
                sum(lane -> lane.sent.sum()),
                sum(lane -> lane.accepted.sum()),
                sum(lane -> lane.acceptedBytes.sum()),
                sum(lane -> lane.refused.sum()),
                sum(lane -> lane.failed.sum()),
                sum(lane -> lane.connectionFailures.sum()),
                schedule == null ? 0 : schedule.overdue(nowNanos),
                cpuNanos,
                refusal);
    }

    /**
     * Takes the latencies of accepted messages. The latency from the actual send is the figure that
     * other tools report.
     */
    @Override
    public Latency takeLatencies() {
        return new Latency(take(lane -> lane.latencies), take(lane -> lane.uncorrected));
    }

    /**
     * Takes the lateness of each message of an open loop: the time for which it waited by the
     * driver's fault.
     */
    @Override
    public Histogram takeLateness() {
        return take(lane -> lane.lateness);
    }

    /** First the loops, so that what is under way and what is not sent don't wait for each other. */
    @Override
    public Open end() throws InterruptedException {
        if (schedule != null) {
            schedule.end();
        }
        Histogram intended = Lane.histogram();
        Histogram actual = Lane.histogram();
        long begun = 0;
        for (int i = 0; i < lanes.size(); i++) {
            int number = i;
            Lane lane = lanes.get(i);
            begun += lane.loop
                    .submit(() -> end(lane, number, intended, actual))
                    .sync()
                    .getNow();
        }
        if (schedule != null) {
            schedule.ages(System.nanoTime(), intended);
        }
        return new Open(begun, intended, actual);
    }

    /** {@return how many messages are under way} On the lane's loop, one lane after the other. */
    private long end(Lane lane, int number, Histogram intended, Histogram actual) {
        long nowNanos = System.nanoTime();
        long begun = 0;
        for (int i = number; i < connections.size(); i += lanes.size()) {
            begun += connections.get(i).age(nowNanos, intended, actual) ? 1 : 0;
        }
        lane.stop();
        return begun;
    }

    /** {@return the event loops} */
    @Override
    public int threads() {
        return lanes.size();
    }

    @Override
    public boolean awaitFinished(Duration timeout) throws InterruptedException {
        return finished.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void stop(Duration timeout) throws InterruptedException {
        lanes.forEach(lane -> lane.loop.execute(lane::stop));
        if (!awaitFinished(timeout)) {
            for (int i = 0; i < connections.size(); i++) {
                lanes.get(i % lanes.size()).loop.execute(connections.get(i)::abort);
            }
            awaitFinished(timeout);
        }
    }

    /** Closes what is still open and ends the event loops. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }

    private long sum(Function<Lane, Long> counter) {
        long total = 0;
        for (Lane lane : lanes) {
            total += counter.apply(lane);
        }
        return total;
    }

    private Histogram take(Function<Lane, SingleWriterRecorder> recorder) {
        Histogram all = Lane.histogram();
        all.setStartTimeStamp(Long.MAX_VALUE);
        for (Lane lane : lanes) {
            all.add(recorder.apply(lane).getIntervalHistogram());
        }
        return all;
    }

    /** Takes the address at which a server was reached, which counts for the one of its name and port. */
    private Bootstrap bootstrap(@Nullable InetSocketAddress reached) {
        InetSocketAddress target = plan.target();
        boolean isTarget = reached != null
                && reached.getPort() == target.getPort()
                && reached.getHostString().equals(target.getHostString());
        return new Bootstrap()
                .channel(channelType())
                .remoteAddress(
                        isTarget
                                ? reached
                                : new InetSocketAddress(target.getHostString(), target.getPort()))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES));
    }

    /** {@return by what a load is sent, and encrypted where it is: epoll, BoringSSL, say} */
    public static String means(boolean encrypted) {
        return (Epoll.isAvailable() ? "epoll" : "NIO")
                + (encrypted ? ", " + ClientTls.means() : "");
    }

    static IoHandlerFactory ioHandlers() {
        return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    private static Class<? extends SocketChannel> channelType() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }
}
