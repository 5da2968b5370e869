package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Proves that what `hubmark package` makes runs where it is unpacked, without a JDK, Maven and git on
 * the way, and that it says what it can't do. It is made of the build that was tested.
 */
class PackageTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));
    /** What the script itself needs. */
    private static final List<String> TOOLS =
            List.of("sh", "sed", "dirname", "readlink", "grep", "cat");

    @TempDir
    Path folder;

    @Test
    @Tag("long")
    void runsWhereNothingElseIs() throws Exception {
        Path script = unpack("--lab");
        Path away = away(script);
        Map<String, String> bare = Map.of("PATH", tools().toString(), "JAVA_HOME", "");
        Ended version = Ended.of(away, bare, script.toString(), "--version");
        assertThat(version.out()).as("%s", version).startsWith("hubmark ");
        Ended measured = Ended.of(
                away,
                bare,
                "/bin/sh",
                "-c",
                "\"$0\" run --sizes=4KB --duration=1s --warmup=1s --driver-warmup=0s --repeat=1"
                        + " --latency-at=off --shared-machine --json --output=measured",
                script.toString());
        // A second on a busy machine may be found not valid.
        assertThat(measured.code()).as("%s", measured).isIn(0, 3);
        assertThat(measured.out()).contains("\"throughput_msgs_per_s\"");
        assertThat(away.resolve("measured/report.html")).exists();
        for (String command : List.of("test", "install", "mvn", "package")) {
            Ended refused = Ended.of(away, bare, script.toString(), command);
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.err()).startsWith("hubmark: " + command + " needs the sources");
        }
    }

    @Test
    @Tag("long")
    void aServerHasNothingThatMeasures() throws Exception {
        Path script = unpack("--server");
        Path away = away(script);
        Map<String, String> bare = Map.of("PATH", tools().toString(), "JAVA_HOME", "");
        try (Stream<Path> files = Files.walk(away)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName()))
                            .filter(name -> name.endsWith(".jar")))
                    .anyMatch(name -> name.startsWith("hub-"))
                    .noneMatch(name -> name.startsWith("bench-") || name.equals("hubmark.jar"));
        }
        assertThat(Ended.of(away, bare, script.toString(), "--help").out())
                .contains("  serve ", "  queue ")
                .doesNotContain("  run ", "  qualify ", "  package ", "  volumes ");
        Ended refused = Ended.of(away, bare, script.toString(), "serve", "--existing-only");
        assertThat(refused.code()).as("%s", refused).isEqualTo(1);
        assertThat(refused.err()).contains("there is no queue");
        assertThat(Ended.of(away, bare, script.toString(), "queue", "list").code())
                .isEqualTo(1);
        assertThat(Ended.of(away, bare, script.toString(), "run").code()).isEqualTo(2);
        assertThat(Ended.of(away, bare, script.toString(), "volumes", "plan").code())
                .isEqualTo(2);
    }

    /** {@return the folder in which the package of a script lies} */
    private static Path away(Path script) {
        return Objects.requireNonNull(Objects.requireNonNull(script.getParent()).getParent());
    }

    /** {@return the script of a package that was made so} */
    private Path unpack(String content) throws Exception {
        assumeThat(ROOT.resolve("bench/cli/target/hubmark.jar"))
                .as("the jar is made by ./hubmark test, not by a test of this module alone")
                .exists();
        Path file = Files.createDirectories(folder.resolve("made")).resolve("package.tar.gz");
        Ended packing = Ended.of(
                ROOT,
                Map.of("HUBMARK_BUILT", "1", "JAVA_HOME", System.getProperty("java.home")),
                ROOT + "/hubmark",
                "package",
                content,
                "--output",
                file.toString());
        assertThat(packing.code()).as("%s", packing).isZero();
        assertThat(packing.out()).startsWith("packed " + file + ", ");
        Path away = Files.createDirectories(folder.resolve("far away"));
        assertThat(Ended.of(away, Map.of(), "tar", "-xzf", file.toString()).code())
                .isZero();
        try (Stream<Path> folders = Files.list(away)) {
            return folders.toList().getFirst().resolve("hubmark");
        }
    }

    /** A folder with nothing but the tools that every Linux has. */
    private Path tools() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (String tool : TOOLS) {
            Path found = Stream.of("/bin", "/usr/bin")
                    .map(place -> Path.of(place, tool))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow();
            Files.createSymbolicLink(bin.resolve(tool), found);
        }
        return bin;
    }
}
