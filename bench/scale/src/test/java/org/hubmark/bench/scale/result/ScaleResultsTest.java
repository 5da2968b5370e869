package org.hubmark.bench.scale.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The rule of the study, efficiency, judgement and the form of the file. */
class ScaleResultsTest {
    private static final double[] ONE = {100, 100, 100};

    @Test
    void ofFiveRunsTheMiddleThreeCount() {
        ScaleResults results = MadeScale.results();
        assertThat(results.points().get(0).throughputMsgsPerS()).isEqualTo(100);
        assertThat(results.points().get(1).throughputMsgsPerS()).isEqualTo(160);
        assertThat(results.rule())
                .isEqualTo("the mean of 3 of 5 runs, each figure's largest and smallest left out");
    }

    @Test
    void ofFewerAllCount() {
        ScalePoint point = MadeScale.point(1, null, new double[] {1, 2, 6}, new double[] {});
        assertThat(point.throughputMsgsPerS()).isEqualTo(3);
        assertThat(StudyRule.words(3)).isEqualTo("the mean of 3 runs");
        assertThat(StudyRule.words(1)).isEqualTo("one run");
    }

    @Test
    void efficiencyIsTheShareOfLinear() {
        ScaleResults results = MadeScale.results();
        assertThat(results.points().get(0).efficiency()).isEqualTo(1.0);
        assertThat(results.points().get(0).efficiencyCi95()).isNull();
        assertThat(results.points().get(1).efficiency()).isEqualTo(0.8);
        assertThat(results.points().get(2).efficiency()).isCloseTo(0.7, within(1e-9));
        assertThat(results.model()).isNotNull();
    }

    @Test
    void withoutOneHostThereIsNoEfficiency() {
        ScaleResults results =
                MadeScale.results(List.of(MadeScale.point(2, null, ONE, new double[] {})));
        assertThat(results.points().getFirst().efficiency()).isNull();
        assertThat(results.points().getFirst().efficiencyCi95()).isNull();
        assertThat(results.warnings()).anyMatch(warning -> warning.contains("--hosts 1"));
        assertThat(results.model()).isNull();
    }

    @Test
    void whatWasNotKeptUpWithIsSaid() {
        ScaleResults results = MadeScale.results(List.of(
                MadeScale.point(1, 100.0, ONE, ONE),
                MadeScale.point(2, 200.0, new double[] {150, 150, 150}, ONE)));
        assertThat(results.warnings())
                .contains("2 hosts did not keep up: 150.0 of 200.0 messages a second")
                .noneMatch(warning -> warning.startsWith("1 host did"))
                .anyMatch(warning -> warning.contains("--rate max"))
                .anyMatch(warning -> warning.contains("--copies 1"));
        assertThat(results.valid()).isTrue();
    }

    @Test
    void whatIsNotLevelIsSaid() {
        double[] rising = {100, 110, 120, 130, 140};
        ScaleResults results = MadeScale.results(List.of(MadeScale.point(1, null, rising, rising)));
        assertThat(results.warnings())
                .anyMatch(warning -> warning.startsWith("1 host: throughput rose by 40 %"));
        assertThat(MadeScale.results(List.of(MadeScale.point(1, null, ONE, ONE)))
                        .warnings())
                .isEmpty();
    }

    @Test
    void aLawThatTheRunsDoNotFollowIsSaid() {
        double[] alone = {1000, 1010, 990};
        ScaleResults results = MadeScale.results(List.of(
                MadeScale.point(1, null, alone, alone),
                MadeScale.point(2, null, new double[] {600, 605, 595}, alone),
                MadeScale.point(3, null, new double[] {900, 910, 890}, alone)));
        assertThat(results.model()).isNotNull();
        assertThat(results.warnings())
                .anyMatch(warning ->
                        warning.startsWith("these runs do not follow the scalability law"));
        assertThat(MadeScale.results().warnings()).noneMatch(warning -> warning.contains("law"));
    }

    @Test
    void aRefusalMakesItInvalid() {
        ScaleRun made = MadeScale.run(1, 2, 100);
        ScaleRun refused = new ScaleRun(
                made.run(),
                made.hosts(),
                made.startedAt(),
                made.measuredS(),
                made.throughputMsgsPerS(),
                made.sendLatencyMs(),
                made.arrivalLatencyMs(),
                made.acceptedMsgs(),
                3,
                1,
                "451 4.3.0 not now",
                made.driverCpuCores(),
                null,
                made.startS(),
                made.hostFigures());
        ScaleResults results = MadeScale.results(
                List.of(ScalePoint.of(1, 1, null, List.of(refused), List.of(refused))));
        assertThat(results.valid()).isFalse();
        assertThat(results.invalidReasons())
                .containsExactly(
                        "1 host, run 2: 3 messages were refused, the first with: 451 4.3.0 not now",
                        "1 host, run 2: 1 messages were not answered");
    }

    @Test
    void costsOfAllHostsAreThoseOfEachByItsMessages() {
        ScalePoint point = MadeScale.results().points().get(1);
        assertThat(point.cpuUsPerMsg()).isCloseTo(150, within(1e-6));
        assertThat(point.hostFigures()).hasSize(2);
        assertThat(point.hostFigures().getLast().bookieCpuUsPerMsg()).isEqualTo(60.0);
    }

    @Test
    void theFileHasWhatItPromises(@TempDir Path folder) throws IOException {
        ScaleResults results = MadeScale.results();
        results.write(folder);
        JsonNode file = results.tree();
        assertThat(Files.readString(folder.resolve("scale-out.json")).strip())
                .isEqualTo(results.json().strip());
        JsonNode third = file.path("points").get(2);
        assertThat(third.path("hosts").asInt()).isEqualTo(3);
        assertThat(third.path("throughput_msgs_per_s").asDouble()).isEqualTo(210);
        assertThat(third.at("/send_latency_ms/mean").asDouble()).isEqualTo(15);
        assertThat(third.at("/send_latency_ms/p95").asDouble()).isEqualTo(27);
        assertThat(third.path("efficiency").isNumber()).isTrue();
        assertThat(third.path("runs")).hasSize(5);
        assertThat(third.at("/published/send_latency_ms/p95").asDouble()).isEqualTo(104);
        assertThat(file.path("points").get(0).path("published").isNull()).isTrue();
        assertThat(file.path("published")).hasSize(3);
        assertThat(file.at("/published/1/send_latency_ms/mean").isNull()).isTrue();
    }

    @Test
    void theStudysColumnsAreThose() {
        List<PublishedPoint> all = PublishedPoint.all();
        assertThat(all).extracting(PublishedPoint::hosts).containsExactly(3, 4, 5);
        assertThat(all).extracting(PublishedPoint::users).containsExactly(12_000, 16_000, 20_000);
        assertThat(all.getLast().sendLatencyMs())
                .isEqualTo(new PublishedPoint.SendLatency(92.0, 184.0));
        assertThat(PublishedPoint.limitMs()).isEqualTo(500);
        // 20,000 x 150 / 28,800 s
        assertThat(all.getLast().msgsPerS()).isCloseTo(104.17, within(0.01));
    }
}
