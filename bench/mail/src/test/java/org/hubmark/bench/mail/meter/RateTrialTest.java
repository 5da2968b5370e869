package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.MachineReading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Proves what counts as sustained: two connections to a server that answers after 20 ms get through
 * 100 messages a second at most. In simulated time; RunSessionTest has a search of several
 * trials, and MatrixProcessTest one with a real driver.
 */
@Timeout(60)
class RateTrialTest {
    private static final Duration ANSWER = Duration.ofMillis(20);
    private static final int CONNECTIONS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** By the rate, the share that is refused and the limit of the latency: why it is not sustained. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30  | 0   | 5000 | ''
            400 | 0   | 5000 | mail that waits for a free connection grew by .*
            30  | 0   | 15   | p99 of the latency was .*
            30  | 100 | 5000 | .* were refused or failed
            """)
    void isSustainedBelowTheCapacityWithinTheLimitAndWithoutRefusals(
            double rate, double refusedPercent, int limitMillis, String words) throws Exception {
        for (SimulatedTime time : times()) {
            RateSearch.Answer found = simulated(
                            time, refusedPercent, Duration.ofMillis(limitMillis))
                    .at(rate);
            assertThat(found.sustained()).as("%s", time).isEqualTo(words.isEmpty());
            assertThat(found.words()).as("%s", time).matches(words);
        }
    }

    /** Two a second for 20 s would be 40 messages, which have no p99. */
    @Test
    void goesOnUntilThereIsA99thPercentile() throws Exception {
        SimulatedTime time = new SimulatedTime(1);
        assertThat(simulated(time, 0, PATIENCE).at(2)).isEqualTo(RateSearch.Answer.kept());
        assertThat(time.seconds()).isBetween(75.0, 80.0);
    }

    private static List<SimulatedTime> times() {
        return LongStream.rangeClosed(1, 20).mapToObj(SimulatedTime::new).toList();
    }

    private static RateTrial simulated(SimulatedTime time, double refusedPercent, Duration limit) {
        Pace.MaxSustained asked = new Pace.MaxSustained(limit, Arrivals.FIXED, 1);
        Measurement.LoadTimes unused =
                new Measurement.LoadTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO);
        return new RateTrial(
                pace -> new Flow(time, pace, CONNECTIONS, ANSWER).refusing(refusedPercent),
                new Instruments(null, () -> MachineReading.UNKNOWN, time),
                asked,
                new Measurement.Plan(1, "1KB", unused, asked, null, false, false, 2),
                RateTrial.Times.USUAL,
                Progress.SILENT);
    }
}
