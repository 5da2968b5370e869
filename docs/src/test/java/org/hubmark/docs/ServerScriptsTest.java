package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Proves, without any of the servers, that the scripts that start them are what a POSIX shell
 * takes, and that each says in one line what it was not given or does not find.
 */
class ServerScriptsTest {
    private static final Path DOCS = Path.of(System.getProperty("hubmark.root")).resolve("docs");
    private static final Path JUDGE = DOCS.resolve("peers/run");

    @TempDir
    Path folder;

    static List<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.walk(DOCS)) {
            return files.filter(file -> file.toString().endsWith(".sh"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void aShellTakesIt(Path script) throws Exception {
        Ended checked = run(Map.of(), "sh", "-n", script.toString());
        assertThat(checked.said()).isEmpty();
        assertThat(checked.code()).isZero();
        assertThat(Files.isExecutable(script))
                .as("what has a first line that names its shell can be started")
                .isEqualTo(Files.readString(script).startsWith("#!/bin/sh\n"));
    }

    static Stream<Path> commands() throws IOException {
        return scripts().stream().filter(Files::isExecutable);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void wrongUsageIsOneLine(Path script) throws Exception {
        Ended ended = run(Map.of(), script.toString());
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.said()).contains("usage: ").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"haraka", "smtp-server", "james", "maddy", "aiosmtpd"})
    void aMissingServerIsNamedWithTheWayToGetIt(String server) throws Exception {
        Path data = folder.resolve("data");
        Ended ended = run(
                Map.of("PEERS", folder.resolve("none").toString()),
                DOCS.resolve("peers/" + server + ".sh").toString(),
                "start",
                "1",
                data.toString());
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.said())
                .isEqualTo(server + ".sh: " + server + " not found; docs/peers/" + server
                        + ".sh fetch gets it");
        assertThat(data).doesNotExist();
    }

    @Test
    void anUnknownServerIsWrongUsage() throws Exception {
        Ended ended =
                run(Map.of(), DOCS.resolve("peers/on-volume.sh").toString(), "sendmale", "true");
        assertThat(ended.said()).hasLineCount(1).matches("on-volume.sh: (takes root|no server .*)");
        Ended judged = run(Map.of(), JUDGE.toString(), "--only", "sendmale");
        assertThat(judged.code()).isEqualTo(2);
        assertThat(judged.said()).contains("no 'sendmale'; there are postfix, exim, ");
    }

    /** Writes results as the commands do, in what is read of them, and looks at the tables. */
    @Test
    void theTablesAreMadeOfTheResults() throws Exception {
        for (int block = 1; block <= 3; block++) {
            Path piece = piece("rates/exim-shipped/" + block, "null");
            write(
                    piece.resolve("max/results.json"),
                    "{\"scenarios\": [" + scenario(57, 100 * block) + ", "
                            + scenario(4, 1000 * block) + "]}");
            write(
                    piece.resolve("70-4KB/results.json"),
                    "{\"scenarios\": [" + scenario(4, 7) + "]}");
        }
        write(piece("kills/exim-shipped", "null").resolve("durability/durability.json"), """
                {"verdicts": [{"crashes": 100, "acknowledged_msgs": 12345, "lost_msgs": 3,
                  "duplicated_msgs": 0, "corrupted_msgs": 1}]}""");
        var unused = piece("power/exim-shipped", "\"no power\"");
        Ended ended = run(
                Map.of(),
                JUDGE.toString(),
                "--table",
                "--only",
                "exim,postfix",
                "--folder",
                folder.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said().lines())
                .contains(
                        "| Exim | 4 KB | 2,000 (1,000, 3,000) | 1.5 (1.5, 1.5) | 2.5 (2.5, 2.5) | 0.50 (0.50, 0.50) | – |",
                        "|  | 57 KB | 200 (100, 300) | – | – | 0.50 (0.50, 0.50) | – |",
                        "| Exim | 1.2 | 3 of 12,345 (100 times), 1 corrupted | – |",
                        "| Postfix | – | – | – |",
                        "- power of exim (shipped): no power");
    }

    private Path piece(String name, String failure) throws IOException {
        Path piece = folder.resolve("results").resolve(name);
        write(piece.resolve("piece.json"), "{\"version\": \"1.2\", \"failure\": " + failure + "}");
        return piece;
    }

    private static String scenario(int kilobytes, int rate) {
        return """
                {"message_size_kb": SIZE, "throughput_msgs_per_s": RATE, "invalid_reasons": [],
                  "accept_latency_ms": {"p50": 1.5, "p99": 2.5},
                  "cpu_cost_process_mcycles_per_msg": 0.5, "log_writes_per_msg": null}""".replace("SIZE", Integer.toString(kilobytes))
                .replace("RATE", Integer.toString(rate));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private record Ended(int code, String said) {}

    private Ended run(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.outputWriter().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        return new Ended(process.waitFor(), said);
    }
}
