package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
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
        AtomicBoolean stuck = new AtomicBoolean();
        // Takes mail on all connections but the one whose first message comes first: that it never
        // answers.
        PlayedServer.Dialogue halfStuck =
                line -> line.equals(".") && stuck.compareAndSet(false, true)
                        ? null
                        : line.equals("DATA") ? "354 go" : "250 ok";
        try (PlayedServer server = new PlayedServer("220 mail.example", () -> halfStuck)) {
            LoadSnapshot stopped =
                    Loads.run(Loads.plan(server.address(), 2, 200.0, 0), 1_000, driver -> {
                        // The stuck lane's half of 200 a second would be overdue as fast as the
                        // rest is
                        // sent.
                        await().atMost(Loads.WAIT).until(() -> {
                            LoadSnapshot now = driver.snapshot();
                            return now.accepted() >= 100 && now.overdue() <= now.accepted() / 4;
                        });
                        driver.stop(Duration.ofMillis(1));
                        return driver.snapshot();
                    });
            assertThat(stopped.sent()).isGreaterThan(stopped.accepted());
        }
    }

    @Test
    void notesOfEveryMessageHowLateItWas() throws Exception {
        SinkServer.Behaviour slow = new SinkServer.Behaviour(Duration.ofMillis(20), 0, 0, false);
        try (SinkServer sink = SinkServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), slow);
                EventLoopGroup group =
                        new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())) {
            LoadPlan plan = Loads.plan(sink.address(), CONNECTIONS, 150.0, 0).on(1);
            TargetProbe.Announced announced = TargetProbe.ask(plan);
            CountDownLatch ready = new CountDownLatch(CONNECTIONS);
            CountDownLatch finished = new CountDownLatch(1);
            SendSchedule schedule = new SendSchedule((Pace.OpenLoop) plan.pace());
            try (MessageSet messages = Loads.messages(1_000, plan, announced)) {
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
}
