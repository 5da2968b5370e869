package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.mail.document.Step;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Proves that what is measured is parted where the rate changes, on numbers that can be checked by
 * hand; and that a ramp has slices of the rate, and a steady rate none.
 */
class StepMeterTest {
    private static final Offset<Double> CLOSE = within(1e-9);
    private static final long SECOND = 1_000_000_000L;

    @Test
    void aRateThatDoesNotChangeHasNoSteps() {
        assertThat(Slice.of(new Pace.ClosedLoop())).isEmpty();
        assertThat(Slice.of(Pace.OpenLoop.of(500, Arrivals.FIXED, 1))).isEmpty();
        StepMeter meter = new StepMeter(Pace.OpenLoop.of(500, Arrivals.FIXED, 1), 2);
        meter.begin(0, snapshot(0, 0, 0));
        assertThat(meter.untilEnd(7)).isEqualTo(7);
        meter.sample(snapshot(SECOND, 10, 0), latencies(1), latencies(1));
        assertThat(meter.end()).isEmpty();
        assertThat(meter.step()).isZero();
        assertThat(meter.words()).isEmpty();
    }

    @Test
    void aRampIsCutIntoTenthsOfTheRateButNoneUnderASecond() {
        List<Slice> slices = Slice.of(pace("1000..5000/60s,5000/10s"));
        assertThat(slices).hasSize(11);
        assertThat(slices.getFirst()).isEqualTo(new Slice(1, 1000, 1400, 6 * SECOND));
        assertThat(slices.get(9)).isEqualTo(new Slice(10, 4600, 5000, 60 * SECOND));
        assertThat(slices.getLast()).isEqualTo(new Slice(11, 5000, 5000, 70 * SECOND));
        assertThat(slices.getFirst().ratePerSecond()).isEqualTo(1200);
        assertThat(Slice.of(pace("100..50/3500ms"))).hasSize(3);
        assertThat(Slice.of(pace("100..50/300ms"))).hasSize(1);
    }

    @Test
    void eachStepCountsWhatHappenedInItsTime() {
        StepMeter meter = new StepMeter(pace("100/2s,200/2s"), 2);
        // The stages begin a little before the first reading.
        meter.begin(4 * SECOND, snapshot(4 * SECOND + 1000, 1_000, 0));
        assertThat(meter.step()).isEqualTo(1);
        assertThat(meter.untilEnd(5 * SECOND)).isEqualTo(5 * SECOND);
        meter.sample(snapshot(5 * SECOND, 1_100, 0), latencies(1_000_000), latencies(900_000));
        assertThat(meter.untilEnd(7 * SECOND)).isEqualTo(6 * SECOND);
        meter.sample(
                snapshot(6 * SECOND + 1000, 1_200, 0), latencies(3_000_000), latencies(2_000_000));
        assertThat(meter.step()).isEqualTo(2);
        assertThat(meter.words()).isEqualTo("2/2 200/s: ");
        // The last step goes on until the measured time is over.
        assertThat(meter.untilEnd(99 * SECOND)).isEqualTo(99 * SECOND);
        meter.sample(snapshot(8 * SECOND + 1000, 1_500, 60), latencies(9_000_000), latencies(1));
        List<StepMeter.Stepped> steps = meter.end();
        assertThat(steps).hasSize(2);
        Step first = steps.getFirst().step();
        assertThat(first.asked().intendedMsgsPerS()).isEqualTo(100);
        assertThat(first.measuredS()).isEqualTo(2, CLOSE);
        assertThat(first.sentMsgsPerS()).isEqualTo(100, CLOSE);
        assertThat(first.throughputMsgsPerS()).isEqualTo(100, CLOSE);
        assertThat(first.shortfall().refusedMsgs()
                        + first.shortfall().failedMsgs()
                        + first.shortfall().overdueMsgs())
                .isZero();
        assertThat(Objects.requireNonNull(first.latencies().acceptLatencyMs()).max())
                .isEqualTo(3, within(0.01));
        assertThat(Objects.requireNonNull(first.latencies().acceptLatencyUncorrectedMs())
                        .max())
                .isEqualTo(2, within(0.01));
        Step second = steps.getLast().step();
        assertThat(second.sentMsgsPerS()).isEqualTo(150, CLOSE);
        assertThat(second.throughputMsgsPerS()).isEqualTo(150 - 30, CLOSE);
        assertThat(second.shortfall().refusedMsgs()).isEqualTo(60);
        assertThat(second.shortfall().overdueMsgs()).isEqualTo(120);
        assertThat(Objects.requireNonNull(second.latencies().acceptLatencyMs()).p50())
                .isEqualTo(9, within(0.01));
    }

    @Test
    void aStepThatWasMissedIsLeftOut() {
        StepMeter meter = new StepMeter(pace("100/1s,200/1s,300/1s"), 2);
        meter.begin(0, snapshot(0, 0, 0));
        meter.sample(snapshot(2 * SECOND + 1, 300, 0), latencies(1), latencies(1));
        meter.sample(snapshot(3 * SECOND, 600, 0), latencies(1), latencies(1));
        assertThat(meter.end()).extracting(one -> one.step().step()).containsExactly(1, 3);
    }

    @Test
    void ofRepeatsThereAreMediansSumsAndAllLatenciesTogether() {
        StepMedians medians = new StepMedians();
        for (int repeat = 1; repeat <= 3; repeat++) {
            StepMeter meter = new StepMeter(pace("100/1s,200/1s"), 2);
            meter.begin(0, snapshot(0, 0, 0));
            meter.sample(
                    snapshot(SECOND, 90 + 10 * repeat, repeat),
                    latencies(repeat * 1_000_000L),
                    latencies(1));
            medians.add(meter.end());
        }
        assertThat(medians.steps()).hasSize(1);
        Step step = medians.steps().getFirst();
        assertThat(step.sentMsgsPerS()).isEqualTo(110, CLOSE);
        assertThat(step.throughputMsgsPerS()).isEqualTo(108, CLOSE);
        assertThat(step.shortfall().refusedMsgs()).isEqualTo(6);
        assertThat(step.shortfall().overdueMsgs()).isEqualTo(6);
        assertThat(Objects.requireNonNull(step.latencies().acceptLatencyMs()).p50())
                .isEqualTo(2, within(0.01));
        assertThat(step.serverCpuUsPerMsg()).isNull();
    }

    private static Pace pace(String text) {
        return Pace.parse(text, Duration.ofSeconds(10), Arrivals.FIXED, 1);
    }

    private static Histogram latencies(long nanos) {
        Histogram histogram = new Histogram(3);
        histogram.recordValue(nanos);
        return histogram;
    }

    /** Refused are a part of the sent; twice as many wait. */
    private static Snapshot snapshot(long nanos, long sent, long refused) {
        LoadSnapshot load =
                new LoadSnapshot(sent, sent - refused, 0, refused, 0, 0, 2 * refused, 0, null);
        return new Snapshot(
                nanos, load, 0, MachineReading.UNKNOWN, null, null, null, null, null, null);
    }
}
