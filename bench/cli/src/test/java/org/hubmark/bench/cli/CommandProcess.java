package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.measure.hub.HubJvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A command in a process of its own, as a user would start it. Its standard error is in a file. */
final class CommandProcess implements AutoCloseable {
    private static final long SECONDS_MAX = 60;
    private static final long POLL_MILLIS = 10;

    private final Process process;
    private final Path errors;
    private final BufferedReader out;

    /** How a command ended. */
    record Ended(int exitCode, List<String> out, List<String> errors) {}

    private CommandProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.out = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a command whose working directory is the folder. */
    static CommandProcess start(Path folder, String... arguments) throws IOException {
        return startUnder(List.of(), folder, arguments);
    }

    /** Starts a command by another one that becomes it, as strace -D does. */
    static CommandProcess startUnder(List<String> starter, Path folder, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.addAll(HubJvm.plainCommand());
        // It lives for seconds: starting fast is what counts.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
        command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
        command.add("org.hubmark.bench.cli.Main");
        command.addAll(List.of(arguments));
        Path errors = Files.createTempFile(folder, "errors-", ".txt");
        return new CommandProcess(
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(errors.toFile())
                        .start(),
                errors);
    }

    /** Runs a command to its end. */
    static Ended run(Path folder, String... arguments) throws Exception {
        try (CommandProcess command = start(folder, arguments)) {
            return command.end();
        }
    }

    /** {@return the address of a hub that says it is ready} */
    InetSocketAddress listening() throws IOException {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), listeningOn("127\\.0\\.0\\.1"));
    }

    /** {@return the port of a hub that says it is ready on such an address, a regular expression} */
    int listeningOn(String address) throws IOException {
        String line = readiness();
        assertThat(line)
                .as("%s", Files.readString(errors))
                .matches("listening on " + address + ":[0-9]+");
        return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
    }

    /** {@return the next line of standard output that isn't about a queue that was made} */
    private String readiness() throws IOException {
        String line = out.readLine();
        return line != null && line.startsWith("made a new, empty queue on ")
                ? out.readLine()
                : line;
    }

    /** Waits until a line like that stands on its standard error. */
    void awaitError(Predicate<String> expected) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (Files.readAllLines(errors).stream().noneMatch(expected)) {
            if (!process.isAlive()) {
                // A crash of the runtime stands on standard output.
                throw new AssertionError("it ended with " + process.exitValue() + ": "
                        + out.lines().toList() + ", " + Files.readString(errors));
            }
            assertThat(System.nanoTime())
                    .as("in %s s: %s", SECONDS_MAX, Files.readString(errors))
                    .isLessThan(deadlineNanos);
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** {@return where a hub that was told --metrics answers} It says so before it listens. */
    String metrics() throws IOException {
        String line = readiness();
        assertThat(line).as("%s", Files.readString(errors)).startsWith("metrics on 127.0.0.1:");
        return line.substring("metrics on ".length());
    }

    /** {@return its process id} */
    long processId() {
        return process.pid();
    }

    /** Sends SIGTERM; unlike the process, its handle leaves the output open. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Sends SIGKILL. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** From now on no file of the process grows beyond so many bytes: a write fails. */
    void limitFileSize(Path prlimit, long bytes) throws Exception {
        Process limiter = new ProcessBuilder(
                        prlimit.toString(), "--pid", "" + process.pid(), "--fsize=" + bytes)
                .inheritIO()
                .start();
        assertThat(limiter.waitFor()).isZero();
    }

    /** {@return how it ended} Waits for that. */
    Ended end() throws Exception {
        return end(Duration.ofSeconds(SECONDS_MAX));
    }

    /** {@return how it ended} Waits for that, so long at most. */
    Ended end(Duration limit) throws Exception {
        // A command that goes on where it should have ended must not hold up the tests for ever.
        CompletableFuture<Void> tooLate = CompletableFuture.runAsync(
                process::destroyForcibly,
                CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
        List<String> lines = out.lines().toList();
        process.waitFor();
        assertThat(tooLate.cancel(false))
                .as("ended within %s: %s, %s", limit, lines, Files.readString(errors))
                .isTrue();
        return new Ended(process.exitValue(), lines, Files.readAllLines(errors));
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        out.close();
    }
}
