package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.machine.devices.VolumeStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Proves on one machine that a server's figures come through a watch as they do without one, and that a
 * load goes on when its watch ends: each in a process of its own.
 */
class WatchProcessTest {
    @TempDir
    private Path folder;

    /** {@return the results of a load} It ends, whatever becomes of its watch. */
    private JsonNode load(String watch, String duration, Work meanwhile) throws Exception {
        RunFolder runs = new RunFolder(folder);
        try (CommandProcess hub = CommandProcess.serve(folder, "--deliver=discard");
                CommandProcess load = runs.start(
                        "load",
                        "--target=127.0.0.1:" + hub.listening().getPort(),
                        "--target-watch=" + watch,
                        "--rate=max",
                        duration)) {
            meanwhile.run(runs);
            runs.measured(load);
        }
        return runs.json("results.json");
    }

    private interface Work {
        void run(RunFolder runs) throws IOException;
    }

    /** Fails where a figure of the server is missing, or the watch was lost. */
    static void requireWatched(JsonNode results) {
        for (JsonNode repeat : results.at("/scenarios/0/repeats")) {
            for (String figure : WatchCommandTest.FILLED) {
                assertThat(repeat.path(figure).isNumber()).as(figure).isTrue();
            }
        }
        assertThat(results.at("/target_watch/lost").isNull()).isTrue();
    }

    /** Skips the test where the figures of a folder's device can't be told. */
    static void assumeDevice(Path folder) throws IOException {
        assumeTrue(
                VolumeStack.of(folder).deviceName() != null,
                "the temporary folder is on no block device");
    }

    /** Through a shell that says something first, as that of a login on another machine may. */
    @Test
    void fillsTheFiguresOfAServer() throws Exception {
        assumeDevice(folder);
        String watch = "echo welcome; exec "
                + CommandProcess.line(
                        "watch", "--stdio", "--processes=java", "--volume=log=" + folder);
        JsonNode results = load(watch, "--duration=1s", runs -> {});
        SchemaCheck.results(folder.resolve("out"), "watched", Set.of());
        requireWatched(results);
        assertThat(results.at("/target_watch/command").asText()).isEqualTo(watch);
        assertThat(results.at("/target_watch/counts").asText()).isEqualTo("process");
        // It is this machine, of which nothing is taken away for the driver.
        JsonNode repeat = results.at("/scenarios/0/repeats/0");
        assertThat(repeat.path("cpu_percent").asDouble())
                .isEqualTo(repeat.path("machine_cpu_percent").asDouble());
        assertThat(results.at("/server_environment/cpu_model"))
                .isEqualTo(results.at("/environment/cpu_model"));
        assertThat(folder.resolve("out/report.md"))
                .content()
                .contains("| Server's counters: command | echo welcome; exec ");
    }

    @Test
    void aLoadGoesOnWhenItsWatchEnds() throws Exception {
        Path pid = folder.resolve("pid");
        String watch = "echo $$ >'" + pid + "'; exec "
                + CommandProcess.line("watch", "--stdio", "--processes=java");
        JsonNode results = load(watch, "--duration=6s", runs -> {
            runs.awaitSamples("out", 3);
            ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                    .orElseThrow()
                    .destroy();
        });
        JsonNode repeat = results.at("/scenarios/0/repeats/0");
        assertThat(repeat.path("throughput_msgs_per_s").asDouble()).isPositive();
        assertThat(repeat.path("server_cpu_us_per_msg").isNull()).isTrue();
        assertThat(repeat.path("machine_cpu_percent").isNull()).isTrue();
        assertThat(repeat.path("notes").toString()).contains("no longer answers");
        assertThat(results.at("/target_watch/lost").asText()).contains("no longer answers");
    }
}
