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
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that the driver sends what it is going to send, by the same transfer, before there
 * is any target; that it does so once; and, in simulated time, until a message costs no less.
 */
@Timeout(60)
class DriverWarmUpTest {
    private static final Duration MAX = Duration.ofMillis(200);

    @Test
    void sendsBeforeThereIsATarget() throws Exception {
        for (Transfer transfer : Transfer.values()) {
            String title = "test of " + transfer;
            assertThat(phases(title, transfer, MAX)).as(title).hasSize(1);
            assertThat(phases(title, transfer, MAX)).as("it is warm").isEmpty();
        }
        assertThat(phases("not wanted", Transfer.DATA, Duration.ZERO)).isEmpty();
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

    /** {@return what a warm-up says that it does; nothing where it does nothing} */
    private static List<String> phases(String title, Transfer transfer, Duration max)
            throws Exception {
        List<String> phases = new ArrayList<>();
        Progress progress = new Progress() {
            @Override
            public void phase(String name, Duration time) {
                phases.add(name);
            }

            @Override
            public void note(String line) {}
        };
        try (MailSource source = source(transfer, max)) {
            DriverWarmUp.run(source, title, max, progress, Clock.SYSTEM);
        }
        return phases;
    }

    /** Its target does not exist, and its pace is none to warm up by. */
    private static MailSource source(Transfer transfer, Duration max) {
        LoadPlan plan = LoadPlan.of(
                        InetSocketAddress.createUnresolved("nowhere.hubmark.example", 25),
                        3,
                        new Pace.OpenLoop(0.1, Arrivals.FIXED, 1),
                        transfer,
                        "a@x",
                        "b@x")
                .limited(3, 1)
                .by(ClientTls.trustingAll());
        return new MailSource(
                plan,
                max,
                (to, server, at) -> MessageSet.generate(
                        4_000, new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x"), to, server));
    }
}
