package org.hubmark.bench.scale.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The rule of the study, efficiency, judgement and the form of the file. */
class ScaleOutTest {
    private static final double[] ONE = {100, 100, 100};

    private static Estimate estimate(Document results, int row, Column column) {
        Table points = results.table(ScaleOut.POINTS);
        return points.estimate(points.rows().get(row), column);
    }

    private static double throughput(Document results, int row) {
        return estimate(results, row, ScaleOut.THROUGHPUT).value();
    }

    @Test
    void ofFiveRunsTheMiddleThreeCountAndOfFewerAll() {
        assertThat(throughput(MadeScale.results(), 0)).isEqualTo(100);
        assertThat(throughput(MadeScale.results(), 1)).isEqualTo(160);
        assertThat(throughput(MadeScale.results(MadeScale.point(1, null, 1, 2, 6)), 0))
                .isEqualTo(3);
    }

    @Test
    void efficiencyIsTheShareOfLinear() {
        Document results = MadeScale.results();
        assertThat(estimate(results, 0, ScaleOut.EFFICIENCY).value()).isEqualTo(1.0);
        assertThat(estimate(results, 0, ScaleOut.EFFICIENCY).range()).isNull();
        assertThat(estimate(results, 1, ScaleOut.EFFICIENCY).value()).isEqualTo(0.8);
        assertThat(estimate(results, 2, ScaleOut.EFFICIENCY).value()).isCloseTo(0.7, within(1e-9));
    }

    @Test
    void withoutOneHostThereIsNoEfficiency() {
        Document results = MadeScale.results(MadeScale.point(2, null, ONE));
        assertThat(estimate(results, 0, ScaleOut.EFFICIENCY).isKnown()).isFalse();
        assertThat(estimate(results, 0, ScaleOut.EFFICIENCY).range()).isNull();
        assertThat(results.findings().warnings())
                .anyMatch(warning -> warning.contains("--hosts 1"));
        assertThat(results.findings().title()).isEqualTo("Scale-out, weak: 2 hosts");
        assertThat(results.findings().answer()).isEqualTo("100 messages a second with 2 hosts");
    }

    @Test
    void whatWasNotKeptUpWithIsSaid() {
        Document results = MadeScale.results(
                MadeScale.point(1, 100.0, ONE), MadeScale.point(2, 200.0, 150, 150, 150));
        assertThat(results.findings().warnings())
                .contains("2 hosts did not keep up: 150.0 of 200.0 messages a second")
                .noneMatch(warning -> warning.startsWith("1 host did"))
                .anyMatch(warning -> warning.contains("--rate max"));
        assertThat(results.findings().verdict()).isEqualTo("valid");
    }

    @Test
    void aRefusalMakesItInvalid() {
        Row refused = MadeScale.row(
                1,
                null,
                List.of(MadeScale.run(1, 2, 100)
                        .count(ScaleOut.REFUSED, 3)
                        .count(ScaleOut.FAILED, 1)
                        .name(ScaleOut.REFUSAL, "451 4.3.0 not now")
                        .made()));
        Document results = MadeScale.results(refused);
        assertThat(results.findings().verdict()).isEqualTo("not valid");
        assertThat(results.findings().reasons())
                .containsExactly(
                        "1 host, run 2: 3 messages were refused, the first with: 451 4.3.0 not now",
                        "1 host, run 2: 1 messages were not answered");
    }

    /** Of 20 s of CPU time 6 were used, 4 of them by what is measured and by the driver. */
    @Test
    void otherWorkOnTheMachineAndAStandstillMakeItInvalid() {
        Row disturbed = MadeScale.row(
                1,
                null,
                List.of(MadeScale.run(1, 1, 100)
                        .count(MachineMeter.METERED_NS, 10e9)
                        .count(MachineMeter.CORES_NS, 20e9)
                        .count(MachineMeter.BUSY_TICKS, 600)
                        .count(MachineMeter.TOTAL_TICKS, 2_000)
                        .count(MachineMeter.STEAL_TICKS, 0)
                        .count(MachineMeter.PROCESSES_NS, 6e9)
                        .count(MachineMeter.SERVERS_NS, 3e9)
                        .count(MachineMeter.TOOL_NS, 1e9)
                        .count(MachineMeter.STANDSTILL_NS, 3e9)
                        .made()));
        Document results = MadeScale.results(disturbed);
        assertThat(results.findings().reasons())
                .containsExactly(
                        "1 host, run 1: the driver stood still for 3.0 s of the measured time (at most"
                                + " 1%): it was stopped, or its machine was, or it got no CPU",
                        "1 host, run 1: processes other than server and driver took 10.0% of the"
                                + " machine's CPU time (at most 2.5%): stop them");
    }

