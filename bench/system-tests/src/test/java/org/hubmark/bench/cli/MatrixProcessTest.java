package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.compare.FactorEffects;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Proves that a matrix whose process was ended or killed goes on, that it fits costs, and that it
 * measures and marks what an emulated device does: with hubs in processes of their own.
 */
@Timeout(300)
class MatrixProcessTest {
    @TempDir
    private Path folder;

    @Test
    void goesOnWhereItWasInterrupted() throws Exception {
        try (CommandProcess first =
                CommandProcess.start(folder, matrix("--sizes=1KB,2KB", "--duration=4s"))) {
            await().atMost(Duration.ofSeconds(100))
                    .until(() -> finished() == 1 && isSecondMeasured());
            first.terminate();
            Ended ended = first.end();
            assertThat(ended.exitCode()).as("%s", ended.errors()).isEqualTo(130);
            assertThat(ended.errors()).noneMatch(line -> line.contains("self-check"));
        }
        assertThat(MailReport.read(folder.resolve("out/results.json")).scenarios())
                .extracting(Scenario::messageSizeKb)
                .containsExactly(1.0);
    }

    @Test
    void goesOnWhereItWasKilledAndFitsCosts() throws Exception {
        try (CommandProcess first = CommandProcess.start(folder, matrix("--sizes=1KB,2KB"))) {
            await().atMost(Duration.ofSeconds(100)).until(() -> finished() == 1);
            first.kill();
        }
        List<Scenario.Repeat> before = MailReport.read(folder.resolve("out/results.json"))
                .scenarios()
                .getFirst()
                .repeats();

        Ended sizes = CommandProcess.run(folder, matrix("--sizes=1KB,2KB,3KB"));
        assertThat(sizes.errors())
                .contains("3 cells, each measured 1 time")
                .anyMatch(line -> line.startsWith("1 of 3 measurements done; takes about "));
        Results results = MailReport.read(folder.resolve("out/results.json"));
        assertThat(results.scenarios().getFirst().repeats()).isEqualTo(before);
        assertThat(results.scenarios()).hasSize(3).allSatisfy(scenario -> {
            assertThat(scenario.conditions().get(Condition.LAYOUT)).isEqualTo("one");
            assertThat(scenario.conditions().get(Condition.ASKED_RATE)).isEqualTo("50/s");
            assertThat(scenario.get(Figure.ACCEPT_LATENCY.getFirst())).isNotNull();
            assertThat(scenario.get(Figure.RESIDENCE.getFirst())).isNotNull();
        });
        List<String> samples = Files.readAllLines(folder.resolve("out/series.csv"));
        assertThat(samples.stream().filter(line -> line.startsWith("of,"))).hasSize(1);
        assertThat(samples.stream()
                        .filter(line -> line.startsWith("scenarios."))
                        .map(line -> line.split(",", -1)[0])
                        .distinct())
                .hasSize(3);
        // On a machine that is busy with other things repeats may be not valid.
        if (results.scenarios().stream()
                .allMatch(scenario -> scenario.validity().valid())) {
            assertThat(sizes.exitCode()).isZero();
        }
        assertThat(results.effects()).isEqualTo(FactorEffects.of(results.scenarios()));
        SchemaCheck.results(folder.resolve("out"), "matrix", Set.of());
    }

