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
import java.util.stream.Stream;

/** Proves that volumes are looked at and measured, and nothing is left behind. */
class VolumesCommandTest {
    @TempDir
    private Path folder;

    @Test
    void showsWhatIsBehindAFolder() throws Exception {
        Files.createDirectories(folder.resolve("a"));
        Files.createDirectories(folder.resolve("b"));
        String a = folder.resolve("a").toString();
        String b = folder.resolve("b").toString();
        JsonNode volumes = json(good("inspect", a, b, "--json"));
        assertThat(volumes).hasSize(2);
        assertThat(volumes.get(0).get("filesystem").asText()).isNotEmpty();
        assertThat(volumes.get(0).get("free_bytes").asLong()).isPositive();
        if (!volumes.get(0).get("device").isNull()) {
            assertThat(volumes.get(0).get("shares_device_with").get(0).asText()).isEqualTo(b);
        }
        assertThat(good("inspect", a).getFirst()).isEqualTo(a);
    }

    @Test
    void measuresWithinItsTimeAndLeavesNothing() throws Exception {
        Path volume = Files.createDirectories(folder.resolve("v"));
        long begun = System.nanoTime();
        JsonNode result = json(good("probe", volume.toString(), "--duration", "500ms", "--json"));
        assertThat(System.nanoTime() - begun).isLessThan(60_000_000_000L);
        JsonNode syncs = result.get("overwrite_datasync");
        assertThat(syncs.get("count").asLong()).isPositive();
        assertThat(syncs.get("max_ms").asDouble())
                .isGreaterThanOrEqualTo(syncs.get("p50_ms").asDouble());
        assertThat(syncs.get("p99_9_ms").isNumber())
                .isEqualTo(syncs.get("count").asLong() >= 1000);
        assertThat(result.get("sequential_read_bytes_per_s").asDouble()).isPositive();
        assertThat(result.get("file_bytes").asLong()).isLessThanOrEqualTo(256L << 20);
        assertThat(result.get("honesty").get("verdict").asText())
                .isIn("SAFE", "NOT_SAFE", "UNKNOWN");
        assertThat(result.get("honesty").get("reasons")).isNotEmpty();
        try (Stream<Path> left = Files.list(volume)) {
            assertThat(left).isEmpty();
        }
    }

    private static JsonNode json(List<String> lines) throws Exception {
        return new ObjectMapper().readTree(String.join("\n", lines));
    }

    private static List<String> good(String... arguments) {
        Ended ended = volumes(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(ended.errors()).isEmpty();
        return ended.out();
    }

    private static Ended volumes(String... arguments) {
        return new HubsInJvm()
                .run(Stream.concat(Stream.of("volumes"), Stream.of(arguments))
                        .toArray(String[]::new));
    }
}
