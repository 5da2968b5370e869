package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Proves that a run ended by SIGTERM has written what it had measured, in a process of its own. */
class RunInterruptionTest {
    @TempDir
    Path folder;

    @Test
    void aRunToldToEndWritesWhatItHas() throws Exception {
        try (CommandProcess run = CommandProcess.start(
                folder,
                "run",
                "--quiet",
                "--sizes=4KB",
                "--rate=200",
                "--warmup=0s",
                "--driver-warmup=0s",
                "--duration=10m",
                "--output=out")) {
            Path samples = folder.resolve("out/series.csv");
            await().atMost(Duration.ofSeconds(90))
                    .until(() ->
                            Files.exists(samples) && Files.readAllLines(samples).size() > 2);
            run.terminate();
            CommandProcess.Ended ended = run.end();
            assertThat(ended.exitCode()).as("%s", ended.errors()).isEqualTo(130);
        }
        Scenario scenario =
                MailReport.read(folder.resolve("out/results.json")).scenarios().getFirst();
        assertThat(scenario.validity().reasons()).contains("repeat 1: interrupted");
        assertThat(scenario.get(Figure.THROUGHPUT_MSGS_PER_S)).isPositive();
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
    }
}
