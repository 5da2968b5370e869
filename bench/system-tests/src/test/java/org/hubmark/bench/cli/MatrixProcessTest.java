package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Proves that a matrix whose process was killed goes on, and that it measures and marks what an emulated device
 * does: with hubs in processes of their own. MatrixCommandTest has one that is interrupted.
 */
class MatrixProcessTest {
    private static final Duration SEARCH_MAX = Duration.ofMinutes(8);

    @TempDir
    private Path folder;

    private RunFolder runs;

    @BeforeEach
    void begin() {
        runs = new RunFolder(folder);
    }

    @Test
    void goesOnWhereItWasKilled() throws Exception {
        try (CommandProcess first = runs.start("matrix", "--sizes=1KB,2KB", "--duration=2s")) {
            RunFolder.await().until(() -> finished() == 1);
            first.kill();
        }
        List<Scenario.Repeat> before = runs.scenario().repeats();

        Ended sizes = runs.measure("matrix", "--sizes=1KB,2KB,3KB", "--duration=2s");
        assertThat(sizes.errors())
                .contains("3 cells, each measured 1 time")
                .anyMatch(line -> line.startsWith("1 of 3 measurements done; takes about "));
        assertThat(runs.scenario().repeats()).isEqualTo(before);
        assertThat(runs.results().scenarios()).hasSize(3);
        // What was killed in the middle of its second cell has left no samples of it.
        List<String> samples = Files.readAllLines(runs.file("series.csv"));
        assertThat(samples.stream().filter(line -> line.startsWith("of,"))).hasSize(1);
        assertThat(samples.stream()
                        .filter(line -> line.startsWith("scenarios."))
                        .map(line -> line.split(",", -1)[0])
                        .distinct())
                .hasSize(3);
        SchemaCheck.results(folder.resolve("out"), "matrix", Set.of());
    }

    /** Else the interval over the repeats would say nothing of the search. */
    @Test
    @Tag("long")
    @Timeout(1_500)
    void eachRepeatSearchesTheHighestRateAnew() throws Exception {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        String[] searched = {
            "--rate=max-sustained", "--device-profile=sata-7200", "--duration=2s", "--repeat=2"
        };
        try (CommandProcess first = runs.start("matrix", searched)) {
            RunFolder.await().atMost(SEARCH_MAX).until(() -> finished() == 1);
            RunFolder.terminated(first);
        }
        Double found = runs.scenario().get(Figure.THROUGHPUT_MSGS_PER_S);
        try (CommandProcess second = runs.start("matrix", searched)) {
            assertThat(second.end(SEARCH_MAX).errors())
                    .anyMatch(line -> line.contains("1 of 2 measurements done"))
                    .anyMatch(line -> line.contains("sustains"));
        }
        Scenario scenario = runs.scenario();
        assertThat(scenario.repeats()).hasSize(2);
        assertThat(scenario.conditions().get(Condition.ASKED_RATE)).isEqualTo("max-sustained");
        assertThat(scenario.sustainedRate()).isNotNull();
        assertThat(scenario.repeats()).allMatch(repeat -> repeat.validity().valid());
        assertThat(scenario.get(Figure.THROUGHPUT_MSGS_PER_S))
                .isCloseTo(found, withinPercentage(20));
        assertThat(scenario.limiting().limitingResource()).isEqualTo("log_volume");
    }

    /** Without root and without devices of its own: the emulation makes the layouts. */
    @Test
    void marksWhatIsUnsafe() throws Exception {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        Ended ended = runs.measure(
                "matrix", "--duration=2s", "--device-profile=sata-7200", "--write-cache=off,on");
        assertThat(ended.errors()).doesNotContain("skipped");
        Results results = runs.results();
        assertThat(results.scenarios()).hasSize(2);
        Conditions safe = results.scenarios().getFirst().conditions();
        assertThat(safe.safety().unsafe()).isFalse();
        assertThat(safe.get(Condition.DEVICE_PROFILE)).isEqualTo("sata-7200");
        assertThat(safe.get(Condition.FLUSH)).isEqualTo("sent");
        Conditions unsafe = results.scenarios().getLast().conditions();
        assertThat(unsafe.safety().unsafe()).isTrue();
        assertThat(unsafe.safety().unsafeReason()).contains("write cache");
        assertThat(unsafe.get(Condition.DEVICE_PROFILE)).isEqualTo("sata-7200-cache");
        assertThat(unsafe.get(Condition.FLUSH)).isEqualTo("suppressed");
        // A revolution of the platter in the one, which no sync of the other waits for.
        assertThat(Objects.requireNonNull(runs.scenario().get(Figure.ACCEPT_LATENCY.get(1))))
                .isGreaterThan(4);
        // A short trial at the start of each hub would leave it to chance.
        assertThat(runs.file("results.json"))
                .content()
                .contains("\"store.log.direct\"")
                .doesNotContain("\"store.log.direct\" : \"auto\"");
        SchemaCheck.results(folder.resolve("out"), "emulated", Set.of());
    }

    @Test
    void eachRoleHasTheDeviceThatIsNamedForIt() throws Exception {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        runs.measure(
                "matrix",
                "--layouts=three",
                "--device-profile=log=scsi-15k-bbwc,queue=raid10,tracking=raid1");
        assertThat(runs.scenario().conditions().get(Condition.FLUSH)).isEqualTo("protected");
        assertThat(runs.results().measured().volumes())
                .extracting(VolumeDisclosure::emulates)
                .containsExactly("scsi-15k-bbwc", "sata-7200-raid10", "sata-7200-raid1");
    }

    /** {@return how many cells the results have so far} */
    private int finished() throws IOException {
        return Files.exists(runs.file("results.json"))
                ? runs.results().scenarios().size()
                : 0;
    }
}
