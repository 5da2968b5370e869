package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.machine.MeasuringRun;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A command in a process of its own, as a user would start it. Its standard error is in a file; its standard
 * output is read as it comes, so that the command never waits for us.
 */
final class CommandProcess implements AutoCloseable {
    /** How long tests wait, for whatever it is; it detects a hang, on a busy machine too. */
    static final Duration WAIT = Duration.ofSeconds(60);

    /** Of random campaigns: the same in each build, so that none fails by its luck; another one at night. */
    static final String SEED = "--seed=" + Long.getLong("hubmark.seed", 1);

    private static final long POLL_MILLIS = 10;

    private final Process process;
    private final Path errors;
    /** Lines of standard output, and behind the last one an empty element. */
    private final BlockingQueue<Optional<String>> out = new LinkedBlockingQueue<>();

    /** How a command ended. */
    record Ended(int exitCode, List<String> out, List<String> errors) {
        /** {@return all of its standard output} */
        String printed() {
            return String.join("\n", out);
        }

        /** {@return all of its standard error} */
        String complaint() {
            return String.join("\n", errors);
        }
    }

    private CommandProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        Thread.ofPlatform().daemon().name("command-output").start(this::read);
    }

    /** Starts a command whose working directory is the folder. */
    static CommandProcess start(Path folder, String... arguments) throws IOException {
        return startUnder(List.of(), folder, arguments);
    }

    /** Starts a hub whose working directory is the folder. */
    static CommandProcess serve(Path folder, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--listen=127.0.0.1:0"));
        arguments.addAll(List.of(options));
        return start(folder, arguments.toArray(String[]::new));
    }

    /** Starts a command by another one that becomes it, as strace -D does. */
    static CommandProcess startUnder(List<String> starter, Path folder, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.addAll(words(arguments));
        Path errors = Files.createTempFile(folder, "errors-", ".txt");
        return new CommandProcess(
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(errors.toFile())
                        .start(),
                errors);
    }

    /** {@return a command as a shell takes it} */
    static String line(String... arguments) throws IOException {
        return words(arguments).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
    }

    private static List<String> words(String... arguments) throws IOException {
        List<String> words = new ArrayList<>(HubJvm.plainCommand());
        // It lives for seconds: starting fast is what counts.
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
        words.add("-D" + MeasuringRun.FOLDER_PROPERTY + "=" + MeasuringRun.FOLDER);
        words.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
        words.add("org.hubmark.bench.cli.Main");
        words.addAll(List.of(arguments));
        return words;
    }

    /** Runs a command to its end. */
    static Ended run(Path folder, String... arguments) throws Exception {
        try (CommandProcess command = start(folder, arguments)) {
            return command.end();
        }
    }

    /** {@return the address of a hub that says it is ready} */
    InetSocketAddress listening() throws Exception {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), listeningOn("127\\.0\\.0\\.1"));
    }

    /** {@return the port of a hub that says it is ready on such an address, a regular expression} */
    int listeningOn(String address) throws Exception {
        String line = readiness();
        assertThat(line)
                .as("%s", Files.readString(errors))
                .matches("listening on " + address + ":[0-9]+");
        return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
    }

    /** {@return the next line of standard output that isn't about a queue that was made; empty at its end} */
    private String readiness() throws InterruptedException {
        String line = nextLine();
        if (line != null && line.startsWith("made a new, empty queue on ")) {
            line = nextLine();
        }
        return line == null ? "" : line;
    }

    /** Waits until a line like that stands on its standard error. */
    void awaitError(Predicate<String> expected) throws Exception {
        long deadlineNanos = System.nanoTime() + WAIT.toNanos();
        while (true) {
            boolean isOver = !process.isAlive() || System.nanoTime() >= deadlineNanos;
            if (Files.readAllLines(errors).stream().anyMatch(expected)) {
                return;
            }
            if (isOver) {
                // A crash of the runtime stands on standard output, and so does what threads do.
                endAndSayWhatItsThreadsDo();
                throw new AssertionError("it ended with " + process.waitFor() + ": "
                        + remainingLines() + ", " + Files.readString(errors));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** {@return where a hub that was told --metrics answers} It says so before it listens. */
    String metrics() throws Exception {
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

    /** {@return how it ended} It is told to, and must end well. */
    Ended stop() throws Exception {
        terminate();
        Ended ended = end();
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        return ended;
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
        return end(WAIT);
    }

    /** {@return how it ended} Waits for that, so long at most. */
    Ended end(Duration limit) throws Exception {
        // A command that goes on where it should have ended must not hold up the tests for ever.
        CompletableFuture<Void> tooLate = CompletableFuture.runAsync(
                this::endAndSayWhatItsThreadsDo,
                CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
        List<String> lines = remainingLines();
        process.waitFor();
        assertThat(tooLate.cancel(false))
                .as("ended within %s: %s, %s", limit, lines, Files.readString(errors))
                .isTrue();
        return new Ended(process.exitValue(), lines, Files.readAllLines(errors));
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().map(Optional::of).forEach(out::add);
        } catch (IOException | UncheckedIOException e) {
            out.add(Optional.of("(standard output can't be read: " + e.getMessage() + ")"));
        } finally {
            out.add(Optional.empty());
        }
    }

    /** {@return the next line of standard output, or null behind the last} Waits for it. */
    private @Nullable String nextLine() throws InterruptedException {
        Optional<String> line = out.take();
        if (line.isEmpty()) {
            out.add(line);
        }
        return line.orElse(null);
    }

    /** {@return what is left of standard output} Waits for its end. */
    private List<String> remainingLines() throws InterruptedException {
        List<String> lines = new ArrayList<>();
        for (String line = nextLine(); line != null; line = nextLine()) {
            lines.add(line);
        }
        return lines;
    }

    /** Without that it can't be known why it did not do what it should. */
    private void endAndSayWhatItsThreadsDo() {
        try {
            var unused = new ProcessBuilder("kill", "-QUIT", "" + process.pid())
                    .inheritIO()
                    .start()
                    .waitFor();
            process.waitFor(1, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.toHandle().destroyForcibly();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
