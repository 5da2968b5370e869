package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.mail.compare.FactorEffects;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Proves that a matrix accounts for its cells, and goes on where it was interrupted: by hubs in this JVM.
 */
@Timeout(300)
class MatrixCommandTest {
    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    private final HubsInJvm hubs = new HubsInJvm();

    /** Further sizes and repeats are measured beside what is there; what else differs is refused. */
    @Test
    void goesOnWithWhatIsNotMeasuredYet() throws Exception {
        Ended first = interrupted("--sizes=1KB,2KB", "--duration=2s");
        assertThat(first.exitCode()).as("%s", first).isEqualTo(130);
        assertThat(first.errors()).noneMatch(line -> line.contains("self-check"));
        List<Scenario> before = results().scenarios();
        assertThat(before).extracting(Scenario::messageSizeKb).containsExactly(1.0);

        Ended sizes = hubs.run(matrix("--sizes=1KB,2KB,3KB", "--duration=2s"));
        assertThat(sizes.errors())
                .contains("3 cells, each measured 1 time")
                .anyMatch(line -> line.startsWith("1 of 3 measurements done; takes about "));
        Results results = results();
        assertThat(results.scenarios().getFirst().repeats())
                .isEqualTo(before.getFirst().repeats());
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
        SchemaCheck.results(folder.resolve("out"), "matrix", HubsInJvm.UNKNOWN);

        hubs.run(matrix("--sizes=1KB", "--duration=2s", "--repeat=2"));
        Scenario twice = results().scenarios().getFirst();
        assertThat(twice.repeats()).extracting(Scenario.Repeat::repeat).containsExactly(1, 2);
        assertThat(Files.readString(folder.resolve("out/times.hlog")))
                .contains("Tag=scenarios.1.1.latencies,")
                .contains("Tag=scenarios.1.2.latencies,");

        Ended other = hubs.run(matrix("--sizes=1KB", "--duration=2s", "--warmup=300ms"));
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.errors().getLast())
                .contains(folder.resolve("out") + " has results of mail with other settings")
                .contains("(warmup was 100ms and is 300ms)");
    }

    /** {@return how a matrix ended that was interrupted while it measured its second cell} */
    private Ended interrupted(String... options) throws Exception {
        CompletableFuture<Ended> ended = new CompletableFuture<>();
        Thread matrix = Thread.ofPlatform()
                .name("matrix")
                .start(() -> ended.complete(hubs.run(matrix(options))));
        Path samples = folder.resolve("out/series.csv");
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(100))
                .until(() -> Files.exists(samples)
                        && Files.readString(samples).contains("\nscenarios.2."));
        matrix.interrupt();
        return ended.get(60, TimeUnit.SECONDS);
    }

    private Results results() throws IOException {
        return MailReport.read(folder.resolve("out/results.json"));
    }

    /** On folders, at a rate that any machine holds; a later option wins. */
    private String[] matrix(String... further) {
        List<String> arguments = new ArrayList<>(
                List.of(("matrix --layouts=one --warmup-max=300ms --driver-warmup=0s --no-ceilings"
                                + " --connections=4 --checkpoint-depth=16MB --rate=50")
                        .split(" ", -1)));
        arguments.add("--output=" + folder.resolve("out"));
        for (String role : List.of("log", "queue", "tracking")) {
            arguments.add("--" + role + "-volume=" + folder.resolve(role));
        }
        for (String option : List.of("--warmup=100ms", "--repeat=1")) {
            String name = option.substring(0, option.indexOf('=') + 1);
            if (Stream.of(further).noneMatch(other -> other.startsWith(name))) {
                arguments.add(option);
            }
        }
        arguments.addAll(List.of(further));
        return arguments.toArray(String[]::new);
    }
}
