package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.MachineReading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

/** Proves that a rate which short trials found is judged again over the measured time. */
@Timeout(60)
class MeasurementTest {
    private static final Pace RATE = Pace.OpenLoop.of(100, Arrivals.FIXED, 1);
    private static final Pace.MaxSustained SEARCHED =
            new Pace.MaxSustained(Duration.ofMillis(250), Arrivals.FIXED, 1);

    @TempDir
    Path folder;

    @Test
    void theMeasuredTimeIsJudgedAsTheTrialsWere() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(measured(80, seed).notSustained())
                    .as("seed %s", seed)
                    .startsWith("mail that waits for a free connection grew by ");
            assertThat(measured(120, seed).notSustained()).as("seed %s", seed).isNull();
        }
    }

    /** {@return what a server shows that gets through so many a second} */
    private Measurement.Outcome measured(double capacity, long seed) throws Exception {
        SimulatedTime time = new SimulatedTime(seed);
        Duration operation = Duration.ofNanos(Math.round(1e9 / capacity));
        Measurement.Plan plan = new Measurement.Plan(
                "flow",
                1,
                "flow",
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofSeconds(BacklogTrend.SAMPLES_MIN),
                RATE,
                SEARCHED,
                false,
                false,
                null,
                2);
        HistogramLogWriter histograms =
                new HistogramLogWriter(folder.resolve("flow.hlog").toFile());
        try (Flow flow = new Flow(time, RATE, 1, operation);
                Samples samples = new Samples(folder.resolve("samples.csv"))) {
            Progress progress = new Progress(System.err, true);
            Instruments none = new Instruments(null, () -> MachineReading.UNKNOWN, time);
            return new Measurement(plan, flow, none, samples, histograms, progress).run();
        } finally {
            histograms.close();
        }
    }
}
