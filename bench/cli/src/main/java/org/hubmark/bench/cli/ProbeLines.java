package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.ProbeResult;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.bench.machine.volumes.Timings;
import org.hubmark.hub.volumes.VolumeFacts;
import org.hubmark.server.VolumeLines;
import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a volume can do, as a person reads it. */
final class ProbeLines {
    private static final double MB = 1e6;

    private ProbeLines() {}

    static void print(ProbeResult result, PrintWriter out) {
        VolumeFacts facts = result.volume();
        out.println(facts.path() + ": " + facts.mount().filesystem() + " on "
                + VolumeLines.device(facts)
                + (result.emulated() ? ", acting like " + facts.emulates() : ""));
        out.println();
        String block = result.blockBytes() / 1024 + " KiB";
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {
            "milliseconds", "per second", "min", "p50", "p95", "p99", "p99.9", "max", "count"
        });
        rows.add(row("overwrite " + block + ", fdatasync", result.syncs().overwriteDatasync()));
        rows.add(row("overwrite " + block + ", O_DSYNC", result.syncs().overwriteDsync()));
        rows.add(row("append " + block + ", fdatasync", result.syncs().appendDatasync()));
        String threads = result.random().randomThreads() == 1
                ? ", 1 thread"
                : ", " + result.random().randomThreads() + " threads";
        rows.add(row("random write " + block + threads, result.random().randomWrite()));
        rows.add(row("random read " + block + threads, result.random().randomRead()));
        table(rows, out);
        out.println();
        VolumeLines.line(
                out,
                "sequential",
                String.format(
                        Locale.ROOT,
                        "write %.0f MB/s, read %.0f MB/s",
                        result.sequential().sequentialWriteBytesPerS() / MB,
                        result.sequential().sequentialReadBytesPerS() / MB));
        VolumeLines.line(
                out,
                "each sync",
                "flushes at the device " + number(result.syncs().flushesPerSync()) + ", writes "
                        + number(result.syncs().writesPerSync()));
        if (!result.directIo()) {
            VolumeLines.line(
                    out,
                    "note",
                    "no direct I/O here: reads and writes without a sync are memory's");
        }
        if (result.emulated()) {
            VolumeLines.line(
                    out,
                    "note",
                    "syncs are emulated, and direct I/O where the profile has a time for it; other"
                            + " reads, and writes that are not synced, are this machine's");
        }
        print(result.honesty(), out);
    }

    private static void print(SyncReliability honesty, PrintWriter out) {
        VolumeLines.line(
                out,
                "a sync is",
                honesty.verdict().text().toUpperCase(Locale.ROOT)
                        + (Boolean.TRUE.equals(honesty.cacheAnswers())
                                ? " (a cache answers)"
                                : ""));
        honesty.reasons().forEach(reason -> VolumeLines.line(out, "", reason));
    }

    private static String[] row(String label, Timings timings) {
        return new String[] {
            label,
            String.format(Locale.ROOT, "%.1f", timings.ratePerSecond()),
            ms(timings.minMs()),
            ms(timings.p50Ms()),
            ms(timings.p95Ms()),
            ms(timings.p99Ms()),
            ms(timings.p999Ms()),
            ms(timings.maxMs()),
            Long.toString(timings.count())
        };
    }

    private static void table(List<String[]> rows, PrintWriter out) {
        int[] widths = new int[rows.getFirst().length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder(row[0]);
            line.append(" ".repeat(widths[0] - row[0].length()));
            for (int i = 1; i < row.length; i++) {
                line.append(" ".repeat(2 + widths[i] - row[i].length())).append(row[i]);
            }
            out.println(line);
        }
    }

    private static String ms(@Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.3f", value);
    }

    private static String number(@Nullable Double value) {
        return value == null ? "unknown" : String.format(Locale.ROOT, "%.2f", value);
    }
}
