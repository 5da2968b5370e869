package org.hubmark.bench.qualify.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Proves the shares of slow reads hour by hour, the rule of ACT at its edges, and the drift. */
class HoursTest {
    private static Histogram reads(int fast, int above1, int above8, int above64) {
        Histogram nanos = new Histogram(3);
        nanos.recordValueWithCount(500_000, fast);
        nanos.recordValueWithCount(2_000_000, above1);
        nanos.recordValueWithCount(20_000_000, above8);
        nanos.recordValueWithCount(80_000_000, above64);
        return nanos;
    }

    @Test
    void anHourKeepsTheRuleUpToItsEdges() {
        // Of 1,000 reads 50 may be above 1 ms, 10 of them above 8 ms, one of those above 64 ms.
        Hour kept = Hour.of(1, reads(950, 40, 9, 1));
        assertThat(kept.verdict()).isEqualTo(Verdict.PASS);
        assertThat(kept.over1MsPercent()).isCloseTo(5, within(1e-9));
        assertThat(kept.over8MsPercent()).isCloseTo(1, within(1e-9));
        assertThat(kept.over64MsPercent()).isCloseTo(0.1, within(1e-9));
        assertThat(Hour.of(1, reads(949, 41, 9, 1)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(Hour.of(1, reads(950, 39, 10, 1)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(Hour.of(1, reads(950, 40, 8, 2)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(Hour.of(1, new Histogram(3)).verdict()).isNull();
    }

    @Test
    void samplesGoToTheirHour() {
        Hours hours = new Hours();
        hours.add(0, reads(10, 0, 0, 0));
        hours.add(3599.9, reads(10, 0, 0, 0));
        hours.add(3600, reads(0, 7, 0, 0));
        assertThat(hours.hours()).extracting(Hour::hour).containsExactly(1, 2);
        assertThat(hours.hours()).extracting(Hour::dbReads).containsExactly(20L, 7L);
    }

    @Test
    void driftIsTheSlopeOfTheSamples() {
        List<Measured.Sample> samples = new ArrayList<>();
        for (int i = 0; i <= 240; i++) {
            // From 10 ms, 3 ms more each hour.
            double millis = 10 + 3 * i * 15 / 3600.0;
            samples.add(new Measured.Sample(
                    i * 15,
                    15,
                    new IoCounts(Map.of(
                            IoCounter.DB_READS,
                            100L,
                            IoCounter.DB_READ_NS,
                            Math.round(millis * 1e6 * 100)))));
        }
        assertThat(Hours.driftMsPerHour(samples)).isCloseTo(3, within(1e-3));
        assertThat(Hours.driftMsPerHour(samples.subList(0, 2))).isNull();
    }
}
