package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MadeResults;
import org.hubmark.bench.mail.document.MailDocument;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        StepMeter meter =
                new StepMeter(Pace.OpenLoop.of(500, Arrivals.FIXED, 1), 2, 0, snapshot(0, 0, 0));
        assertThat(meter.untilEnd(7)).isEqualTo(7);
        meter.sample(snapshot(SECOND, 10, 0), new TakenLatencies(latencies(1), latencies(1)));
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
        // The stages begin a little before the first reading.
        StepMeter meter = new StepMeter(
                pace("100/2s,200/2s"), 2, 4 * SECOND, snapshot(4 * SECOND + 1000, 1_000, 0));
        assertThat(meter.step()).isEqualTo(1);
        assertThat(meter.untilEnd(5 * SECOND)).isEqualTo(5 * SECOND);
        meter.sample(
                snapshot(5 * SECOND, 1_100, 0),
                new TakenLatencies(latencies(1_000_000), latencies(900_000)));
        assertThat(meter.untilEnd(7 * SECOND)).isEqualTo(6 * SECOND);
        meter.sample(
                snapshot(6 * SECOND + 1000, 1_200, 0),
                new TakenLatencies(latencies(3_000_000), latencies(2_000_000)));
        assertThat(meter.step()).isEqualTo(2);
        assertThat(meter.words()).isEqualTo("2/2 200/s: ");
        // The last step goes on until the measured time is over.
        assertThat(meter.untilEnd(99 * SECOND)).isEqualTo(99 * SECOND);
        meter.sample(
                snapshot(8 * SECOND + 1000, 1_500, 60),
                new TakenLatencies(latencies(9_000_000), latencies(1)));
        List<Repeat> steps = meter.end();
        assertThat(steps).hasSize(2);
        Repeat first = steps.getFirst();
        assertThat(first.number(MailDocument.INTENDED)).isEqualTo(100);
        assertThat(Figure.MEASURED_S.value(first)).isEqualTo(2, CLOSE);
        assertThat(Figure.SENT_MSGS_PER_S.value(first)).isEqualTo(100, CLOSE);
        assertThat(Figure.THROUGHPUT_MSGS_PER_S.value(first)).isEqualTo(100, CLOSE);
        assertThat(first.count(Counters.REFUSED_MSGS) + Figure.OVERDUE.value(first))
                .isZero();
        assertThat(first.times(Figure.ACCEPT).getMaxValue() / 1e6).isEqualTo(3, within(0.01));
        assertThat(first.times(Figure.UNCORRECTED).getMaxValue() / 1e6).isEqualTo(2, within(0.01));
        Repeat second = steps.getLast();
        assertThat(Figure.SENT_MSGS_PER_S.value(second)).isEqualTo(150, CLOSE);
        assertThat(Figure.THROUGHPUT_MSGS_PER_S.value(second)).isEqualTo(150 - 30, CLOSE);
        assertThat(second.count(Counters.REFUSED_MSGS)).isEqualTo(60);
        assertThat(Figure.OVERDUE.value(second)).isEqualTo(120);
        assertThat(second.times(Figure.ACCEPT).getMaxValue() / 1e6).isEqualTo(9, within(0.01));
    }

    @Test
    void aStepThatWasMissedIsLeftOut() {
        StepMeter meter = new StepMeter(pace("100/1s,200/1s,300/1s"), 2, 0, snapshot(0, 0, 0));
        meter.sample(
                snapshot(2 * SECOND + 1, 300, 0), new TakenLatencies(latencies(1), latencies(1)));
        meter.sample(snapshot(3 * SECOND, 600, 0), new TakenLatencies(latencies(1), latencies(1)));
        assertThat(meter.end())
                .extracting(one -> one.name(MailDocument.STEP))
                .containsExactly("1", "3");
    }

    @Test
    void ofRepeatsThereAreMediansSumsAndAllLatenciesTogether() {
        List<Repeat> repeats = new ArrayList<>();
        for (int repeat = 1; repeat <= 3; repeat++) {
            StepMeter meter = new StepMeter(pace("100/1s,200/1s"), 2, 0, snapshot(0, 0, 0));
            meter.sample(
                    snapshot(SECOND, 90 + 10 * repeat, repeat),
                    new TakenLatencies(latencies(repeat * 1_000_000L), latencies(1)));
            repeats.add(MadeResults.repeat(repeat)
                    .parts(MailDocument.STEPS, meter.end())
                    .made());
        }
        Table steps =
                MadeResults.scenario("57kb", 57, Conditions.UNKNOWN, repeats).steps();
        assertThat(steps.rows()).hasSize(1);
        assertThat(of(steps, Figure.SENT_MSGS_PER_S)).isEqualTo(110, CLOSE);
        assertThat(of(steps, Figure.THROUGHPUT_MSGS_PER_S)).isEqualTo(108, CLOSE);
        Column refused = MailDocument.STEPS.columns().stream()
                .filter(column -> column.key().equals("refused_msgs"))
                .findFirst()
                .orElseThrow();
        assertThat(of(steps, refused)).isEqualTo(6);
        assertThat(of(steps, Figure.OVERDUE)).isEqualTo(4);
        assertThat(of(steps, Figure.ACCEPT_LATENCY.get(1))).isEqualTo(2, within(0.01));
        assertThat(of(steps, Figure.SERVER_CPU_US_PER_MSG)).isNaN();
    }

    private static double of(Table steps, Column figure) {
        return steps.estimate(steps.rows().getFirst(), figure).value();
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
        return new Snapshot(nanos, load, 0, MachineReading.UNKNOWN, null, Map.of(), Map.of(), null);
    }
}
