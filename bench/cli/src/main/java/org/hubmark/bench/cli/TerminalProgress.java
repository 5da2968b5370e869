package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Progress;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Says on standard error how far a run is: on a terminal a line that is written over, elsewhere a line a
 * phase. One thread.
 */
final class TerminalProgress implements Progress, AutoCloseable {
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
    TerminalProgress(PrintStream err, boolean quiet) {
        this(err, quiet, !quiet && isTerminal());
    }

    TerminalProgress(PrintStream err, boolean quiet, boolean terminal) {
        this.err = err;
        this.quiet = quiet;
        this.terminal = terminal;
    }

    @Override
    public void phase(String name, Duration expected) {
        close();
        this.phase = name;
        this.expected = expected;
        if (terminal) {
            elapsed(Duration.ZERO, "");
        } else if (!quiet) {
            err.println(
                    name + (expected.isZero() ? "" : " (" + expected.toMillis() / 1000.0 + " s)"));
        }
    }

    @Override
    public void elapsed(Duration elapsed, String where) {
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

    @Override
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
        return isTerminal(Path.of("/proc/self/fd/2"), System.getenv("TERM"));
    }

    /** {@return whether a line can be written over on what the link leads to, a terminal of that kind} */
    static boolean isTerminal(Path link, @Nullable String term) {
        try {
            Path target = Files.readSymbolicLink(link);
            return !"dumb".equals(term)
                    && (target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty"));
        } catch (IOException e) {
            return false;
        }
    }
}
