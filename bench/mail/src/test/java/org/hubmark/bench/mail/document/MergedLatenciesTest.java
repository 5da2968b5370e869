package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** Proves that merged files have the percentiles of one file that had recorded everything. */
class MergedLatenciesTest {
    private static final long SEED = 11;
    private static final long START = 1_700_000_000_000L;

    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Histogram all = new Histogram(1_000, 3_600_000_000_000L, 3);

    @Test
    void mergesExactly() throws IOException {
        Path one = log("one.hlog", START, 10, 1_000);
        Path two = log("two.hlog", START + 500, 10, 3_000);
        MergedLatencies merged = MergedLatencies.read(List.of(one, two));
        assertThat(merged.latencies().getTotalCount()).isEqualTo(40_000);
        for (double percentile : new double[] {0, 10, 50, 95, 99, 99.9, 99.99, 100}) {
            long expected = all.getValueAtPercentile(percentile);
            assertThat(all.valuesAreEquivalent(
                            merged.latencies().getValueAtPercentile(percentile), expected))
                    .as("seed %s, p%s", SEED, percentile)
                    .isTrue();
        }
        assertThat(Objects.requireNonNull(merged.uncorrected()).getTotalCount()).isEqualTo(20);
        assertThat(merged.ratePerSecond()).isCloseTo(4_000, within(0.1));
        assertThat(merged.together()).isCloseTo(9.5 / 10.5, within(1e-6));
    }

    @Test
    void saysWhatIsWrongWithAFile() throws IOException {
        Path letter = Files.writeString(folder.resolve("letter"), "dear\n");
        for (Path file : List.of(letter, folder.resolve("none"))) {
            assertThatThrownBy(() -> MergedLatencies.read(List.of(file)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("--merge " + file);
        }
    }

    /** A message a second has an uncorrected latency too. */
    private Path log(String name, long start, int seconds, int eachSecond) throws IOException {
        Path file = folder.resolve(name);
        HistogramLogWriter writer = new HistogramLogWriter(file.toFile());
        writer.outputLogFormatVersion();
        writer.outputStartTime(start);
        writer.setBaseTime(start);
        writer.outputLegend();
        for (int second = 0; second < seconds; second++) {
            Histogram interval = interval(start, second, "scenarios.1.1.latencies");
            for (int i = 0; i < eachSecond; i++) {
                long nanos = Math.round(Math.exp(random.nextDouble(8, 20)));
                interval.recordValue(nanos);
                all.recordValue(nanos);
            }
            writer.outputIntervalHistogram(interval);
            Histogram uncorrected = interval(start, second, "scenarios.1.1.uncorrected_latencies");
            uncorrected.recordValue(5_000);
            writer.outputIntervalHistogram(uncorrected);
        }
        writer.close();
        return file;
    }

    private static Histogram interval(long start, int second, String tag) {
        Histogram interval = new Histogram(1_000, 3_600_000_000_000L, 3);
        interval.setStartTimeStamp(start + second * 1_000L);
        interval.setEndTimeStamp(start + second * 1_000L + 1_000);
        interval.setTag(tag);
        return interval;
    }
}
