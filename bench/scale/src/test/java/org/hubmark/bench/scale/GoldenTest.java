package org.hubmark.bench.scale;

import static org.hubmark.golden.GoldenFiles.requireSame;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.scale.result.PublishedPoint;
import org.hubmark.bench.scale.result.ScaleOut;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What is written of counters that stay the same stays the same. */
class GoldenTest {
    private static final String FROM = "2026-01-01T00:00:00Z";
    private static final Environment MACHINE = new Environment(
            new Environment.Processor("Made CPU", 4, 4, 2100.0, "made"),
            8_000_000_000L,
            new Environment.Software("os", "6.1", "25", null),
            List.of(),
            null);

    @TempDir
    Path folder;

    @Test
    void scaleOut() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (int hosts = 1; hosts <= 3; hosts++) {
            int count = hosts;
            Map<String, @Nullable Object> names = new LinkedHashMap<>();
            names.put(ScaleOut.HOSTS.key(), hosts);
            names.put(ScaleOut.USERS.key(), null);
            names.put(ScaleOut.CORES.key(), 0.3 * hosts);
            names.put(ScaleOut.COPIES.key(), Math.min(2, hosts));
            names.put(ScaleOut.SYNCED_COPIES.key(), Math.min(2, hosts));
            names.put(ScaleOut.OFFERED.key(), null);
            names.put(ScaleOut.PUBLISHED.key(), PublishedPoint.of(hosts));
            rows.add(new Row(
                    names,
                    IntStream.rangeClosed(1, 5).mapToObj(run -> run(count, run)).toList()));
        }
        Document document = new Document(
                ScaleOut.KIND,
                new Provenance(
                        new Tool("0.1", "abc"),
                        FROM,
                        "2026-01-01T00:10:00Z",
                        "./hubmark scale-out",
                        new TreeMap<>(Map.of("runs", 5, "size", "4KB")),
                        MACHINE),
                true,
                Map.of(ScaleOut.SCALING.key(), "weak"),
                List.of(new Table(ScaleOut.POINTS, rows)),
                List.of());
        DocumentReport.write(document, folder);
        requireSame("scale-out.json", DocumentFile.json(document));
        requireSame("scale-out.md", Files.readString(folder.resolve("report.md")));
    }

    private static Repeat run(int hosts, int run) {
        List<Repeat> each = IntStream.rangeClosed(1, hosts)
                .mapToObj(host -> host(hosts, run, host))
                .toList();
        Histogram send = new Histogram(3);
        for (int i = 0; i < 400; i++) {
            send.recordValue(
                    3_000_000L * hosts + 100_003L * run * (i % 37) + (i == 399 ? 15_000_000L : 0));
        }
        long refused = hosts == 2 && run == 3 ? 2 : 0;
        return RunMeter.run(Repeat.counted(), run, Instant.parse(FROM), each)
                .name(ScaleOut.REFUSAL, refused > 0 ? "452 full" : null)
                .count(ScaleOut.MEASURED_NS, 10_000_000_000L + 900_001L * run)
                .count(ScaleOut.REFUSED, refused)
                .count(ScaleOut.FAILED, 0)
                .count(MachineMeter.BUSY_TICKS, 3000L + 11L * run)
                .count(MachineMeter.TOTAL_TICKS, 4000)
                .times(ScaleOut.SEND, send)
                .made();
    }

    /** What a host's counters grew by in a run. */
    private static Repeat host(int hosts, int run, int host) {
        long accepted = 10_000 - 700L * hosts + 130L * run * run - 50L * host;
        Map<Formula.Counter, @Nullable Long> grown = new LinkedHashMap<>();
        grown.put(ScaleOut.MEASURED_NS, 10_000_000_000L + 1_000_003L * run);
        grown.put(ScaleOut.HUB_CPU_NS, accepted * (41_000 + 900L * hosts + 77L * run));
        grown.put(ScaleOut.BROKER_CPU_NS, accepted * (52_000 + 1100L * host + 31L * run));
        grown.put(ScaleOut.BOOKIE_CPU_NS, accepted * (61_000 + 300L * hosts));
        grown.put(ScaleOut.THROTTLED_NS, 100_000_000L * run + 7L * host);
        Map<Formula.Counter, @Nullable Long> begun = new LinkedHashMap<>();
        grown.keySet().forEach(counter -> begun.put(counter, 0L));
        return new HostReading(grown, 1_500_000_000L)
                .since(new HostReading(begun, null), host, accepted, 4);
    }
}
