package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Proves that wrong usage, and what can't be done, end with one line that says what and how, with their exit
 * code, and with no file made or changed; and what commands say that only plan.
 */
class CommandLineTest {
    private static final Path FILES = Path.of("src/test/resources/command-lines");
    private static final Path MISSING = Path.of("/mnt/hubmark-no-such-mount");
    private static final String PULSAR = "pulsar://127.0.0.1:1/public/default";

    /** Words of the table, each with what stands for it; a later one may stand in an earlier one. */
    private static final List<String[]> WORDS = List.of(
            new String[] {"$serve", "serve --listen=127.0.0.1:0 $volumes"},
            new String[] {
                "$volumes", "--log-volume=$dir/l --queue-volume=$dir/q --tracking-volume=$dir/t"
            },
            new String[] {
                "$qualify",
                "qualify --database-volume $dir/db --log-volume $dir/log --output $dir/out"
            },
            new String[] {"$users", "users --output $dir/out"},
            new String[] {"$plan", "plan --output $dir/out"},
            new String[] {"$scale", "scale-out --output=$dir/out"},
            new String[] {"$target", "--smtp 127.0.0.1:1 --imap 127.0.0.1:1"},
            new String[] {
                "$elsewhere",
                "the queue commands work on volumes only; for $pulsar use pulsar-admin"
            },
            new String[] {"$pulsar", PULSAR},
            new String[] {"$mail", "$recorded/mail/src/test/resources/golden/sustained"},
            new String[] {"$recorded", ".."},
            new String[] {"$missing", MISSING.toString()});

    @TempDir
    Path folder;

    private static SinkServer sink;

    @BeforeAll
    static void start() throws IOException {
        sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                SinkServer.Behaviour.willing());
    }

    @AfterAll
    static void stop() {
        sink.close();
    }

    @BeforeEach
    void copy() throws IOException {
        try (Stream<Path> files = Files.walk(FILES)) {
            for (Path file : files.skip(1).toList()) {
                Files.copy(file, folder.resolve(FILES.relativize(file)));
            }
        }
        Files.createDirectory(folder.resolve("db"));
        Files.createDirectory(folder.resolve("log"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/command-lines.csv", delimiter = '|')
    void saysItsWords(String exitCode, String arguments, @Nullable String words) throws Exception {
        assumeTrue(!exitCode.endsWith("c") || PreloadLibrary.obstacle() == null, "no C compiler");
        Map<String, String> before = CommandInJvm.files(folder);
        Ended ended = CommandInJvm.run(spelt(arguments).split(" +", -1));
        assertThat(ended.exitCode() + "").as("%s", ended).isEqualTo(exitCode.replaceAll("\\D", ""));
        if (!exitCode.startsWith("0")) {
            assertThat(ended.errors()).singleElement().asString().startsWith("hubmark: ");
        }
        assertThat(ended.complaint() + ended.printed())
                .containsSubsequence(spelt(words == null ? "" : words).split(" \\.\\. ", -1));
        if (!exitCode.endsWith("*")) {
            assertThat(CommandInJvm.files(folder)).isEqualTo(before);
        }
        assertThat(MISSING).doesNotExist();
        assertThat(Path.of("hubmark-cluster")).doesNotExist();
    }

    private String spelt(String text) {
        String spelt = text;
        for (String[] word : WORDS) {
            spelt = spelt.replace(word[0], word[1]);
        }
        return spelt.replace("$dir", folder.toString())
                .replace("$sink", "127.0.0.1:" + sink.address().getPort());
    }
}
