package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Proves on one machine that a server's figures come through a watch as they do without one, and that a
 * load goes on when its watch ends: each in a process of its own.
 */
@Timeout(240)
class WatchProcessTest {
    /** Until rest takes 20 s where other programs of that name are busy. */
    private static final Duration LOAD_TIME_MAX = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private CommandProcess serve() throws IOException {
        return CommandProcess.start(folder, "serve", "--listen=127.0.0.1:0", "--deliver=discard");
    }

    private CommandProcess load(CommandProcess hub, String watch, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "load",
                "--target=127.0.0.1:" + hub.listening().getPort(),
                "--target-watch=" + watch,
                "--shared-machine",
                "--sizes=4KB",
                "--connections=2",
                "--driver-warmup=0s",
                "--warmup=0s",
                "--repeat=1",
                "--output=" + folder.resolve("out")));
        arguments.addAll(List.of(more));
        return CommandProcess.start(folder, arguments.toArray(String[]::new));
    }

    private JsonNode results() throws IOException {
        return new ObjectMapper().readTree(folder.resolve("out/results.json").toFile());
    }

    /** Through a shell that says something first, as that of a login on another machine may. */
    @Test
    void fillsTheFiguresOfAServer() throws Exception {
        assumeTrue(
                VolumeStack.of(folder).deviceName() != null,
                "the temporary folder is on no block device");
        String watch = "echo welcome; exec "
                + CommandProcess.line(
                        "watch", "--stdio", "--processes=java", "--volume=log=" + folder);
        try (CommandProcess hub = serve();
                CommandProcess load = load(hub, watch, "--duration=1s")) {
            Ended ended = load.end(LOAD_TIME_MAX);
            assertThat(ended.exitCode()).as("%s", ended).isZero();
        }
        SchemaCheck.results(folder.resolve("out"), "watched", Set.of());
        JsonNode repeat = results().at("/scenarios/0/repeats/0");
        for (String figure : WatchCommandTest.FILLED) {
            assertThat(repeat.path(figure).isNumber()).as(figure).isTrue();
        }
        JsonNode account = results().path("target_watch");
        assertThat(account.path("command").asText()).isEqualTo(watch);
        assertThat(account.path("counts").asText()).isEqualTo("process");
        assertThat(account.path("lost").isNull()).isTrue();
        // It is this machine, of which nothing is taken away for the driver.
        assertThat(repeat.path("cpu_percent").asDouble())
                .isEqualTo(repeat.path("machine_cpu_percent").asDouble());
        assertThat(results().at("/server_environment/cpu_model"))
                .isEqualTo(results().at("/environment/cpu_model"));
        assertThat(Files.readString(folder.resolve("out/report.md")))
                .contains("| Server's counters: command | echo welcome; exec ");
    }

    @Test
    void aLoadGoesOnWhenItsWatchEnds() throws Exception {
        Path pid = folder.resolve("pid");
        String watch = "echo $$ >'" + pid + "'; exec "
                + CommandProcess.line("watch", "--stdio", "--processes=java");
        try (CommandProcess hub = serve();
                CommandProcess load = load(hub, watch, "--duration=6s")) {
            Path samples = folder.resolve("out/series.csv");
            // Two seconds are measured, beside the head of the table.
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            Files.exists(samples) && Files.readAllLines(samples).size() > 2);
            ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                    .orElseThrow()
                    .destroy();
            Ended ended = load.end(LOAD_TIME_MAX);
            assertThat(ended.exitCode()).as("%s", ended).isZero();
        }
        JsonNode repeat = results().at("/scenarios/0/repeats/0");
        assertThat(repeat.path("throughput_msgs_per_s").asDouble()).isPositive();
        assertThat(repeat.path("server_cpu_us_per_msg").isNull()).isTrue();
        assertThat(repeat.path("machine_cpu_percent").isNull()).isTrue();
        assertThat(repeat.path("notes").toString()).contains("no longer answers");
        assertThat(results().at("/target_watch/lost").asText()).contains("no longer answers");
    }
}
