package org.hubmark.bench.measure.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code hubmark watch --stdio} that ssh starts on another machine, asked over the pipes of that one
 * process. Nothing listens there, and who may ask is the business of ssh. The watch ends when its input
 * does. One thread, beside two that read.
 */
public final class SshWatch implements WatchClient.Connection {
    private static final String OPTION = "--target-host ssh:";
    /** A user, a host or an address, a port, a file. No host begins with a dash: that would be an option. */
    private static final Pattern DESTINATION = Pattern.compile(
            "((?:[\\w.-]+@)?(?:[\\w][\\w.-]*|\\[[0-9a-fA-F:.%\\w]+]))(?::(\\d{1,5}))?(/\\P{Cntrl}+)?");

    /** Characters that no shell takes for anything else. */
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    /** For a connection and the start of a JVM on a busy machine. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration ANSWER_TIMEOUT = Duration.ofMillis(HttpText.TIMEOUT_MILLIS);

    /** Exit code for a refused command line, of hubmark as of many other programs. */
    private static final int USAGE = 2;

    private final Process process;
    private final Duration answerTimeout;
    private final InputStream answers;
    private final OutputStream requests;
    private final ExecutorService reading;
    private final Thread complaining;
    private volatile String complaint = "";

    private SshWatch(Process process, Duration answerTimeout) {
        this.process = process;
        this.answerTimeout = answerTimeout;
        this.answers = new BufferedInputStream(process.getInputStream());
        this.requests = process.getOutputStream();
        this.reading = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("ssh-answers").factory());
        this.complaining =
                Thread.ofPlatform().daemon().name("ssh-complaints").start(this::readComplaints);
    }

    /**
     * Starts a watch there.
     *
     * @param destination [USER@]HOST[:PORT][/FILE] with the hubmark to run, of ssh's PATH there where no file
     *     is named; all else is in ssh's own configuration
     * @param options of the watch: what it counts
     * @throws UserError when ssh fails, there is no hubmark there, or it refuses the options
     */
    public static WatchedMachine open(String destination, List<String> options) {
        return start(destination, command(destination, options));
    }

    /** {@return how to run a watch there} Nobody is at hand to answer a question. */
    static List<String> command(String destination, List<String> options) {
        Matcher parts = DESTINATION.matcher(destination);
        if (!parts.matches()) {
            throw UserError.usage(
                    OPTION + destination + " is not a destination: ssh:[USER@]HOST[:PORT][/FILE]");
        }
        List<String> command = new ArrayList<>(List.of(
                "ssh",
                "-T",
                "-o",
                "BatchMode=yes",
                "-o",
                "ConnectTimeout=10",
                "-o",
                "ServerAliveInterval=5",
                "-o",
                "ServerAliveCountMax=3"));
        String port = parts.group(2);
        if (port != null) {
            command.addAll(List.of("-p", port));
        }
        String file = parts.group(3);
        List<String> words =
                new ArrayList<>(List.of(file == null ? "hubmark" : file, "watch", "--stdio"));
        words.addAll(options);
        command.addAll(List.of("--", parts.group(1).replaceAll("[\\[\\]]", ""), line(words)));
        return command;
    }

    /** {@return words as a shell takes them} */
    static String line(List<String> words) {
        return String.join(
                " ",
                words.stream()
                        .map(word -> PLAIN.matcher(word).matches()
                                ? word
                                : "'" + word.replace("'", "'\\''") + "'")
                        .toList());
    }

    static WatchedMachine start(String destination, List<String> command) {
        return start(destination, command, ANSWER_TIMEOUT);
    }

    static WatchedMachine start(String destination, List<String> command, Duration answerTimeout) {
        SshWatch watch;
        try {
            watch = new SshWatch(new ProcessBuilder(command).start(), answerTimeout);
        } catch (IOException e) {
            throw UserError.failed(OPTION + destination + ": ssh can't be run here ("
                    + FileErrors.reason(e) + ")");
        }
        boolean opened = false;
        try {
            watch.awaitReady();
            WatchedMachine machine = WatchClient.of(
                    watch, watch.ask(WatchReading.PATH), "ssh", destination, OPTION + destination);
            opened = true;
            return machine;
        } catch (IOException e) {
            String message = OPTION + destination + ": " + FileErrors.reason(e);
            throw !watch.process.isAlive() && watch.process.exitValue() == USAGE
                    ? UserError.usage(message)
                    : UserError.failed(message);
        } finally {
            if (!opened) {
                watch.close();
            }
        }
    }

    /** A profile of the shell there may print before, even a line without an end. */
    private void awaitReady() throws IOException {
        long begunNanos = System.nanoTime();
        while (!next(START_TIMEOUT, begunNanos).endsWith(WatchServer.READY)) {
            // The next line may be it.
        }
    }

    /** After a failure an answer may still come: nothing more may be asked. */
    @Override
    public String ask(String path) throws IOException {
        try {
            requests.write((path + "\n").getBytes(UTF_8));
            requests.flush();
        } catch (IOException e) {
            throw ended();
        }
        String answer = next(answerTimeout, System.nanoTime());
        String error = WatchReading.parse(answer, WatchReading.Failure.class).error();
        if (error != null) {
            throw new IOException(error);
        }
        return answer;
    }

    /** {@return the next line} Waits until so long after that moment. */
    private String next(Duration timeout, long sinceNanos) throws IOException {
        Future<Optional<String>> line = reading.submit(
                () -> Optional.ofNullable(WatchServer.line(answers, HttpText.OCTETS_MAX)));
        try {
            long leftNanos = timeout.toNanos() - (System.nanoTime() - sinceNanos);
            Optional<String> text = line.get(leftNanos, TimeUnit.NANOSECONDS);
            if (text.isEmpty()) {
                throw ended();
            }
            return text.get();
        } catch (TimeoutException e) {
            throw new IOException("no answer in " + timeout.toMillis() / 1e3 + " s"
                    + (complaint.isEmpty() ? "" : "; the last that it said is: " + complaint));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /**
     * Makes the error of an ssh that has ended. The last error lines and the exit code may come
     * after the end of its output.
     */
    private IOException ended() {
        try {
            complaining.join(ANSWER_TIMEOUT);
            if (!process.waitFor(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                return new IOException("it sends nothing more");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IOException("interrupted", e);
        }
        String words = complaint.isEmpty() ? "exit code " + process.exitValue() : complaint;
        return new IOException(
                switch (process.exitValue()) {
                    case 126, 127 ->
                        "no hubmark can be run there (" + words
                                + "); put a hubmark of the same version on the PATH of ssh's"
                                + " commands there, or name its file: ssh:HOST/FILE";
                    case 255 -> "ssh says: " + words;
                    default ->
                        "hubmark there says: " + words.replaceFirst("^hubmark: ", "")
                                + (words.contains("--stdio")
                                        ? "; run the same hubmark on both machines"
                                        : "");
                });
    }

    /** Ssh's own words come last. */
    private void readComplaints() {
        try (InputStream errors = new BufferedInputStream(process.getErrorStream())) {
            for (String line = WatchServer.line(errors, HttpText.OCTETS_MAX);
                    line != null;
                    line = WatchServer.line(errors, HttpText.OCTETS_MAX)) {
                complaint = line.isBlank() ? complaint : line.strip();
            }
        } catch (IOException e) {
            // It has ended.
            return;
        }
    }

    /** Ends ssh, and with its end of the pipe the watch. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
        reading.shutdownNow();
    }
}
