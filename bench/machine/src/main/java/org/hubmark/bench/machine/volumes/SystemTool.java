package org.hubmark.bench.machine.volumes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs programs of the system (losetup, mkfs.ext4, mount, cc) and says what they said. */
public final class SystemTool {
    /** Making a file system on a slow disk is the longest. */
    private static final long SECONDS_MAX = 120;

    private SystemTool() {}

    /**
     * Runs a program to its end.
     *
     * @return its standard output, trimmed
     * @throws IOException with its last line that is not a continuation of another, if it fails, is
     *     not there, or takes too long
     */
    public static String run(List<String> command) throws IOException {
        Path output = Files.createTempFile("hubmark-tool-", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
            // Its words and numbers are read.
            builder.environment().put("LC_ALL", "C");
            Process process = builder.start();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(
                        String.join(" ", command) + " took more than " + SECONDS_MAX + " s");
            }
            String said = Files.readString(output, StandardCharsets.UTF_8).trim();
            if (process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + " failed: "
                        + said.lines()
                                .filter(line ->
                                        !line.isEmpty() && !Character.isWhitespace(line.charAt(0)))
                                .reduce((first, last) -> last)
                                .orElse("it printed nothing"));
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while running " + command.getFirst(), e);
        } finally {
            Files.deleteIfExists(output);
        }
    }

    /** Runs a program to its end, whatever comes of it; an interruption is kept for later. */
    public static void attempt(List<String> command) throws IOException {
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .onExit()
                .join();
    }

    /** {@return whether the program is on PATH, or where PATH of users often doesn't lead} */
    public static boolean exists(String program) {
        String path = System.getenv("PATH");
        return Stream.concat(
                        Stream.of((path == null ? "" : path).split(":", -1)),
                        Stream.of("/usr/sbin", "/sbin"))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** {@return whether this process is root's} */
    public static boolean root() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }
}
