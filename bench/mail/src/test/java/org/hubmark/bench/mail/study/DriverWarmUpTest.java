package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageCost;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.mail.meter.Flow;
import org.hubmark.bench.mail.meter.SimulatedTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Proves that the driver sends what it is going to send, by the same transfer, before there
 * is any target; that it does so once; and, in simulated time, until a message costs no less.
 */
@Timeout(60)
class DriverWarmUpTest {
    private static final Duration MAX = Duration.ofMillis(200);

    private final AtomicInteger sinks = new AtomicInteger();

    @Test
    void sendsBeforeThereIsATargetAndOnce() throws Exception {
        for (Transfer transfer : Transfer.values()) {
            for (int run = 1; run <= 2; run++) {
                warmUp("test of " + transfer, transfer, MAX);
            }
        }
        warmUp("not wanted", Transfer.DATA, Duration.ZERO);
        assertThat(sinks).hasValue(Transfer.values().length);
    }

    /** Two times two seconds are compared, so that the cost has to be level for nearly that long. */
    @Test
    void endsWhenAMessageCostsNoLessOrItMayLastNoLonger() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(warmed(seed, seconds -> seconds < 7 ? 90_000 - 10_000 * seconds : 20_000))
                    .as("seed %s", seed)
                    .isBetween(9.0, 12.0);
            assertThat(warmed(seed, seconds -> 90_000 * Math.exp(-seconds / 10)))
                    .as("seed %s", seed)
                    .isBetween(30.0, 30.1);
        }
    }

    /** {@return how long it took, seconds} */
    private static double warmed(long seed, Flow.Cost cost) throws Exception {
        SimulatedTime time = new SimulatedTime(seed);
        try (Flow flow = new Flow(time, new Pace.ClosedLoop(), 1, Duration.ofMillis(1))) {
            flow.costing(cost).begin();
            DriverWarmUp.untilLevel(flow, Duration.ofSeconds(30), time);
            return time.seconds();
        }
    }

    /** By microseconds of a message in samples of 100; noise is not to warm for ever. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            90 60 40 30 30 30 30       | -
            90 60 40 30 30 30 30 30    | false
            90 31 30 30 31 30 29 30 30 | true
            30 30 30 30 27 28 28 28    | false
            30 30 30 30 40 40 40 40    | true
            """)
    void isLevelWhenAMessageCostsNoLess(String micros, @Nullable Boolean isLevel) {
        MessageCost cost = new MessageCost(0);
        for (String each : micros.split(" ", -1)) {
            cost.add(100, Long.parseLong(each) * 100_000);
        }
        assertThat(cost.isLevel(2)).isEqualTo(isLevel);
    }

    /** Its target does not exist, and its pace is none to warm up by. */
    private void warmUp(String title, Transfer transfer, Duration max) throws Exception {
        LoadPlan plan = LoadPlan.of(
                        InetSocketAddress.createUnresolved("nowhere.hubmark.example", 25),
                        3,
                        new Pace.OpenLoop(0.1, Arrivals.FIXED, 1),
                        transfer,
                        "a@x",
                        "b@x")
                .limited(3, 1)
                .by(ClientTls.trustingAll());
        MessageGenerator generator = new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x");
        try (MailSource source = new MailSource(plan, max, (to, server, at) -> {
            sinks.incrementAndGet();
            return MessageSet.generate(4_000, generator, to, server);
        })) {
            DriverWarmUp.run(source, title, max, Progress.SILENT, Clock.SYSTEM);
        }
    }
}
