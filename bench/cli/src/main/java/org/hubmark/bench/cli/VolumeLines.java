package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.ProbeResult;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.bench.machine.volumes.Timings;
import org.hubmark.hub.volumes.VolumeFacts;
import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Volumes as a person reads them. */
final class VolumeLines {
    private static final double MB = 1e6;
    private static final double GB = 1e9;
    private static final int LABEL_WIDTH = 16;

    private VolumeLines() {}

    static void print(List<VolumeFacts> all, PrintWriter out) {
        for (int i = 0; i < all.size(); i++) {
            if (i > 0) {
                out.println();
            }
            print(all.get(i), all.size() > 1, out);
        }
    }

    private static void print(VolumeFacts facts, boolean several, PrintWriter out) {
        out.println(facts.path());
        facts(facts, several, out);
    }

    /** What is known of a volume, but which folder it is about. */
    static void facts(VolumeFacts facts, boolean several, PrintWriter out) {
        line(out, "device", device(facts));
        line(out, "file system", facts.filesystem() + " at " + facts.mountPoint());
        line(
                out,
                "space",
                String.format(
                        Locale.ROOT,
                        "%.1f GB, %.1f GB free",
                        facts.sizeBytes() / GB,
                        facts.freeBytes() / GB));
        line(
                out,
                "mount options",
                facts.optionsThatMatter().isEmpty()
                        ? "nothing that matters" + barriers(facts)
                        : String.join(",", facts.optionsThatMatter()) + barriers(facts));
        line(out, "write cache", writeCache(facts.writeCache()));
        line(out, "rotational", yesNo(facts.rotational()));
        line(out, "scheduler", facts.scheduler());
        line(out, "RAID", facts.raid() == null ? "none known" : facts.raid());
        if (facts.emulates() != null) {
            line(out, "acts like", facts.emulates());
        }
        if (!facts.sharesDeviceWith().isEmpty()) {
            line(out, "shares a disk", "with " + String.join(", ", facts.sharesDeviceWith()));
        } else if (several) {
            line(out, "shares a disk", "with none of these");
        }
        facts.remarks().forEach(remark -> line(out, "note", remark));
    }

    /** Without a block device there is nothing to flush. */
    private static String barriers(VolumeFacts facts) {
        return facts.media().isEmpty() ? "" : "; barriers " + onOff(facts.barriers());
    }

    static void print(ProbeResult result, PrintWriter out) {
        VolumeFacts facts = result.volume();
        out.println(facts.path() + ": " + facts.filesystem() + " on " + device(facts)
                + (result.emulated() ? ", acting like " + facts.emulates() : ""));
        out.println();
        String block = result.blockBytes() / 1024 + " KiB";
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {
            "milliseconds", "per second", "min", "p50", "p95", "p99", "p99.9", "max", "count"
        });
        rows.add(row("overwrite " + block + ", fdatasync", result.overwriteDatasync()));
        rows.add(row("overwrite " + block + ", O_DSYNC", result.overwriteDsync()));
        rows.add(row("append " + block + ", fdatasync", result.appendDatasync()));
        String threads = result.randomThreads() == 1
                ? ", 1 thread"
                : ", " + result.randomThreads() + " threads";
        rows.add(row("random write " + block + threads, result.randomWrite()));
        rows.add(row("random read " + block + threads, result.randomRead()));
        table(rows, out);
        out.println();
        line(
                out,
                "sequential",
                String.format(
                        Locale.ROOT,
                        "write %.0f MB/s, read %.0f MB/s",
                        result.sequentialWriteBytesPerS() / MB,
                        result.sequentialReadBytesPerS() / MB));
        line(
                out,
                "each sync",
                "flushes at the device " + number(result.flushesPerSync()) + ", writes "
                        + number(result.writesPerSync()));
        if (!result.directIo()) {
            line(out, "note", "no direct I/O here: reads and writes without a sync are memory's");
        }
        if (result.emulated()) {
            line(
                    out,
                    "note",
                    "syncs are emulated, and what goes past the page cache where the profile has a time"
                            + " for it; other reads, and writes that nobody syncs, are this machine's");
        }
        print(result.honesty(), out);
    }

    private static void print(SyncReliability honesty, PrintWriter out) {
        line(
                out,
                "a sync is",
                honesty.verdict().text().toUpperCase(Locale.ROOT)
                        + (Boolean.TRUE.equals(honesty.cacheAnswers())
                                ? " (a cache answers)"
                                : ""));
        honesty.reasons().forEach(reason -> line(out, "", reason));
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

    private static String device(VolumeFacts facts) {
        if (facts.device() == null) {
            return "no block device";
        }
        StringBuilder text = new StringBuilder(facts.device());
        if (facts.model() != null) {
            text.append(" (").append(facts.model()).append(')');
        }
        if (!facts.media().equals(List.of(facts.device()))) {
            text.append(" on ").append(String.join(", ", facts.media()));
        }
        if (facts.backingFile() != null) {
            text.append(", file ").append(facts.backingFile());
        }
        return text.append(facts.virtual() ? ", virtual" : "").toString();
    }

    private static String writeCache(@Nullable String mode) {
        if (mode == null) {
            return "unknown";
        }
        return switch (mode) {
            case "write back" -> "write back: volatile, syncs send flushes";
            case "write through" -> "write through: none or not volatile, no flushes are sent";
            default -> mode;
        };
    }

    static void line(PrintWriter out, String label, @Nullable String text) {
        out.println("  " + label + " ".repeat(LABEL_WIDTH - label.length())
                + (text == null ? "unknown" : text));
    }

    private static String ms(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String number(@Nullable Double value) {
        return value == null ? "unknown" : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String onOff(boolean on) {
        return on ? "on" : "off";
    }

    private static String yesNo(@Nullable Boolean value) {
        return value == null ? "unknown" : value ? "yes" : "no";
    }
}
