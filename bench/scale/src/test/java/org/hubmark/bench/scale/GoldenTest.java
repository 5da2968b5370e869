package org.hubmark.bench.scale;

import static org.hubmark.golden.GoldenFiles.requireSame;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
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

/** What is written of counters that stay the same stays the same. */
class GoldenTest {
    @TempDir
    Path folder;

    @Test
    void scaleOut() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (int hosts = 1; hosts <= 3; hosts++) {
            Map<String, @Nullable Object> names = new LinkedHashMap<>();
            names.put(ScaleOut.HOSTS.key(), hosts);
            names.put(ScaleOut.USERS.key(), null);
            names.put(ScaleOut.CORES.key(), 0.3 * hosts);
            names.put(ScaleOut.COPIES.key(), Math.min(2, hosts));
            names.put(ScaleOut.SYNCED_COPIES.key(), Math.min(2, hosts));
            names.put(ScaleOut.OFFERED.key(), null);
            names.put(ScaleOut.PUBLISHED.key(), PublishedPoint.of(hosts));
            rows.add(new Row(
                    names, GoldenInput.runs(hosts).stream().map(GoldenTest::run).toList()));
        }
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(ScaleOut.SCALING.key(), "weak");
        requireSame(
                "scale-out.json",
                written(
                        ScaleOut.KIND,
                        "./hubmark scale-out",
                        facts,
                        new Table(ScaleOut.POINTS, rows)));
        requireSame("scale-out.md", Files.readString(folder.resolve("report.md")));
    }

    private String written(
            Kind kind, String command, Map<String, @Nullable Object> facts, Table table)
            throws IOException {
        Document document = new Document(
                kind,
                new Provenance(
                        new Tool("0.1", "abc"),
                        GoldenInput.FROM,
                        GoldenInput.TO,
                        command,
                        GoldenInput.SETTINGS,
                        GoldenInput.MACHINE),
                true,
                facts,
                List.of(table),
                List.of());
        DocumentReport.write(document, folder);
        return DocumentFile.json(document);
    }

    private static Repeat run(GoldenInput.Run run) {
        List<Repeat> hosts = new ArrayList<>();
        for (GoldenInput.Host host : run.hostsOf()) {
            Map<Formula.Counter, @Nullable Long> grown = new LinkedHashMap<>();
            grown.put(ScaleOut.MEASURED_NS, host.elapsedNanos());
            grown.put(ScaleOut.HUB_CPU_NS, host.hubNanos());
            grown.put(ScaleOut.BROKER_CPU_NS, host.brokerNanos());
            grown.put(ScaleOut.BOOKIE_CPU_NS, host.bookieNanos());
            grown.put(ScaleOut.THROTTLED_NS, host.throttledNanos());
            Map<Formula.Counter, @Nullable Long> begun = new LinkedHashMap<>();
            grown.keySet().forEach(counter -> begun.put(counter, 0L));
            hosts.add(new HostReading(grown, 1_500_000_000L)
                    .since(new HostReading(begun, null), hosts.size() + 1, host.acceptedMsgs(), 4));
        }
        return RunMeter.run(Repeat.counted(), run.run(), Instant.parse(GoldenInput.FROM), hosts)
                .name(ScaleOut.REFUSAL, run.refusedMsgs() > 0 ? "452 full" : null)
                .count(ScaleOut.MEASURED_NS, run.elapsedNanos())
                .count(ScaleOut.REFUSED, run.refusedMsgs())
                .count(ScaleOut.FAILED, 0)
                .count(MachineMeter.BUSY_TICKS, run.busyTicks())
                .count(MachineMeter.TOTAL_TICKS, run.totalTicks())
                .times(ScaleOut.SEND, run.sendNanos())
                .made();
    }
}
