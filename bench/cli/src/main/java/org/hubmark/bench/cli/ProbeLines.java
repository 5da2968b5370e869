package org.hubmark.bench.cli;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.TerminalText;
import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.volumes.ProbeResult;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.bench.machine.volumes.Timings;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a volume can do, as a person reads it. */
final class ProbeLines {
    private static final double MB = 1e6;

    private ProbeLines() {}

    static void print(ProbeResult result, PrintStream out) {
        VolumeFacts facts = result.volume();
        out.println(facts.path() + ": " + facts.mount().filesystem() + " on "
                + VolumeLines.device(facts)
                + (result.emulated() ? ", acting like " + facts.emulates() : ""));
        out.println();
        TerminalText.print(times(result), out);
        out.println();
        TerminalText.print(new Block.Facts(facts(result)), out);
    }

    private static Block times(ProbeResult result) {
        String block = " " + result.blockBytes() / 1024 + " KiB, ";
        int threads = result.random().randomThreads();
        String by = block + threads + " threads";
        return new Block.Grid(
                "",
                List.of(
                        "milliseconds",
                        "per second",
                        "min",
                        "p50",
                        "p95",
                        "p99",
                        "p99.9",
                        "max",
                        "count"),
                List.of(
                        row("overwrite" + block + "fdatasync", result.syncs().overwriteDatasync()),
                        row("random write" + by, result.random().randomWrite()),
                        row("random read" + by, result.random().randomRead())));
    }

    private static List<String> row(String label, Timings timings) {
        List<String> row = new ArrayList<>(List.of(label, text("%.1f", timings.ratePerSecond())));
        for (Double millis : Arrays.asList(
                timings.minMs(),
                timings.p50Ms(),
                timings.p95Ms(),
                timings.p99Ms(),
                timings.p999Ms(),
                timings.maxMs())) {
            row.add(text("%.3f", millis));
        }
        row.add(Long.toString(timings.count()));
        return row;
    }

    private static List<Block.Fact> facts(ProbeResult result) {
        List<Block.Fact> facts = new ArrayList<>();
        facts.add(new Block.Fact(
                "sequential",
                text("write %.0f MB/s", result.sequential().sequentialWriteBytesPerS() / MB)
                        + text(
                                ", read %.0f MB/s",
                                result.sequential().sequentialReadBytesPerS() / MB)));
        facts.add(
                new Block.Fact("flushes per sync", text("%.2f", result.syncs().flushesPerSync())));
        if (!result.directIo()) {
            facts.add(new Block.Fact(
                    "note", "no direct I/O here: reads and unsynced writes are memory's"));
        }
        if (result.emulated()) {
            facts.add(new Block.Fact(
                    "note",
                    "syncs are emulated, and direct I/O where the profile has a time for it;"
                            + " other reads and unsynced writes have the speed of this machine"));
        }
        SyncReliability honesty = result.honesty();
        facts.add(new Block.Fact(
                "a sync is",
                honesty.verdict().text().toUpperCase(Locale.ROOT)
                        + (Boolean.TRUE.equals(honesty.cacheAnswers())
                                ? " (a cache answers)"
                                : "")));
        honesty.reasons().forEach(reason -> facts.add(new Block.Fact("reason", reason)));
        return facts;
    }

    private static String text(String format, @Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, format, value);
    }
}
