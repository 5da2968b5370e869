package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.core.FileOwners;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Proves that runs that measure at the same time see each other, in one process and in two, and that one
 * that was killed is not seen any more.
 */
@Timeout(60)
class MeasuringRunTest {
    private static final int NOBODY = 65534;

    @TempDir
    Path folder;

    /** Measures until its standard input ends. */
    static final class Measures {
        private Measures() {}

        public static void main(String[] arguments) throws IOException {
            try (MeasuringRun run = MeasuringRun.begin(Path.of(arguments[0]), "./hubmark run")) {
                System.out.println("sees " + run.others().size());
                int end = System.in.read();
                System.exit(end < 0 ? 0 : 1);
            }
        }
    }

    @Test
    void runsOfOneProcessSeeEachOther() throws IOException {
        Path shared = folder.resolve("shared");
        try (MeasuringRun first = MeasuringRun.begin(shared, "./hubmark run --sizes 4KB")) {
            assertThat(first.others()).isEmpty();
            try (MeasuringRun second = MeasuringRun.begin(shared, "./hubmark matrix")) {
                assertThat(second.others())
                        .singleElement()
                        .asString()
                        .isEqualTo("process " + ProcessHandle.current().pid()
                                + ": ./hubmark run --sizes 4KB");
                assertThat(first.others()).singleElement().asString().endsWith(" matrix");
                // To look doesn't end what it looks at.
                assertThat(second.others()).hasSize(1);
            }
            assertThat(first.others()).isEmpty();
        }
        assertThat(shared).isEmptyDirectory();
    }

    @Test
    void anotherProcessIsSeenAsLongAsItLives() throws Exception {
        try (MeasuringRun ours = MeasuringRun.begin(folder, "./hubmark load")) {
            Process other = measures();
            try (BufferedReader said = new BufferedReader(
                    new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(said.readLine()).isEqualTo("sees 1");
                assertThat(ours.others())
                        .containsExactly("process " + other.pid() + ": ./hubmark run");
            } finally {
                other.destroyForcibly();
            }
            other.waitFor();
            // It had no time to take its file away.
            assertThat(files()).hasSize(2).anyMatch(name -> name.startsWith(other.pid() + "-"));
            assertThat(ours.others()).isEmpty();
            assertThat(files()).hasSize(1);
        }
    }

    /** The folder is everybody's: links, pipes and files of others under any name. */
    @Test
    void whatOthersPutThereIsNeitherWrittenNorWaitedFor() throws Exception {
        Path precious = Files.writeString(folder.resolve("precious"), "whole");
        Path shared = Files.createDirectory(folder.resolve("shared"));
        long processId = ProcessHandle.current().pid();
        for (int i = 0; i < 10; i++) {
            Files.createSymbolicLink(shared.resolve(processId + "-" + i), precious);
        }
        Process pipe = new ProcessBuilder("mkfifo", shared.resolve("1-1").toString()).start();
        assertThat(pipe.waitFor()).isZero();
        try (MeasuringRun run = MeasuringRun.begin(shared, "./hubmark run")) {
            assertThat(run.others()).isEmpty();
        }
        assertThat(precious).hasContent("whole");
        assertThat(shared).isDirectoryContaining(path -> path.endsWith("1-1"));
    }

    @Test
    void aFolderThatIsALinkIsNotTaken() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(folder.resolve("shared"), elsewhere);
        try (MeasuringRun run = MeasuringRun.begin(link, "./hubmark run")) {
            assertThat(run.others()).isEmpty();
            assertThat(elsewhere).isEmptyDirectory();
        }
    }

    /** Root's run once deleted whatever had no lock, in a folder that its owner could exchange. */
    @Test
    void onlyAFolderThatNobodyCanExchangeIsUsed() throws IOException {
        assumeThat(FileOwners.isRoot()).as("gives files away").isTrue();
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path stale = Files.writeString(shared.resolve("1-stale"), "precious");
        Files.setAttribute(stale, "unix:uid", NOBODY);
        try (MeasuringRun run = MeasuringRun.begin(shared, "./hubmark run")) {
            assertThat(run.others()).isEmpty();
            assertThat(stale).hasContent("precious");
        }
        assertThat(shared).isDirectoryContaining(path -> path.equals(stale));
        for (Map.Entry<String, Integer> bad :
                Map.of("uid", NOBODY, "mode", 0777).entrySet()) {
            Path others = Files.createDirectory(folder.resolve(bad.getKey()));
            Files.setAttribute(others, "unix:" + bad.getKey(), bad.getValue());
            Path passwords = Files.writeString(others.resolve("passwd"), "precious");
            try (MeasuringRun run = MeasuringRun.begin(others, "./hubmark run")) {
                assertThat(run.others()).isEmpty();
                assertThat(others.toFile().list()).containsExactly("passwd");
            }
            assertThat(passwords).hasContent("precious");
        }
    }

    /** Anybody can lock a file of root's process number, and would put words of his into results. */
    @Test
    void aMarkCountsOnlyWhereItsProcessIsItsOwners() throws Exception {
        assumeThat(FileOwners.isRoot()).as("gives files away").isTrue();
        try (MeasuringRun ours = MeasuringRun.begin(folder, "./hubmark load")) {
            Process other = measures();
            try (BufferedReader said = new BufferedReader(
                    new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(said.readLine()).isEqualTo("sees 1");
                assertThat(ours.others()).hasSize(1);
                for (String name : files()) {
                    if (name.startsWith(other.pid() + "-")) {
                        Files.setAttribute(folder.resolve(name), "unix:uid", NOBODY);
                    }
                }
                assertThat(ours.others()).isEmpty();
            } finally {
                other.destroyForcibly().waitFor();
            }
        }
    }

    private Process measures() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Measures.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void nobodyTakesAwayWhatIsAnothers() throws IOException {
        Path shared = folder.resolve("shared");
        try (MeasuringRun run = MeasuringRun.begin(shared, "./hubmark run")) {
            assertThat((int) Files.getAttribute(shared, "unix:mode") & 07777).isEqualTo(01777);
            assertThat(run.others()).isEmpty();
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> String.valueOf(path.getFileName())).toList();
        }
    }

    @Test
    void aFolderThatCannotBeMadeKeepsNobodyFromMeasuring() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        try (MeasuringRun run = MeasuringRun.begin(file.resolve("below"), "./hubmark run")) {
            assertThat(run.others()).isEmpty();
        }
    }

    @Test
    void whatSomebodyElseWroteIsOneLine() throws IOException {
        try (MeasuringRun rude = MeasuringRun.begin(folder, "a\nb\u001b[2J" + "x".repeat(1000));
                MeasuringRun ours = MeasuringRun.begin(folder, "./hubmark run")) {
            assertThat(ours.others()).singleElement().asString().hasSizeLessThan(301);
            assertThat(ours.others().getFirst()).doesNotContain("\n", "\u001b");
            assertThat(rude.others()).hasSize(1);
        }
    }
}