    @Test
    void costsOfAllHostsAreThoseOfEachByItsMessages() {
        Document results = MadeScale.results();
        assertThat(estimate(results, 1, ScaleOut.CPU).value()).isCloseTo(150, within(1e-6));
        Table hosts = results.table(ScaleOut.POINTS).rows().get(1).part(ScaleOut.HOST_FIGURES);
        assertThat(hosts.rows()).hasSize(2);
        Column bookie = ScaleOut.HOST_FIGURES.columns().get(3);
        assertThat(bookie.key()).isEqualTo("bookie_cpu_us_per_msg");
        assertThat(hosts.estimate(hosts.rows().getLast(), bookie).value()).isEqualTo(60.0);
    }

    @Test
    void theFileIsReadAsItWasWritten(@TempDir Path folder) throws IOException {
        Document written = DocumentFile.write(MadeScale.results(), folder);
        Document results = DocumentFile.read(folder, ScaleOut.KIND);
        assertThat(DocumentFile.json(results)).isEqualTo(DocumentFile.json(written));
        assertThat(DocumentFile.check(folder, results).isClean()).isTrue();
    }

    /** LoadGen on vSAN: mean and p95 of sending, which may be 500 ms, of one to five hosts. */
    @Test
    @Tag("published")
    void oneToFiveHostsStandBesideTheStudysColumns(@TempDir Path folder) throws IOException {
        Document results = MadeScale.results(
                MadeScale.point(1, null, 100),
                MadeScale.point(2, null, 190),
                MadeScale.point(3, null, 270),
                MadeScale.point(4, null, 340),
                MadeScale.point(5, null, 400));
        DocumentFile.write(results, folder);
        JsonNode points = JsonFile.read(folder.resolve("scale-out.json")).path("points");
        assertThat(points).hasSize(5);
        for (JsonNode point : points) {
            double millis = 5.0 * point.path("hosts").asInt();
            assertThat(point.at("/send_latency_ms/mean").asDouble())
                    .isCloseTo(millis, within(0.02));
            assertThat(point.at("/send_latency_ms/p95").asDouble()).isCloseTo(millis, within(0.02));
            assertThat(point.path("within_limit").asBoolean()).isTrue();
        }
        assertThat(points.get(4).path("efficiency").asDouble()).isCloseTo(0.8, within(1e-9));
        assertThat(points.get(1).path("published").isNull()).isTrue();
        assertThat(points.get(2).at("/published/send_latency_ms/p95").asDouble())
                .isEqualTo(104);
        assertThat(points.get(4).at("/published/send_latency_ms/p95").asDouble())
                .isEqualTo(184);
        assertThat(results.findings().title()).isEqualTo("Scale-out, weak: 1 to 5 hosts");
    }

    @Test
    @Tag("published")
    void theStudysColumnsAreThose() {
        List<PublishedPoint> all = PublishedPoint.all();
        assertThat(all).extracting(PublishedPoint::hosts).containsExactly(3, 4, 5);
        assertThat(all).extracting(PublishedPoint::users).containsExactly(12_000, 16_000, 20_000);
        assertThat(all.getLast().sendLatencyMs())
                .isEqualTo(new PublishedPoint.SendLatency(92.0, 184.0));
        assertThat(PublishedPoint.limitMs()).isEqualTo(500);
        // 20,000 x 150 / 28,800 s
        assertThat(all.getLast().msgsPerS()).isCloseTo(104.17, within(0.01));
        assertThat(Objects.requireNonNull(PublishedPoint.of(5))).isEqualTo(all.getLast());
    }
}
