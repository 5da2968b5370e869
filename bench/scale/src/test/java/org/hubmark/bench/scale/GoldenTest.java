package org.hubmark.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.page.Markdown;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.scale.report.PriceTable;
import org.hubmark.bench.scale.report.ScaleReport;
import org.hubmark.bench.scale.result.HostFigures;
import org.hubmark.bench.scale.result.Latencies;
import org.hubmark.bench.scale.result.PriceResults;
import org.hubmark.bench.scale.result.PriceRun;
import org.hubmark.bench.scale.result.PricedQueue;
import org.hubmark.bench.scale.result.ScalePoint;
import org.hubmark.bench.scale.result.ScaleResults;
import org.hubmark.bench.scale.result.ScaleRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What is written of counters that stay the same stays the same: the files under golden. */
class GoldenTest {
    @TempDir
    Path folder;

    @Test
    void scaleOut() throws IOException {
        List<ScalePoint> points = new ArrayList<>();
        List<ScaleRun> alone = runs(1);
        for (int hosts = 1; hosts <= 3; hosts++) {
            int copies = Math.min(2, hosts);
            points.add(ScalePoint.of(copies, copies, null, runs(hosts), alone));
        }
        ScaleResults results = ScaleResults.of(
                new Tool("0.1", "abc"),
                GoldenInput.FROM,
                GoldenInput.TO,
                GoldenInput.MACHINE,
                "./hubmark scale-out",
                GoldenInput.SETTINGS,
                "weak",
                null,
                0.3,
                GoldenInput.RUNS,
                true,
                points);
        ScaleReport.write(results, folder);
        assertThat(results.json()).isEqualTo(golden("scale-out.json"));
        assertThat(Files.readString(folder.resolve("report.md"))).isEqualTo(golden("scale-out.md"));
    }

    @Test
    void price() throws IOException {
        List<PriceRun> runs = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            for (PricedQueue queue : PricedQueue.values()) {
                boolean cluster = queue.bookies() > 0;
                long accepted = 9000 - 2000L * queue.ordinal() + 300L * round;
                Histogram send = GoldenInput.histogram(queue.ordinal() + 1, round, 2_000_000);
                runs.add(new PriceRun(
                        round,
                        queue,
                        4000,
                        accepted / ((10_000_000_000L + round) / 1e9),
                        Latencies.of(send),
                        accepted,
                        0,
                        0,
                        null,
                        accepted * (40_000L + round) / (accepted * 1e3),
                        cluster ? (Double) (accepted * (50_000L + round) / (accepted * 1e3)) : null,
                        cluster ? (Double) (accepted * (60_000L + round) / (accepted * 1e3)) : null,
                        (accepted * 5200 + round) / (accepted * 4000.0),
                        cluster
                                ? (Double) ((accepted * 17_000 + round) / (accepted * 4000.0))
                                : null));
            }
        }
        PriceResults results = PriceResults.of(
                new Tool("0.1", "abc"),
                GoldenInput.FROM,
                GoldenInput.TO,
                GoldenInput.MACHINE,
                "./hubmark cluster price",
                GoldenInput.SETTINGS,
                true,
                runs);
        assertThat(results.json()).isEqualTo(golden("price.json"));
        assertThat(Markdown.of(
                        "Price", List.of(new Section(2, "Rows", List.of(PriceTable.of(results))))))
                .isEqualTo(golden("price.md"));
    }

    private static List<ScaleRun> runs(int hosts) {
        return GoldenInput.runs(hosts).stream().map(GoldenTest::run).toList();
    }

    private static ScaleRun run(GoldenInput.Run run) {
        List<HostFigures> figures = new ArrayList<>();
        long accepted = 0;
        for (GoldenInput.Host host : run.hostsOf()) {
            accepted += host.acceptedMsgs();
            HostReading before = new HostReading(0, 0L, 0L, 0L, 0L, 0, 0, 0);
            figures.add(new HostReading(
                            host.elapsedNanos(),
                            host.hubNanos(),
                            host.brokerNanos(),
                            host.bookieNanos(),
                            host.writtenBytes(),
                            host.sentBytes(),
                            host.receivedBytes(),
                            host.throttledNanos())
                    .since(before, figures.size() + 1, host.acceptedMsgs(), 4));
        }
        double seconds = run.elapsedNanos() / 1e9;
        return new ScaleRun(
                run.run(),
                run.hosts(),
                GoldenInput.FROM,
                seconds,
                accepted / seconds,
                Latencies.of(run.sendNanos()),
                Latencies.of(run.arrivalNanos()),
                accepted,
                run.refusedMsgs(),
                0,
                run.refusedMsgs() > 0 ? "452 full" : null,
                run.driverNanos() / 1e9 / seconds,
                100.0 * run.busyTicks() / run.totalTicks(),
                run.startNanos() / 1e9,
                figures);
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
