package org.hubmark.bench.machine.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proves how many times a percentile takes, and that one of fewer is none. */
class PercentileTest {
    @ParameterizedTest
    @CsvSource({"50, 1", "95, 20", "99, 100", "99.9, 1000"})
    void aPercentileHasOneAboveIt(double percent, int least) {
        assertThat(Percentile.samplesMin(percent)).isEqualTo(least);
        Histogram times = new Histogram(3);
        for (int i = 1; i < least; i++) {
            times.recordValue(i);
        }
        assertThat(Percentile.of(times, percent)).isNaN();
        assertThat(Percentile.millis(times, percent)).isNull();
        times.recordValue(2000);
        assertThat(Percentile.of(times, percent)).isFinite();
        assertThat(least == 1 || Percentile.of(times, percent) < 2000).isTrue();
    }
}
