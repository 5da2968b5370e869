package org.hubmark.bench.qualify.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.statistics.Interval;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * Proves on samples made by hand that a load is steady by the rule of SNIA where its read latency is, and in a
 * closed loop its rate too; and that the interval of the drift holds the drift that was put in.
 */
class ReadLatencyTrendTest {
    private static final double SECOND = 1e9;
    private static final double SAMPLE_S = 15;

    /** Two instances, of which each does the same. */
    private static Repeat phase(
            String loop, int samples, IntToDoubleFunction readMs, IntToDoubleFunction reads) {
        List<Repeat> all = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            all.add(Repeat.counted()
                    .count(InstanceFigures.AT_NS, (i + 1) * SAMPLE_S * SECOND)
                    .count(IoCounter.DB_READS.counter(), reads.applyAsDouble(i))
                    .count(
                            IoCounter.DB_READ_NS.counter(),
                            readMs.applyAsDouble(i) * 1e6 * reads.applyAsDouble(i))
                    .count(IoCounter.DB_WRITES.counter(), reads.applyAsDouble(i))
                    .made());
        }
        return Repeat.counted()
                .name(PhaseFigures.LOOP, loop)
                .count(PhaseFigures.THREADS, 1)
                .count(PhaseFigures.INTERVAL_NS, SAMPLE_S * SECOND)
                .count(InstanceFigures.COLLECTION_NS, samples * SAMPLE_S * SECOND)
                .parts(
                        InstanceFigures.INSTANCES,
                        List.of(
                                Repeat.counted().samples(all).made(),
                                Repeat.counted().samples(all).made()))
                .made();
    }

    @Test
    void fiveWindowsOfAMinuteAreSteadyOrNot() {
        ReadLatencyTrend even = ReadLatencyTrend.of(phase("open", 20, i -> 5, i -> 150));
        assertThat(even.steady()).isTrue();
        assertThat(even.steadyWords())
                .isEqualTo("steady by the rule of SNIA: five windows of 60 s: database reads of"
                        + " 5.000 ms within 0.0 % and a slope of 0.0 %");
        // From 5 to 6 ms, and one window a fifth slower than the others.
        assertThat(ReadLatencyTrend.of(phase("open", 20, i -> 5 + i / 20.0, i -> 150))
                        .steady())
                .isFalse();
        assertThat(ReadLatencyTrend.of(phase("open", 20, i -> i < 4 ? 6 : 5, i -> 150))
                        .steady())
                .isFalse();
    }

    @Test
    void aClosedLoopKeepsItsRateToo() {
        IntToDoubleFunction falling = i -> 300 - 5 * i;
        assertThat(ReadLatencyTrend.of(phase("open", 20, i -> 5, falling)).steady())
                .isTrue();
        ReadLatencyTrend closed = ReadLatencyTrend.of(phase("closed", 20, i -> 5, falling));
        assertThat(closed.steady()).isFalse();
        assertThat(closed.reason()).contains("ms within 0.0 %").contains("I/O a second within 1");
    }

    @Test
    void whatIsTooShortOrHadNoReadsIsNotKnown() {
        ReadLatencyTrend brief = ReadLatencyTrend.of(phase("open", 19, i -> 5, i -> 150));
        assertThat(brief.steady()).isNull();
        assertThat(brief.steadyWords()).isEmpty();
        assertThat(ReadLatencyTrend.of(phase("open", 20, i -> 5, i -> i < 4 ? 0 : 150))
                        .steady())
                .isNull();
        assertThat(ReadLatencyTrend.of(Repeat.counted().made()))
                .isEqualTo(new ReadLatencyTrend(null, null, null));
    }

    @Test
    void theIntervalHoldsTheDriftThatWasPutIn() {
        Random random = new Random(1);
        // A day, from 10 ms, 0.2 ms more each hour, with noise of 3 ms.
        ReadLatencyTrend day = ReadLatencyTrend.of(phase(
                "open",
                5760,
                i -> 10 + 0.2 * i * SAMPLE_S / 3600 + 3 * random.nextDouble(),
                i -> 99));
        Interval drift = day.drift();
        assertThat(drift).isNotNull();
        assertThat(drift.low()).isBetween(0.19, 0.202);
        assertThat(drift.high()).isBetween(0.198, 0.21).isGreaterThan(drift.low());
        assertThat(day.driftWords())
                .matches("95 % interval \\+0\\.\\d{3} to \\+0\\.\\d{3} msec an hour");
        // Fewer samples than windows are needed.
        assertThat(ReadLatencyTrend.of(phase("open", 4, i -> 5, i -> 150)).drift())
                .isNull();
    }
}
