package org.hubmark.bench.scale.report;

import org.hubmark.bench.results.page.Block;
import org.hubmark.bench.results.page.Cells;
import org.hubmark.bench.scale.result.HostFigures;
import org.hubmark.bench.scale.result.Latencies;
import org.hubmark.bench.scale.result.PublishedPoint;
import org.hubmark.bench.scale.result.ScalabilityLaw;
import org.hubmark.bench.scale.result.ScalePoint;
import org.hubmark.bench.scale.result.ScaleResults;
import org.hubmark.bench.scale.result.ScaleRun;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The tables of a scale-out, for report and terminal. */
public final class ScaleTables {
    private ScaleTables() {}

    /** {@return what there is first to know, a row a number of hosts} */
    public static Block.Grid points(ScaleResults results) {
        List<List<String>> rows = new ArrayList<>();
        for (ScalePoint point : results.points()) {
            double[] rates = point.runs().stream()
                    .mapToDouble(ScaleRun::throughputMsgsPerS)
                    .toArray();
            rows.add(List.of(
                    Integer.toString(point.hosts()),
                    point.copies() + " (" + point.syncedCopies() + ")",
                    Shown.number(point.throughputMsgsPerS(), rates, point.throughputCi95()),
                    Shown.share(point.efficiency(), point.efficiencyCi95()),
                    latency(point.sendLatencyMs(), Latencies::mean),
                    latency(point.sendLatencyMs(), Latencies::p95),
                    passes(point.withinLimit()),
                    latency(point.arrivalLatencyMs(), Latencies::mean),
                    latency(point.arrivalLatencyMs(), Latencies::p95)));
        }
        return new Block.Grid(
                (results.scaling().equals("weak")
                                ? "Weak scaling: the same load for each host"
                                : "Strong scaling: the same load for all hosts together")
                        + "; in parentheses intervals of 95 %",
                List.of(
                        "Hosts",
                        "Copies (synced)",
                        "Messages/s",
                        "Efficiency",
                        "Send mean (ms)",
                        "Send p95 (ms)",
                        "p95 within " + Math.round(PublishedPoint.limitMs()) + " ms",
                        "Arrival mean (ms)",
                        "Arrival p95 (ms)"),
                rows);
    }

    /** {@return the columns of the study} */
    public static Block.Grid published(ScaleResults results) {
        List<List<String>> rows = new ArrayList<>();
        for (PublishedPoint point : results.published()) {
            rows.add(List.of(
                    Integer.toString(point.hosts()),
                    Integer.toString(point.users()),
                    Shown.number(point.msgsPerS()),
                    Shown.number(point.sendLatencyMs().mean()),
                    Shown.number(point.sendLatencyMs().p95())));
        }
        return new Block.Grid(
                "Published: " + PublishedPoint.name()
                        + "; other hardware and software: for orientation, not for comparison",
                List.of("Hosts", "Users", "Messages/s", "Send mean (ms)", "Send p95 (ms)"),
                rows);
    }

    /** {@return what a message costs, on all hosts together and on each} */
    static Block.Grid costs(ScaleResults results) {
        List<List<String>> rows = new ArrayList<>();
        for (ScalePoint point : results.points()) {
            rows.add(List.of(
                    Integer.toString(point.hosts()),
                    "all",
                    Shown.number(point.throughputMsgsPerS()),
                    Shown.number(point.cpuUsPerMsg()),
                    Cells.UNKNOWN,
                    Cells.UNKNOWN,
                    Cells.UNKNOWN,
                    Cells.UNKNOWN,
                    Cells.UNKNOWN,
                    Shown.number(point.writtenBytesPerMsg()),
                    Shown.number(point.sentBytesPerMsg()),
                    Cells.UNKNOWN));
            for (HostFigures host : point.hostFigures()) {
                rows.add(host(point, host));
            }
        }
        return new Block.Grid(
                "What a message costs: of each host by what its own hub accepted",
                List.of(
                        "Hosts",
                        "Host",
                        "Messages/s",
                        "CPU (us/msg)",
                        "hub",
                        "broker",
                        "bookie",
                        "CPU (cores)",
                        "Throttled (%)",
                        "Written (octets/msg)",
                        "Sent (octets/msg)",
                        "Received (octets/msg)"),
                rows);
    }

    private static List<String> host(ScalePoint point, HostFigures host) {
        double seconds =
                point.runs().stream().mapToDouble(ScaleRun::measuredS).average().orElse(1);
        return List.of(
                Integer.toString(point.hosts()),
                Integer.toString(host.host()),
                Shown.number(host.acceptedMsgs() / seconds),
                Shown.number(host.cpuUsPerMsg()),
                Shown.number(host.hubCpuUsPerMsg()),
                Shown.number(host.brokerCpuUsPerMsg()),
                Shown.number(host.bookieCpuUsPerMsg()),
                Shown.number(host.cpuCores()),
                Shown.number(host.throttledPercent()),
                Shown.number(host.writtenBytesPerMsg()),
                Shown.number(host.sentBytesPerMsg()),
                Shown.number(host.receivedBytesPerMsg()));
    }

    /** {@return each run} */
    static Block.Grid runs(ScaleResults results) {
        List<List<String>> rows = new ArrayList<>();
        for (ScalePoint point : results.points()) {
            for (ScaleRun run : point.runs()) {
                rows.add(List.of(
                        Integer.toString(run.hosts()),
                        Integer.toString(run.run()),
                        run.startedAt(),
                        Shown.number(run.startS()),
                        Shown.number(run.throughputMsgsPerS()),
                        latency(run.sendLatencyMs(), Latencies::mean),
                        latency(run.sendLatencyMs(), Latencies::p95),
                        latency(run.sendLatencyMs(), Latencies::max),
                        Long.toString(run.acceptedMsgs()),
                        Long.toString(run.refusedMsgs()),
                        Long.toString(run.failedMsgs()),
                        Shown.number(run.driverCpuCores()),
                        Shown.number(run.machineCpuPercent())));
            }
        }
        return new Block.Grid(
                "Each run",
                List.of(
                        "Hosts",
                        "Run",
                        "Measured from",
                        "Start (s)",
                        "Messages/s",
                        "Send mean (ms)",
                        "Send p95 (ms)",
                        "Send max (ms)",
                        "Accepted",
                        "Refused",
                        "Failed",
                        "Driver CPU (cores)",
                        "Machine CPU (%)"),
                rows);
    }

    /** {@return the parameters of the model} */
    public static Block.Grid model(ScalabilityLaw model) {
        return new Block.Grid(
                "A model, not a measurement: the universal scalability law,"
                        + " X(n) = a n / (1 + s (n - 1) + k n (n - 1)); in parentheses intervals of 95 %",
                List.of(
                        "a (messages/s of one host)",
                        "s (contention)",
                        "k (coherence)",
                        "Largest residual (%)",
                        "Peak at (hosts)"),
                List.of(List.of(
                        Shown.parameter(model.perHost(), model.perHostCi95()),
                        Shown.parameter(model.contention(), model.contentionCi95()),
                        Shown.parameter(model.coherence(), model.coherenceCi95()),
                        Shown.number(model.residualMaxPercent()),
                        Shown.number(model.hostsAtPeak()))));
    }

    private static String latency(
            @Nullable Latencies latencies, Function<Latencies, Double> figure) {
        return latencies == null ? Cells.UNKNOWN : Shown.number(figure.apply(latencies));
    }

    private static String passes(@Nullable Boolean withinLimit) {
        return withinLimit == null ? Cells.UNKNOWN : withinLimit ? "yes" : "no";
    }
}
