package org.hubmark.bench.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that a result names the commit of this program and no other repository's, and that the JVM adds
 * nothing to what a command prints: a process prints its commit, with git's variables as in a hook, and in a
 * JVM that has something to complain of.
 */
class ProgramTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));

    @TempDir
    Path folder;

    /** Prints its commit. */
    static final class Prints {
        private Prints() {}

        public static void main(String[] arguments) {
            System.out.println(new Program("1", Prints.class).tool().commit());
        }
    }

    @Test
    void theCommitIsThatOfTheProgram() throws Exception {
        assumeThat(ROOT.resolve(".git")).exists();
        git("init", "-q");
        git(
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "a");
        String own = output(new ProcessBuilder("git", "-C", ROOT.toString(), "rev-parse", "HEAD"));
        assertThat(printed(ROOT)).startsWith(own.strip());
        Path below = Files.createDirectories(folder.resolve("unpacked"));
        assertThat(printed(below)).isEqualTo("null\n");
    }

    private void git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        assertThat(output(new ProcessBuilder(command))).isEmpty();
    }

    private String printed(Path root) throws Exception {
        List<String> command = new ArrayList<>(HubJvm.command());
        command.addAll(List.of(
                "-XX:SharedArchiveFile=" + folder.resolve("absent"),
                "-Dhubmark.root=" + root,
                "-cp",
                System.getProperty("java.class.path"),
                Prints.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("GIT_DIR", folder.resolve(".git").toString());
        return output(builder);
    }

    private static String output(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return text;
    }
}