    /** Else the interval over the repeats would say nothing of the search. */
    @Test
    @Tag("long")
    @Timeout(1_500)
    void eachRepeatSearchesTheHighestRateAnew() throws Exception {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        String[] searched = matrix(
                "--sizes=4KB",
                "--rate=max-sustained",
                "--device-profile=sata-7200",
                "--duration=2s",
                "--repeat=2",
                // For a quarter of an hour, which a neighbour of a virtual machine need not leave
                // alone.
                "--shared-machine");
        try (CommandProcess first = CommandProcess.start(folder, searched)) {
            await().atMost(Duration.ofMinutes(8)).until(() -> finished() == 1);
            first.terminate();
            assertThat(first.end().exitCode()).isEqualTo(130);
        }
        Double found = MailReport.read(folder.resolve("out/results.json"))
                .scenarios()
                .getFirst()
                .get(Figure.THROUGHPUT_MSGS_PER_S);
        Ended again;
        try (CommandProcess second = CommandProcess.start(folder, searched)) {
            again = second.end(Duration.ofMinutes(8));
        }
        assertThat(again.errors())
                .anyMatch(line -> line.contains("1 of 2 measurements done"))
                .anyMatch(line -> line.contains("sustains"));
        Results results = MailReport.read(folder.resolve("out/results.json"));
        Scenario scenario = results.scenarios().getFirst();
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
        Ended ended = CommandProcess.run(
                folder,
                matrix(
                        "--sizes=4KB",
                        "--duration=2s",
                        "--device-profile=sata-7200",
                        "--write-cache=off,on"));
        assertThat(ended.errors()).doesNotContain("skipped");
        Results results = MailReport.read(folder.resolve("out/results.json"));
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
        assertThat(latency(results.scenarios().getFirst())).isGreaterThan(4);
        // A short trial at the start of each hub would leave it to chance.
        assertThat(Files.readString(folder.resolve("out/results.json")))
                .contains("\"store.log.direct\"")
                .doesNotContain("\"store.log.direct\" : \"auto\"");
        SchemaCheck.results(folder.resolve("out"), "emulated", Set.of());
    }

    @Test
    void eachRoleHasTheDeviceThatIsNamedForIt() throws Exception {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        CommandProcess.run(
                folder,
                matrix(
                        "--sizes=4KB",
                        "--layouts=three",
                        "--device-profile=log=scsi-15k-bbwc,queue=raid10,tracking=raid1"));
        Results results = MailReport.read(folder.resolve("out/results.json"));
        Conditions conditions = results.scenarios().getFirst().conditions();
        assertThat(conditions.get(Condition.DEVICE_PROFILE))
                .isEqualTo("log=scsi-15k-bbwc,queue=sata-7200-raid10,tracking=sata-7200-raid1");
        assertThat(conditions.get(Condition.FLUSH)).isEqualTo("protected");
        assertThat(results.measured().volumes())
                .extracting(VolumeDisclosure::emulates)
                .containsExactly("scsi-15k-bbwc", "sata-7200-raid10", "sata-7200-raid1");
    }

    private static double latency(Scenario scenario) {
        return Objects.requireNonNull(scenario.get(Figure.ACCEPT_LATENCY.get(1)));
    }

    /** {@return how many cells the results have so far} */
    private int finished() throws IOException {
        Path results = folder.resolve("out/results.json");
        return Files.exists(results) ? MailReport.read(results).scenarios().size() : 0;
    }

    /** {@return whether the second cell has samples already} */
    private boolean isSecondMeasured() throws IOException {
        return Files.readAllLines(folder.resolve("out/series.csv")).stream()
                .anyMatch(line -> line.startsWith("scenarios.2."));
    }

    /** Three sizes on folders, at a rate that any machine holds; a later option wins. */
    private String[] matrix(String... further) {
        List<String> arguments = new ArrayList<>(List.of(
                "matrix",
                "--warmup-max=300ms",
                "--driver-warmup=0s",
                "--no-ceilings",
                "--connections=4",
                "--checkpoint-depth=16MB",
                "--log-volume=l",
                "--queue-volume=q",
                "--tracking-volume=t",
                "--output=out"));
        for (String option : List.of(
                "--sizes=1KB,2KB,3KB",
                "--layouts=one",
                "--rate=50",
                "--duration=2s",
                "--warmup=100ms",
                "--repeat=1")) {
            String name = option.substring(0, option.indexOf('=') + 1);
            if (Stream.of(further).noneMatch(other -> other.startsWith(name))) {
                arguments.add(option);
            }
        }
        arguments.addAll(List.of(further));
        return arguments.toArray(String[]::new);
    }
}
