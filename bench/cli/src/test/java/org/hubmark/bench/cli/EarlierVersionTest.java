package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.server.CommandParser;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/**
 * Proves that each setting, option and command of version 0.1.0 is still taken, or refused with what to use
 * instead: each is recorded as one would type it, beside what is said today. Commands are read and not run; of
 * serve the start ends where its second port is in use, after all settings were read.
 */
final class EarlierVersionTest {
    @ParameterizedTest
    @CsvFileSource(resources = "/options-0.1.0.csv", delimiter = '|')
    void optionsAreTakenOrToldWhatToUseInstead(String call, String today) {
        String[] arguments = call.split(" ", -1);
        CommandLine line = Main.commandLine(arguments);
        StringWriter said = new StringWriter();
        line.setErr(new PrintWriter(said)).setExecutionStrategy(parsed -> 0);
        int exitCode = CommandParser.execute(line, arguments);
        assertThat(exitCode).isEqualTo(today.equals("taken") ? 0 : 2);
        assertThat(said.toString().strip().replaceFirst("^$", "hubmark: taken"))
                .startsWith("hubmark: " + today);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/settings-0.1.0.csv", delimiter = '|')
    void settingsAreTakenOrToldWhatToUseInstead(String setting, String today, @TempDir Path folder)
            throws Exception {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(CommandInJvm.run(
                                    "serve",
                                    CommandInJvm.volumes(folder),
                                    "--listen=127.0.0.1:0",
                                    "--metrics=127.0.0.1:" + used.getLocalPort(),
                                    "--set=" + setting)
                            .errors())
                    .singleElement()
                    .asString()
                    .matches(
                            today.equals("taken")
                                    ? "hubmark: cannot listen on .* for metrics: .*"
                                    : "hubmark: \\Q" + today + "\\E");
        }
        assertThat(folder).isEmptyDirectory();
    }
}
