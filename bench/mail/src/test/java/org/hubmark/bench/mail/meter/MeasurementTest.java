package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.mail.document.Case;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;

/** Proves that a driver and a server that stand still are seen. RunSessionTest has a rate that was searched. */
@Timeout(60)
class MeasurementTest {
    private static final Pace RATE = new Pace.OpenLoop(100, Arrivals.FIXED, 1);
    private static final Duration MEASURED = Duration.ofSeconds(SustainedRule.SAMPLES_MIN);

    /** At a rate its messages are late; in a closed loop there are only fewer of them. */
    @Test
    void aDriverThatStoodStillIsSeenInAClosedLoop() throws Exception {
        Pace loop = new Pace.ClosedLoop();
        SimulatedTime time = new SimulatedTime(1);
        assertThat(reasons(measured(time, flow(time, loop, 100), loop, MEASURED)))
                .isEmpty();
        Flow stopped = flow(time, loop, 100).stopped(Duration.ofSeconds(3));
        Measurement.Outcome stood = measured(time, stopped, loop, MEASURED);
        assertThat(reasons(stood))
                .singleElement(STRING)
                .startsWith("the driver stood still for 3.0 s of the measured time");
        assertThat(stood.repeat().validity().cases()).containsExactly(Case.STOPPED);
    }

    /** RFC 5321, section 4.5.3.2.6: no client waits longer for an answer. */
    @Test
    void aLoadOfANumberOfMessagesEndsWhereTheServerFallsSilent() throws Exception {
        for (Pace pace : List.of(new Pace.ClosedLoop(), RATE)) {
            SimulatedTime time = new SimulatedTime(1);
            Flow silent = flow(time, pace, 200).silentAfter(5);
            assertThat(reasons(measured(time, silent, pace, Measurement.UNTIL_FINISHED)))
                    .contains("1 messages failed: no answer came");
            assertThat(time.seconds()).isBetween(600.0, 660.0);
        }
    }

    /** {@return a server that gets through so many a second} */
    private static Flow flow(SimulatedTime time, Pace pace, double capacity) {
        return new Flow(time, pace, 1, Duration.ofNanos(Math.round(1e9 / capacity)));
    }

    private static List<String> reasons(Measurement.Outcome outcome) {
        return outcome.repeat().validity().reasons();
    }

    private static Measurement.Outcome measured(
            SimulatedTime time, Flow work, Pace pace, Duration duration) throws Exception {
        Measurement.Plan plan = new Measurement.Plan(
                1,
                "flow",
                new Measurement.LoadTimes(Duration.ZERO, Duration.ZERO, duration),
                pace,
                null,
                false,
                false,
                2);
        try (Flow flow = work) {
            Instruments none = new Instruments(null, () -> MachineReading.UNKNOWN, time);
            return new Measurement(plan, flow, none, new Series(Samples.KEYS), Progress.SILENT)
                    .run();
        }
    }
}
