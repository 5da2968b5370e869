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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "durability/postfix.sh",
                "peers/exim.sh",
                "peers/opensmtpd.sh",
                "peers/haraka.sh",
                "peers/measure.sh",
                "peers/syncs.sh",
                "users/hub-cyrus.sh",
                "users/hub-dovecot.sh",
                "users/postfix-dovecot.sh"
            })
    void wrongUsageIsOneLine(String script) throws Exception {
        Ended ended = run(Map.of(), DOCS.resolve(script).toString());
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.said()).contains("usage: ").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXIM", "SMTPD", "HARAKA"})
    void aMissingServerIsNamedWithTheWayToGetIt(String variable) throws Exception {
        String script = switch (variable) {
            case "EXIM" -> "exim.sh";
            case "SMTPD" -> "opensmtpd.sh";
            default -> "haraka.sh";
        };
        Path data = folder.resolve("data");
        Ended ended = run(
                Map.of(variable, "/no/such/program"),
                DOCS.resolve("peers").resolve(script).toString(),
                "start",
                "1",
                data.toString());
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.said())
                .hasLineCount(1)
                .matches(script + ": (takes root|/no/such/program not found; .* install .*)");
        assertThat(data).doesNotExist();
    }

    @Test
    void anUnknownServerIsWrongUsage() throws Exception {
        Ended ended = run(Map.of(), DOCS.resolve("peers/measure.sh").toString(), "sendmale");
        assertThat(ended.said()).hasLineCount(1).matches("measure.sh: (takes root|no server .*)");
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
