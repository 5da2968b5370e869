package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Results that nobody measured. */
public final class MadeScale {
    private MadeScale() {}

    /** {@return a run in which each host accepted as much as the others} */
    public static ScaleRun run(int hosts, int run, double throughput) {
        List<HostFigures> figures = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            figures.add(new HostFigures(
                    host,
                    10 * throughput / hosts,
                    40.0,
                    50.0,
                    60.0,
                    150.0,
                    0.3,
                    25.0,
                    9000.0,
                    4500.0,
                    8800.0));
        }
        return new ScaleRun(
                run,
                hosts,
                "2026-01-01T00:00:00Z",
                10,
                throughput,
                new Latencies(5 * hosts, 4, 9 * hosts, 20, 30),
                new Latencies(6 * hosts, 5, 10 * hosts, 21, 31),
                Math.round(10 * throughput),
                0,
                0,
                null,
                0.1,
                90.0,
                12.5,
                figures);
    }

    /** {@return a point of those throughputs, run by run} */
    public static ScalePoint point(
            int hosts, @Nullable Double offered, double[] throughputs, double[] alone) {
        int copies = Math.min(2, hosts);
        return ScalePoint.of(copies, copies, offered, runs(hosts, throughputs), runs(1, alone));
    }

    private static List<ScaleRun> runs(int hosts, double[] throughputs) {
        List<ScaleRun> runs = new ArrayList<>();
        for (int i = 0; i < throughputs.length; i++) {
            runs.add(run(hosts, i + 1, throughputs[i]));
        }
        return runs;
    }

    /** {@return results of those points} */
    public static ScaleResults results(List<ScalePoint> points) {
        return ScaleResults.of(
                new Tool("0.1", null),
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:10:00Z",
                new Environment(
                        "cpu", 2, 2, null, null, null, "os", "6", "25", null, List.of(), null),
                "scale-out <b>",
                Map.of("runs", "5"),
                "weak",
                null,
                0.3,
                5,
                true,
                points);
    }

    /** {@return those of one, two and three hosts} */
    public static ScaleResults results() {
        double[] alone = {90, 100, 110, 50, 200};
        return results(List.of(
                point(1, null, alone, alone),
                point(2, null, new double[] {150, 160, 170, 10, 900}, alone),
                point(3, null, new double[] {200, 210, 220, 190, 230}, alone)));
    }
}
