package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves that volumes are looked at and measured, and nothing is left behind. */
class VolumesCommandTest {
    @TempDir
    private Path folder;

    @Test
    void measuresWithinItsTimeAndLeavesNothing() throws Exception {
        Path volume = Files.createDirectories(folder.resolve("v"));
        long begun = System.nanoTime();
        JsonNode result = json("probe", volume.toString(), "--duration=500ms");
        assertThat(System.nanoTime() - begun).isLessThan(60_000_000_000L);
        JsonNode syncs = result.get("overwrite_datasync");
        assertThat(syncs.get("count").asLong()).isPositive();
        assertThat(syncs.get("max_ms").asDouble())
                .isGreaterThanOrEqualTo(syncs.get("p50_ms").asDouble());
        assertThat(syncs.get("p99_9_ms").isNumber())
                .isEqualTo(syncs.get("count").asLong() >= 1000);
        assertThat(result.get("sequential_read_bytes_per_s").asDouble()).isPositive();
        assertThat(result.get("file_bytes").asLong()).isLessThanOrEqualTo(256L << 20);
        assertThat(result.get("honesty").get("reasons")).isNotEmpty();
        assertThat(volume).isEmptyDirectory();
    }

    private static JsonNode json(String command, String... arguments) throws Exception {
        Ended ended = CommandInJvm.run("volumes " + command, List.of("--json"), arguments);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(ended.errors()).isEmpty();
        return new ObjectMapper().readTree(ended.printed());
    }
}
