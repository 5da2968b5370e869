package org.hubmark.bench.scale.result;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results that nobody measured. */
final class MadeScale {
    private static final int SECONDS = 10;

    private MadeScale() {}

    /** {@return a run in which each host accepted as much as the others} */
    static Repeat.Builder run(int hosts, int run, double throughput) {
        List<Repeat> figures = new ArrayList<>();
        double accepted = SECONDS * throughput;
        double own = accepted / hosts;
        for (int host = 1; host <= hosts; host++) {
            figures.add(Repeat.counted()
                    .name(ScaleOut.HOST, host)
                    .count(ScaleOut.ACCEPTED, own)
                    .count(ScaleOut.MEASURED_NS, SECONDS * 1e9)
                    .count(ScaleOut.HUB_CPU_NS, 40_000 * own)
                    .count(ScaleOut.BROKER_CPU_NS, 50_000 * own)
                    .count(ScaleOut.BOOKIE_CPU_NS, 60_000 * own)
                    .made());
        }
        return Repeat.counted()
                .name(ScaleOut.RUN, run)
                .name(ScaleOut.STARTED, "2026-01-01T00:00:00Z")
                .count(ScaleOut.MEASURED_NS, SECONDS * 1e9)
                .count(ScaleOut.ACCEPTED, accepted)
                .count(ScaleOut.REFUSED, 0)
                .count(ScaleOut.FAILED, 0)
                .count(ScaleOut.HUB_CPU_NS, 40_000 * accepted)
                .count(ScaleOut.BROKER_CPU_NS, 50_000 * accepted)
                .count(ScaleOut.BOOKIE_CPU_NS, 60_000 * accepted)
                .times(ScaleOut.SEND, all(5_000_000L * hosts))
                .parts(ScaleOut.HOST_FIGURES, figures);
    }

    private static Histogram all(long nanos) {
        Histogram made = new Histogram(3);
        made.recordValueWithCount(nanos, 100);
        return made;
    }

    /** {@return the row of those throughputs, run by run} */
    static Row point(int hosts, @Nullable Double offered, double... throughputs) {
        List<Repeat> runs = new ArrayList<>();
        for (double throughput : throughputs) {
            runs.add(run(hosts, runs.size() + 1, throughput).made());
        }
        return row(hosts, offered, runs);
    }

    static Row row(int hosts, @Nullable Double offered, List<Repeat> runs) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        names.put(ScaleOut.HOSTS.key(), hosts);
        names.put(ScaleOut.USERS.key(), offered == null ? null : (Long) Math.round(offered * 192));
        names.put(ScaleOut.CORES.key(), 0.3 * hosts);
        names.put(ScaleOut.COPIES.key(), Math.min(2, hosts));
        names.put(ScaleOut.SYNCED_COPIES.key(), Math.min(2, hosts));
        names.put(ScaleOut.OFFERED.key(), offered);
        names.put(ScaleOut.PUBLISHED.key(), PublishedPoint.of(hosts));
        return new Row(names, runs);
    }

    /** {@return results of those points} */
    static Document results(Row... points) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(ScaleOut.SCALING.key(), "weak");
        return new Document(
                ScaleOut.KIND,
                new Provenance(
                        new Tool("0.1", null),
                        "2026-01-01T00:00:00Z",
                        "2026-01-01T00:10:00Z",
                        "scale-out <b>",
                        Map.of("runs", "5"),
                        new Environment(
                                new Environment.Processor("cpu", 2, 2, null, null),
                                null,
                                new Environment.Software("os", "6", "25", null),
                                List.of(),
                                null)),
                true,
                facts,
                List.of(new Table(ScaleOut.POINTS, List.of(points))),
                List.of());
    }

    /** {@return those of one, two and three hosts} */
    static Document results() {
        return results(
                point(1, null, 90, 100, 110, 50, 200),
                point(2, null, 150, 160, 170, 10, 900),
                point(3, null, 200, 210, 220, 190, 230));
    }
}
