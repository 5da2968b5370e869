package org.hubmark.bench.mail.meter;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Says on standard error how far a run is: on a terminal a line that is written over, elsewhere a line a
 * phase. One thread.
 */
public final class Progress implements AutoCloseable {
    /** As much as any terminal has room for, so that no line is broken. */
    private static final int COLUMNS_MAX = 79;

    /** To the beginning of the line, which is cleared. */
    private static final String CLEARED = "\r\u001b[K";

    private final PrintStream err;
    private final boolean quiet;
    private final boolean terminal;
    private String phase = "";
    private Duration expected = Duration.ZERO;
    private boolean shown;

    /** Makes one; a quiet one says nothing. */
    public Progress(PrintStream err, boolean quiet) {
        this(err, quiet, !quiet && isTerminal());
    }

    Progress(PrintStream err, boolean quiet, boolean terminal) {
        this.err = err;
        this.quiet = quiet;
        this.terminal = terminal;
    }

    /**
     * Begins a phase.
     *
     * @param name what is being done
     * @param expected how long it takes; zero if that isn't known
     */
    public void phase(String name, Duration expected) {
        close();
        this.phase = name;
        this.expected = expected;
        if (terminal) {
            at(Duration.ZERO, "");
        } else if (!quiet) {
            err.println(
                    name + (expected.isZero() ? "" : " (" + expected.toMillis() / 1000.0 + " s)"));
        }
    }

    /** Says where the phase stands. */
    public void at(Duration elapsed, String where) {
        if (!terminal) {
            return;
        }
        String line = phase + ": " + elapsed.toSeconds()
                + (expected.isZero() ? "" : " of " + expected.toSeconds()) + " s"
                + (where.isEmpty() ? "" : ", " + where);
        err.print(CLEARED + line.substring(0, Math.min(COLUMNS_MAX, line.length())));
        err.flush();
        shown = true;
    }

    /** Says where the phase stands, by what happened since the last look. */
    void show(Snapshot start, Snapshot last, Snapshot now) {
        Double queued = now.hub("hubmark_queue_messages");
        double seconds = (now.nanos() - last.nanos()) / 1e9;
        long rate = Math.round((now.load().accepted() - last.load().accepted()) / seconds);
        at(
                Duration.ofNanos(now.nanos() - start.nanos()),
                rate + " msg/s" + (queued == null ? "" : ", queue " + Math.round(queued)));
    }

    /** {@return this on a terminal, else one that is silent} For work that is a phase as a whole. */
    Progress withoutPhases() {
        return terminal ? this : new Progress(err, true, false);
    }

    /** Says a line about what was done. */
    public void note(String line) {
        close();
        if (!quiet) {
            err.println(line);
        }
    }

    /** Takes the moving line away. */
    @Override
    public void close() {
        if (shown) {
            err.print(CLEARED);
            err.flush();
            shown = false;
        }
    }

    /** The console class of the JDK looks at standard input and output instead. */
    private static boolean isTerminal() {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
            return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }
}
