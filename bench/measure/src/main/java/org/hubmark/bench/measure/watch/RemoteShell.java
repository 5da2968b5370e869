package org.hubmark.bench.measure.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A POSIX shell on another machine that sends files, over the pipes of one process: ssh. Nothing has to
 * be installed there. The shell reads a loop from its standard input; then each line that it reads is a
 * request, and what it answers ends with a line of its own. Lines are all that is said: what is asked for
 * is a list of files, in which the shell itself expands {@code *}. One thread, beside two that read.
 */
final class RemoteShell implements AutoCloseable {
    /**
     * grep puts the name of the file before each line, so that one process sends them all; /dev/null
     * makes sure that there is more than one. Arguments of processes have NULs in them, for which GNU's
     * grep wants -a, which others don't know.
     */
    private static final String LOOP = """
            LC_ALL=C; export LC_ALL; set -f; a=-a; grep -a '' /dev/null >/dev/null 2>&1
            if [ $? -gt 1 ]; then a=; fi
            echo "hubmark-ready $$"
            while read -r what rest; do
              case $what in
                files) set +f; grep $a '' /dev/null $rest 2>/dev/null; set -f ;;
                clock) date +%s%N ;;
                folder) (cd -- "$rest" 2>/dev/null && pwd -P) ;;
              esac
              echo hubmark-end
            done
            """;

    private static final String READY = "hubmark-ready ";
    private static final String END = "hubmark-end";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    /** More is no answer of ours: a machine of 10,000 processes sends a tenth of it. */
    private static final int LINES_MAX = 1_000_000;

    private static final int COMPLAINTS_MAX = 20;
    private static final Line LAST = new Line("", true);

    private final Process process;
    private final Writer requests;
    private final BlockingQueue<Line> answers = new LinkedBlockingQueue<>(LINES_MAX);
    private final List<String> complaints = new ArrayList<>();
    private final Thread complaining;
    private long shellId;

    /** What was said, or that nothing more will be. */
    private record Line(String text, boolean last) {}

    private RemoteShell(Process process) {
        this.process = process;
        this.requests = process.outputWriter(UTF_8);
        this.complaining =
                Thread.ofPlatform().daemon().name("shell-complaints").start(this::readComplaints);
        Thread.ofPlatform().daemon().name("shell-answers").start(this::readAnswers);
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param command that becomes a shell whose standard input is a script
     * @throws IOException when it doesn't: the last that it complained of
     */
    static RemoteShell start(List<String> command) throws IOException {
        RemoteShell shell = new RemoteShell(new ProcessBuilder(command).start());
        boolean ready = false;
        try {
            shell.say(LOOP);
            shell.awaitReady();
            ready = true;
            return shell;
        } finally {
            if (!ready) {
                shell.close();
            }
        }
    }

    private void awaitReady() throws IOException {
        // A login may greet before.
        for (int i = 0; i < LINES_MAX; i++) {
            String line = next(START_TIMEOUT);
            if (line.startsWith(READY)) {
                shellId = Long.parseLong(line.substring(READY.length()).strip());
                return;
            }
        }
        throw new IOException("it never becomes ready");
    }

    /** {@return the number of the shell on its machine} */
    long shellId() {
        return shellId;
    }

    /**
     * {@return the texts of files, by their names without the slash in front} What is not there, or empty, is
     * absent.
     *
     * @param patterns of absolute paths without blanks, in which * stands for any name
     */
    Map<String, String> files(List<String> patterns) throws IOException {
        say("files " + String.join(" ", patterns) + "\n");
        Map<String, StringBuilder> texts = new HashMap<>();
        for (String line = next(ANSWER_TIMEOUT); !line.equals(END); line = next(ANSWER_TIMEOUT)) {
            int colon = line.indexOf(':');
            if (colon > 1) {
                texts.computeIfAbsent(line.substring(1, colon), file -> new StringBuilder())
                        .append(line, colon + 1, line.length())
                        .append('\n');
            }
        }
        Map<String, String> files = new HashMap<>();
        texts.forEach((file, text) -> files.put(file, text.toString()));
        return files;
    }

    /** {@return the folder without symbolic links; empty when there is none} */
    String folder(String path) throws IOException {
        return ask("folder " + path);
    }

    /** {@return nanoseconds since 1970; empty, or with something behind the seconds, from some systems} */
    String clock() throws IOException {
        return ask("clock");
    }

    private String ask(String request) throws IOException {
        say(request + "\n");
        String answer = "";
        for (String line = next(ANSWER_TIMEOUT); !line.equals(END); line = next(ANSWER_TIMEOUT)) {
            answer = line;
        }
        return answer;
    }

    private void say(String text) throws IOException {
        try {
            requests.write(text);
            requests.flush();
        } catch (IOException e) {
            throw ended();
        }
    }

    private String next(Duration timeout) throws IOException {
        try {
            Line line = answers.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new IOException("no answer in " + timeout.toSeconds() + " s");
            }
            if (line.last()) {
                throw ended();
            }
            return line.text();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Its end may be known before its last words are. */
    private IOException ended() {
        try {
            complaining.join(ANSWER_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (complaints) {
            return new IOException(
                    complaints.isEmpty() ? "it ended without a word" : complaints.getLast());
        }
    }

    private void readAnswers() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.put(new Line(line, false));
            }
        } catch (IOException e) {
            // It has ended, which is said below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var unused = answers.offer(LAST);
    }

    /** The last lines of it; ssh's own come last. */
    private void readComplaints() {
        try (BufferedReader lines = process.errorReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (complaints) {
                    if (complaints.size() == COMPLAINTS_MAX) {
                        complaints.removeFirst();
                    }
                    complaints.add(line.strip());
                }
            }
        } catch (IOException e) {
            // It has ended.
            return;
        }
    }

    /** Ends it: the shell there ends when its input does. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
