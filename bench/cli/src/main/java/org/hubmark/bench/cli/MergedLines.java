package org.hubmark.bench.cli;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.machine.statistics.Percentile;
import org.hubmark.bench.mail.document.MergedLatencies;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Prints what several drivers measured together. */
final class MergedLines {
    /** Below it, drivers did not load the server at the same time. */
    private static final double TOGETHER_MIN = 0.9;

    private MergedLines() {}

    /**
     * {@return the exit code}
     *
     * @param json prints JSON, and no lines
     */
    static int print(List<Path> files, boolean json, PrintStream out, PrintStream err) {
        MergedLatencies merged = MergedLatencies.read(files);
        if (json) {
            out.println(merged.json());
            out.flush();
        } else {
            print(merged, out);
        }
        if (merged.together() < TOGETHER_MIN) {
            err.printf(
                    Locale.ROOT,
                    "hubmark: not valid: the drivers measured at the same time for only %.0f%% of"
                            + " the time; start them together (--start-at)%n",
                    100 * merged.together());
            return Outcomes.INVALID;
        }
        return 0;
    }

    private static void print(MergedLatencies merged, PrintStream out) {
        for (MergedLatencies.Source source : merged.sources()) {
            out.printf(
                    Locale.ROOT,
                    "%s: %d messages in %.1f s, %.1f msg/s%n",
                    source.file(),
                    source.messages(),
                    source.measuredSeconds(),
                    source.messages() / Math.max(1e-3, source.measuredSeconds()));
        }
        out.printf(
                Locale.ROOT,
                "together: %d messages, %.1f msg/s%n",
                merged.latencies().getTotalCount(),
                merged.ratePerSecond());
        print("latency ms", merged.latencies(), out);
        print("uncorrected ms", merged.uncorrected(), out);
    }

    private static void print(String title, @Nullable Histogram nanos, PrintStream out) {
        if (nanos != null) {
            out.println(latency(
                    title,
                    Stream.of(
                                    nanos.getMean(),
                                    Percentile.of(nanos, 50),
                                    Percentile.of(nanos, 95),
                                    Percentile.of(nanos, 99),
                                    Percentile.of(nanos, 99.9),
                                    (double) nanos.getMaxValue())
                            .map(MergedLines::millis)
                            .toList()));
        }
    }

    /** {@return a line with the mean, p50, p95, p99, p99.9 and the maximum} */
    static String latency(String title, List<String> millis) {
        return String.format(
                Locale.ROOT,
                "  %s: mean %s, p50 %s, p95 %s, p99 %s, p99.9 %s, max %s",
                Stream.concat(Stream.of(title), millis.stream()).toArray());
    }

    private static String millis(double nanos) {
        return Double.isNaN(nanos)
                ? Cells.UNKNOWN
                : String.format(Locale.ROOT, "%.3f", nanos / 1e6);
    }
}
