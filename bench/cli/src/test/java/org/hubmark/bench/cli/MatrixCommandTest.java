package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.mail.compare.FactorEffects;
import org.hubmark.bench.mail.document.Condition;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Proves that a matrix accounts for its cells, goes on where it was interrupted, and says what it would
 * do: by hubs in this JVM.
 */
@Timeout(300)
class MatrixCommandTest {
    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    private final HubsInJvm hubs = new HubsInJvm();

    @Test
    void goesOnWhereItWasInterrupted() throws Exception {
        Ended ended = interrupted(
                () -> finished() == 1 && isSecondMeasured(), "--sizes=1KB,2KB", "--duration=2s");
        assertThat(ended.exitCode()).as("%s", ended.errors()).isEqualTo(130);
        assertThat(ended.errors()).noneMatch(line -> line.contains("self-check"));
        assertThat(MailReport.read(folder.resolve("out/results.json")).scenarios())
                .extracting(Scenario::messageSizeKb)
                .containsExactly(1.0);
    }

    /** Further sizes and repeats are measured beside what is there; what else differs is refused. */
    @Test
    void goesOnWithWhatIsNotMeasuredYet() throws Exception {
        interrupted(() -> finished() == 1, "--sizes=1KB,2KB");
        List<Scenario.Repeat> before = MailReport.read(folder.resolve("out/results.json"))
                .scenarios()
                .getFirst()
                .repeats();

        Ended sizes = hubs.run(matrix("--sizes=1KB,2KB,3KB"));
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
        assertThat(results.effects()).isEqualTo(FactorEffects.of(results.scenarios()));
        ResultsForm.checkInJvm(folder.resolve("out/results.json"), "matrix");

        hubs.run(matrix("--sizes=1KB", "--repeat=2"));
        Scenario twice =
                MailReport.read(folder.resolve("out/results.json")).scenarios().getFirst();
        assertThat(twice.repeats()).extracting(Scenario.Repeat::repeat).containsExactly(1, 2);
        assertThat(Files.readString(folder.resolve("out/times.hlog")))
                .contains("Tag=scenarios.1.1.latencies,")
                .contains("Tag=scenarios.1.2.latencies,");

        Ended other = hubs.run(matrix("--sizes=1KB", "--warmup=300ms"));
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.errors().getLast())
                .contains(folder.resolve("out") + " has results of mail with other settings")
                .contains("(warmup was 100ms and is 300ms)");
    }

    @Test
    @Tag("published")
    void saysWhatItWouldDo() throws Exception {
        Ended ended = hubs.run(
                "matrix",
                "--dry-run",
                "--preset=hub-study",
                "--duration=2s",
                "--output=" + folder.resolve("x"));
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out())
                .contains("57kb_scsi-15k-bbwc_three_synced_cache-on_depth-16mb_32c_at-138.17_hold")
                .contains(
                        "80kb_sata-7200_striped_synced_cache-on_depth-16mb_32c_at-40.36_hold  UNSAFE")
                .contains("80kb_sata-7200_striped_synced_cache-off_depth-128mb_32c_max-sustained");
        assertThat(ended.out().getLast())
                .startsWith("12 cells, each measured ")
                .contains("; takes about ");
        assertThat(folder.resolve("x")).doesNotExist();
        List<String> published = hubs.run(
                        "matrix", "--dry-run", "--preset=hub-study", "--at=published")
                .out();
        assertThat(published).noneMatch(line -> line.contains("max-sustained"));
        assertThat(published.getLast())
                .isEqualTo("6 cells, each measured 1 time; takes about 4 min");
    }

    /** Mail that is delivered at once is never written to the queue volume. */
    @Test
    void layoutsAreComparedByMailThatWaitsUnlessTold() throws Exception {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        String waiting = "57kb_sata-7200_apart_synced_cache-off_depth-16mib_32c_hold";
        String[] apart = {"--layouts=one,apart", "--sizes=57KB"};
        assertThat(cells(apart)).hasSize(2).contains(waiting);
        assertThat(cells("--layouts=apart", "--sizes=57KB"))
                .containsExactly(waiting.replace("16mib", "512mib").replace("_hold", ""));
        assertThat(cells("--layouts=one,apart", "--sizes=57KB", "--deliver=discard"))
                .contains(waiting.replace("16mib", "512mib").replace("_hold", ""));
        assertThat(cells("--layouts=one,apart", "--sizes=57KB", "--checkpoint-depth=64MiB"))
                .contains(waiting.replace("16mib", "64mib"));
    }

    @Test
    void aDeviceIsNamedForAllRolesOrForEach() throws Exception {
        Ended wrong = hubs.run("matrix", "--dry-run", "--device-profile=log=nvme,queue=floppy");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.errors().getLast())
                .contains("--device-profile", "'floppy' is not a device profile (sata-7200, ");
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        Ended planned = hubs.run(
                "matrix",
                "--dry-run",
                "--sizes=57KB",
                "--device-profile=log=sata-7200,queue=raid10");
        assertThat(planned.out())
                .contains("57kb_log-sata-7200-queue-sata-7200-raid10-tracking-sata-7200-raid10"
                        + "_apart_synced_cache-off_depth-16mib_32c_hold")
                .anyMatch(line -> line.startsWith("skipped 1 cell: layout one has volumes of"));
    }

    private List<String> cells(String... options) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("matrix", "--dry-run", "--device-profile=sata-7200"));
        arguments.addAll(List.of(options));
        return hubs.run(arguments.toArray(String[]::new)).out().stream()
                .filter(line -> line.startsWith("57kb_"))
                .toList();
    }

    /** {@return how a matrix ended that was interrupted as soon as that was so} */
    private Ended interrupted(Callable<Boolean> when, String... options) throws Exception {
        CompletableFuture<Ended> ended = new CompletableFuture<>();
        Thread matrix = Thread.ofPlatform()
                .name("matrix")
                .start(() -> ended.complete(hubs.run(matrix(options))));
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(100))
                .until(when);
        matrix.interrupt();
        return ended.get(60, TimeUnit.SECONDS);
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
                "--layouts=one",
                "--warmup-max=300ms",
                "--driver-warmup=0s",
                "--no-ceilings",
                "--connections=4",
                "--checkpoint-depth=16MB",
                "--log-volume=" + folder.resolve("l"),
                "--queue-volume=" + folder.resolve("q"),
                "--tracking-volume=" + folder.resolve("t"),
                "--output=" + folder.resolve("out")));
        for (String option : List.of(
                "--sizes=1KB,2KB,3KB",
                "--rate=50",
                "--duration=500ms",
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
