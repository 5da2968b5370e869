package org.hubmark.bench.measure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.statistics.Percentile;
import org.hubmark.bench.measure.hub.HubCounters;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Says on standard error how far a run is: on a terminal a moving line, elsewhere a line a phase.
 * One thread.
 */
public final class Progress implements AutoCloseable {
    private static final int COLUMNS_MAX = 100;
    private static final int STTY_SECONDS_MAX = 2;

    private static final int COLUMNS_DEFAULT = 80;
    private static final int UPDATE_MILLIS = 250;

    private final PrintStream err;
    private final boolean quiet;
    /** Columns of the terminal; 0 where there is none. */
    private final int columns;

    private @Nullable ProgressBar bar;

    /** Makes one; a quiet one says nothing. */
    public Progress(PrintStream err, boolean quiet) {
        this.err = err;
        this.quiet = quiet;
        this.columns = quiet ? 0 : columns();
    }

    /**
     * Begins a phase.
     *
     * @param name what is being done
     * @param expected how long it takes; zero if that isn't known
     */
    public void phase(String name, Duration expected) {
        close();
        if (quiet) {
            return;
        }
        if (columns == 0) {
            err.println(
                    name + (expected.isZero() ? "" : " (" + expected.toMillis() / 1000.0 + " s)"));
            return;
        }
        bar = new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(expected.toMillis())
                .setUnit(" s", 1000)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(err, columns))
                // The remaining time stands at the end of the line, by the phase's own clock.
                .hideEta()
                .clearDisplayOnFinish()
                .build();
    }

    /** Says where the phase stands. */
    public void at(Duration elapsed, String where) {
        if (bar == null) {
            return;
        }
        bar.stepTo(Math.min(elapsed.toMillis(), Math.max(bar.getMax(), 0)));
        bar.setExtraMessage(where + left(elapsed));
    }

    private String left(Duration elapsed) {
        ProgressBar shown = Objects.requireNonNull(bar);
        long seconds = Math.round((shown.getMax() - elapsed.toMillis()) / 1e3);
        return shown.getMax() <= 0 ? "" : ", " + Math.max(0, seconds) + " s left";
    }

    /**
     * Says where the phase stands.
     *
     * @param where stands before the rate
     * @param queued messages in the server's queue, or null if that isn't known
     * @param p99Millis of the latency since the last call; null of too few messages
     */
    private void at(
            String where,
            Duration elapsed,
            double messagesPerSecond,
            @Nullable Double queued,
            @Nullable Double p99Millis) {
        if (bar == null) {
            return;
        }
        bar.stepTo(Math.min(elapsed.toMillis(), Math.max(bar.getMax(), 0)));
        bar.setExtraMessage(where
                + Math.round(messagesPerSecond) + " msg/s"
                + (p99Millis == null ? "" : String.format(Locale.ROOT, ", p99 %.1f ms", p99Millis))
                + (queued == null ? "" : ", queue " + Math.round(queued))
                + left(elapsed));
    }

    /**
     * Says where the phase stands, by what happened since the last look.
     *
     * @param where a part of the phase, with what parts it from the rate; may be empty
     * @param latest nanoseconds of latency since the last look
     */
    void show(String where, Snapshot start, Snapshot last, Snapshot now, Histogram latest) {
        HubCounters hub = now.hub();
        double seconds = (now.nanos() - last.nanos()) / 1e9;
        at(
                where,
                Duration.ofNanos(now.nanos() - start.nanos()),
                (now.load().accepted() - last.load().accepted()) / seconds,
                hub == null ? null : hub.get("hubmark_queue_messages"),
                Percentile.millis(latest, 99));
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
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }

    /** The console class of the JDK looks at standard input and output instead. */
    private static int columns() {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
            return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty")
                    ? columns(target, "stty", "size")
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** {@return what fits a terminal, as a command says that prints its rows and columns} */
    static int columns(Path terminal, String... command) {
        try {
            Process stty = new ProcessBuilder(command)
                    .redirectInput(terminal.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            // One that sets the terminal is stopped by the kernel in a background job, for ever.
            if (!stty.waitFor(STTY_SECONDS_MAX, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return COLUMNS_DEFAULT;
            }
            return width(new String(stty.getInputStream().readAllBytes(), US_ASCII).strip());
        } catch (IOException e) {
            return COLUMNS_DEFAULT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return COLUMNS_DEFAULT;
        }
    }

    /** {@return what fits a terminal of that size, which is given as rows and columns} */
    static int width(String size) {
        boolean known = size.matches("\\d{1,5} [1-9]\\d{0,4}");
        return known
                ? Math.min(COLUMNS_MAX, Integer.parseInt(size.substring(size.indexOf(' ') + 1)))
                : COLUMNS_DEFAULT;
    }
}
