package org.hubmark.bench.machine.watch;

import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command that starts {@code hubmark watch --stdio}, here or on another machine, asked over its pipes. The
 * watch ends when its input does. One thread, beside one that reads.
 */
public final class WatchProcess implements MachineSource {
    private static final String OPTION = "--target-watch";

    /** For a connection and the start of a JVM on a busy machine. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

    /** A driver that was interrupted reads its last counters; Ctrl-C at a terminal would end the watch too. */
    private static final String IGNORE_INTERRUPTION = "trap '' INT\n";

    private static final int LINE_OCTETS_MAX = 16 << 20;

    /** The profile of a shell may print before the counters; nothing prints as much as this. */
    private static final int LINES_SKIPPED_MAX = 1_000;

    private final Process process;
    private final Duration answerTimeout;
    private final InputStream lines;
    private final OutputStream requests;
    private final ExecutorService reading;

    private WatchProcess(Process process, Duration answerTimeout) {
        this.process = process;
        this.answerTimeout = answerTimeout;
        this.lines = new BufferedInputStream(process.getInputStream());
        this.requests = process.getOutputStream();
        this.reading = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("watch-lines").factory());
    }

    /**
     * Runs a command by the shell, whose errors go to standard error here, and awaits the first line.
     *
     * @return the machine that it watches; closing it ends the watch
     * @throws UserError when the command ends, writes something else, or is a watch of another version
     */
    public static RemoteMachine start(String command) {
        return start(command, ANSWER_TIMEOUT);
    }

    static RemoteMachine start(String command, Duration answerTimeout) {
        WatchProcess watch;
        try {
            watch = new WatchProcess(
                    new ProcessBuilder("sh", "-c", IGNORE_INTERRUPTION + command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start(),
                    answerTimeout);
        } catch (IOException e) {
            throw UserError.failed(OPTION + ": no shell runs here (" + FileErrors.reason(e) + ")");
        }
        boolean opened = false;
        try {
            RemoteMachine machine = RemoteMachine.of(watch, command, watch.first());
            opened = true;
            return machine;
        } catch (IOException e) {
            throw UserError.failed(OPTION + " '" + command + "': " + FileErrors.reason(e));
        } finally {
            if (!opened) {
                watch.close();
            }
        }
    }

    /** What a profile prints before may be a line without an end. */
    private WatchReading first() throws IOException {
        long begunNanos = System.nanoTime();
        String other = "";
        for (int skipped = 0; skipped < LINES_SKIPPED_MAX; skipped++) {
            String line;
            try {
                line = next(START_TIMEOUT, begunNanos);
            } catch (IOException e) {
                throw new IOException(
                        FileErrors.reason(e) + " before a line of counters came" + last(other), e);
            }
            int begin = line.indexOf(WatchReading.BEGIN);
            if (begin >= 0) {
                return checked(line.substring(begin));
            }
            other = line.isBlank() ? other : line.strip();
        }
        throw new IOException("it writes something other than counters" + last(other)
                + "; the command must run hubmark watch --stdio");
    }

    private static String last(String other) {
        return other.isEmpty() ? "" : "; the last line was: " + other;
    }

    private static WatchReading checked(String line) throws IOException {
        WatchReading.Form form = WatchReading.parse(line, WatchReading.Form.class);
        if (form.watch() != WatchReading.VERSION) {
            throw new IOException("it is hubmark " + form.hubmark() + ", which writes version "
                    + form.watch() + " of the counters, and this driver reads version "
                    + WatchReading.VERSION + "; run the same hubmark on both machines");
        }
        return WatchReading.parse(line, WatchReading.class);
    }

    /** After a failure a line may still come: nothing more may be asked. */
    @Override
    public MachineReading read() throws IOException {
        try {
            requests.write('\n');
            requests.flush();
        } catch (IOException e) {
            throw ended();
        }
        return WatchReading.parse(next(answerTimeout, System.nanoTime()), MachineReading.class);
    }

    /** {@return the next line} Waits until so long after that moment. */
    private String next(Duration timeout, long sinceNanos) throws IOException {
        Future<Optional<String>> line =
                reading.submit(() -> Optional.ofNullable(WatchLoop.line(lines, LINE_OCTETS_MAX)));
        try {
            long leftNanos = timeout.toNanos() - (System.nanoTime() - sinceNanos);
            Optional<String> text = line.get(leftNanos, TimeUnit.NANOSECONDS);
            if (text.isEmpty()) {
                throw ended();
            }
            return text.get();
        } catch (TimeoutException e) {
            throw new IOException("it took longer than " + timeout.toMillis() / 1e3 + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** {@return the error of a command that has ended} The exit code may come after the end of its output. */
    private IOException ended() {
        try {
            return new IOException(
                    process.waitFor(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                            ? "it ended with exit code " + process.exitValue()
                            : "it closed its output");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IOException("interrupted", e);
        }
    }

    /** Ends the watch by the end of its input; what does not end by that is killed. */
    @Override
    public void close() {
        try {
            requests.close();
        } catch (IOException e) {
            // It has ended.
        }
        try {
            var unused = process.waitFor(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        reading.shutdownNow();
    }
}
