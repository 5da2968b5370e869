package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.compare.MailComparison;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.SimulatedTime;
import org.hubmark.bench.mail.report.MailReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Proves that whatever measures knows a workload and not mail: one of about twenty lines, which bumps a
 * counter, gets windows, repeats, intervals, the report with its self-check, and the comparison.
 */
@Timeout(60)
class WorkloadTest {
    @TempDir
    Path folder;

    private final SimulatedTime time = new SimulatedTime(1);

    /** Bumps a counter and rests, by turns. */
    private static final class Bumping implements Workload {
        private static final long BUMP_NANOS = 200_000;
        private final Clock time;
        private Histogram nanos = new Histogram(3);
        private long nextNanos = Long.MAX_VALUE;
        private long bumps;

        Bumping(Clock time) {
            this.time = time;
        }

        private void bump() {
            for (; nextNanos <= time.nanos(); nextNanos += BUMP_NANOS) {
                nanos.recordValue(BUMP_NANOS);
                bumps++;
            }
        }

        @Override
        public void begin() {
            nextNanos = time.nanos() + BUMP_NANOS;
        }

        @Override
        public LoadSnapshot snapshot() {
            bump();
            return new LoadSnapshot(bumps, bumps, 1_000 * bumps, 0, 0, 0, 0, 0, null);
        }

        @Override
        public Latency takeLatencies() {
            bump();
            Histogram taken = nanos;
            nanos = new Histogram(3);
            return new Latency(taken, taken.copy());
        }

        @Override
        public boolean awaitFinished(Duration timeout) throws InterruptedException {
            time.sleep(timeout);
            return false;
        }

        @Override
        public void stop(Duration timeout) {
            bump();
            close();
        }

        @Override
        public void close() {
            nextNanos = Long.MAX_VALUE;
        }
    }

    private record Bumps(Pace pace, double operationKb, Clock time) implements WorkloadSource {
        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace at) {
            return new Bumping(time);
        }
    }

    @Test
    void aCounterThatIsBumpedIsMeasuredLikeMail() throws Exception {
        Results results = measured("first");
        Scenario scenario = results.scenarios().getFirst();
        assertThat(scenario.validity().reasons()).isEmpty();
        assertThat(scenario.repeats()).hasSize(3).allSatisfy(repeat -> {
            assertThat(repeat.get(Figure.THROUGHPUT_MSGS_PER_S)).isPositive();
            assertThat(repeat.get(Figure.MEASURED_S)).isGreaterThan(0.2);
        });
        var interval = scenario.spread().throughputCi95MsgsPerS();
        assertThat(interval).isNotNull();
        assertThat(scenario.get(Figure.THROUGHPUT_MSGS_PER_S))
                .isBetween(
                        scenario.spread().throughputMsgsPerSMin(),
                        scenario.spread().throughputMsgsPerSMax());
        assertThat(scenario.get(Figure.ACCEPT_P99)).isNotNull();

        DocumentFile.Check check = DocumentFile.check(
                folder.resolve("first"),
                DocumentFile.read(folder.resolve("first"), MailReport.KIND));
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.figures()).isGreaterThan(40);
        assertThat(Files.readString(folder.resolve("first/report.md"))).contains("Throughput");

        assertThat(MailComparison.of(results, measured("second"), Rule.USUAL, null)
                        .pairs())
                .filteredOn(pair -> pair.weight() == Pair.Weight.DECIDES)
                .hasSize(1);
    }

    private Results measured(String name) throws Exception {
        Path own = Files.createDirectory(folder.resolve(name));
        ScenarioRequest bumps = new ScenarioRequest(
                "bumps",
                "bumps",
                new Bumps(new Pace.ClosedLoop(), 1, time),
                null,
                Conditions.UNKNOWN,
                null);
        RunRequest request = new RunRequest(
                new Program("test", WorkloadTest.class),
                List.of(bumps),
                new RunRequest.Repeats(3, 1),
                new Measurement.LoadTimes(
                        Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofMillis(300)),
                TargetFacts.UNKNOWN,
                true,
                RunRequest.Extras.NONE,
                null);
        return Studied.run(request, own, time);
    }
}
