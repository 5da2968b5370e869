package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Proves that the lanes of an open loop share what is due, and that a driver which is late says so of
 * every message: one lane's only connection is held up by the server, and a loop is held up while
 * replies arrive.
 */
@Timeout(60)
class LaneTest {
    private static final Duration HELD_UP = Duration.ofMillis(400);
    private static final int CONNECTIONS = 4;

    @Test
    void takesOverWhatAnotherLaneHasNoConnectionFor() throws Exception {
        try (HalfStuckServer server = new HalfStuckServer()) {
            LoadPlan plan = plan(server.address(), 2, 2, 200);
            TargetProbe.Announced announced =
                    new TargetProbe.Announced("", false, false, false, null, null, null);
            try (MessageSet messages = messages(plan, announced);
                    LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
                driver.begin();
                // The stuck lane's half of 200 a second would be overdue as fast as the rest is
                // sent.
                await().atMost(Duration.ofSeconds(30)).until(() -> {
                    LoadSnapshot now = driver.snapshot();
                    return now.accepted() >= 100 && now.overdue() <= now.accepted() / 4;
                });
                driver.stop(Duration.ofMillis(1));
                LoadSnapshot stopped = driver.snapshot();
                assertThat(stopped.sent()).isGreaterThan(stopped.accepted());
            }
        }
    }

    @Test
    void notesOfEveryMessageHowLateItWas() throws Exception {
        SinkServer.Behaviour slow = new SinkServer.Behaviour(Duration.ofMillis(20), 0, 0, false);
        try (SinkServer sink = SinkServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), slow);
                EventLoopGroup group =
                        new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())) {
            LoadPlan plan = plan(sink.address(), CONNECTIONS, 1, 150);
            TargetProbe.Announced announced = TargetProbe.ask(plan);
            CountDownLatch ready = new CountDownLatch(CONNECTIONS);
            CountDownLatch finished = new CountDownLatch(1);
            SendSchedule schedule = new SendSchedule((Pace.OpenLoop) plan.pace());
            try (MessageSet messages = messages(plan, announced)) {
                Lane lane = new Lane(
                        plan,
                        messages,
                        group.next(),
                        schedule,
                        messages.numbers(0),
                        finished::countDown);
                Bootstrap bootstrap = new Bootstrap()
                        .channel(NioSocketChannel.class)
                        .remoteAddress(plan.target());
                lane.loop.execute(() -> {
                    for (int i = 0; i < CONNECTIONS; i++) {
                        lane.opened();
                        new LoadConnection(lane, bootstrap, true, List.of(), ready::countDown)
                                .connect();
                    }
                });
                ready.await();
                schedule.begin(System.nanoTime());
                lane.loop.execute(lane::begin);
                awaitAccepted(lane, 50);
                // Whatever is under way is answered meanwhile: the loop finds those replies first.
                lane.loop.execute(() -> LockSupport.parkNanos(HELD_UP.toNanos()));
                awaitAccepted(lane, lane.accepted.sum() + 100);
                lane.loop.execute(lane::stop);
                finished.await();
                Histogram lateness = lane.lateness.getIntervalHistogram();
                assertThat(lateness.getTotalCount()).isEqualTo(lane.sent.sum());
                assertThat(lateness.getMaxValue()).isGreaterThan(HELD_UP.toNanos() / 2);
                // 60 messages became due meanwhile; most of them were late by more than this.
                long late = lateness.getTotalCount()
                        - lateness.getCountBetweenValues(0, TimeUnit.MILLISECONDS.toNanos(50));
                assertThat(late).isGreaterThan(30);
            }
        }
    }

    private static void awaitAccepted(Lane lane, long messages) {
        while (lane.accepted.sum() < messages) {
            Thread.onSpinWait();
        }
    }

    private static MessageSet messages(LoadPlan plan, TargetProbe.Announced announced) {
        return MessageSet.generate(
                1_000, new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x"), plan, announced);
    }

    private static LoadPlan plan(
            InetSocketAddress target, int connections, int threads, double rate) {
        return LoadPlan.of(
                        target,
                        connections,
                        new Pace.OpenLoop(rate, Arrivals.FIXED, 1),
                        Transfer.DATA,
                        "a@x",
                        "b@x")
                .on(threads);
    }

    /** Takes mail on all connections but the one whose first message comes first: that it never answers. */
    private static final class HalfStuckServer implements AutoCloseable {
        private final ServerSocket listening =
                new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        private final AtomicBoolean stuck = new AtomicBoolean();
        private final List<Socket> peers = new ArrayList<>();
        private final Thread accepting = Thread.ofVirtual().start(this::accept);

        HalfStuckServer() throws IOException {}

        InetSocketAddress address() {
            return (InetSocketAddress) listening.getLocalSocketAddress();
        }

        private void accept() {
            while (true) {
                try {
                    Socket peer = listening.accept();
                    peers.add(peer);
                    Thread.ofVirtual().start(() -> serve(peer));
                } catch (IOException e) {
                    // Closed: the test is over.
                    return;
                }
            }
        }

        private void serve(Socket peer) {
            try {
                OutputStream out = peer.getOutputStream();
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(peer.getInputStream(), US_ASCII));
                out.write("220 mail.example\r\n".getBytes(US_ASCII));
                boolean content = false;
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    if (content && !line.equals(".")) {
                        continue;
                    }
                    if (content && stuck.compareAndSet(false, true)) {
                        return;
                    }
                    content = line.equals("DATA");
                    out.write((content ? "354 go\r\n" : "250 ok\r\n").getBytes(US_ASCII));
                }
            } catch (IOException e) {
                // The driver has gone.
            }
        }

        @Override
        public void close() throws Exception {
            listening.close();
            accepting.join();
            for (Socket peer : peers) {
                peer.close();
            }
        }
    }
}
