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
import java.util.UUID;
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
            // Nobody else looks into it.
            assertThat((int) Files.getAttribute(shared, "unix:mode") & 07777).isEqualTo(0700);
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

    /** Links, pipes and files that no run has made, under names of marks and others. */
    @Test
    void whatIsNoMarkIsNeitherReadNorWaitedForNorTakenAway() throws Exception {
        String mark = ProcessHandle.current().pid() + "-" + new UUID(1, 2);
        Path precious = Files.writeString(folder.resolve("precious"), "whole");
        Path link = Files.createSymbolicLink(folder.resolve(mark), precious);
        Path pipe = folder.resolve("1-" + new UUID(1, 2));
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertThat(made.waitFor()).isZero();
        try (MeasuringRun run = MeasuringRun.begin(folder, "./hubmark run")) {
            assertThat(run.others()).isEmpty();
        }
        assertThat(precious).hasContent("whole");
        assertThat(link).isSymbolicLink();
        assertThat(folder).isDirectoryContaining(path -> path.equals(pipe));
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

    /** Others could put there what a run of root's would delete. */
    @Test
    void onlyAFolderThatIsOnesOwnIsUsed() throws IOException {
        assumeThat(FileOwners.isRoot()).as("gives files away").isTrue();
        for (Map.Entry<String, Integer> bad :
                Map.of("uid", NOBODY, "mode", 01777).entrySet()) {
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
