package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.plan.formula.Curve;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Knee;
import org.hubmark.bench.results.LatencyAt;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Results.AcceptLatency;
import org.hubmark.bench.results.Scenario;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a plan takes from results.json: the rate of a hub, and what a message costs it. */
final class HubFile {
    private static final double PERCENT = 100;
    private static final double MICROS = 1e6;

    private HubFile() {}

    /**
     * Reads it.
     *
     * @param id of the scenario; null where there is only one
     */
    static void read(Path file, @Nullable String id, Collected into) {
        Results results;
        try {
            results = Results.read(file);
        } catch (IOException e) {
            throw UserError.failed(String.valueOf(e.getMessage()));
        }
        Scenario scenario = scenario(file, results, id);
        Source source = Source.measured(file + ", " + scenario.id());
        if (!scenario.valid()) {
            into.note(file + ", " + scenario.id() + " is not valid: "
                    + String.join("; ", scenario.invalidReasons()));
        }
        Environment machine = results.serverEnvironment() == null
                ? results.environment()
                : results.serverEnvironment();
        Double rate = scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
        into.put("message_kb", scenario.messageSizeKb(), source);
        into.put("hub_msgs_per_s", rate, source);
        into.put("log_writes_per_message", get(scenario, Figure.LOG_WRITES_PER_MSG), source);
        into.put("queue_writes_per_message", get(scenario, Figure.QUEUE_WRITES_PER_MSG), source);
        Double cpu = get(scenario, Figure.CPU_PERCENT);
        if (cpu != null && rate != null) {
            into.put("cores", (double) machine.processor().logicalCores(), source);
            into.put(
                    "cpu_us_per_message",
                    cpu / PERCENT * machine.processor().logicalCores() * MICROS / rate,
                    source);
        }
        List<Curve.Point> points = curve(scenario);
        into.put(
                "hub_curve",
                points,
                Source.measured(source.where() + ": 99th percentile at each rate"));
    }

    private static @Nullable Double get(Scenario scenario, Column figure) {
        return scenario.figures().get(figure);
    }

    private static Scenario scenario(Path file, Results results, @Nullable String id) {
        List<Scenario> all = results.scenarios();
        if (id == null && all.size() == 1) {
            return all.getFirst();
        }
        return results.scenario(id == null ? "" : id)
                .orElseThrow(() -> UserError.usage(file
                        + (id == null ? " has several scenarios" : " has no " + id)
                        + "; name one of "
                        + all.stream().map(one -> "#" + one.id()).collect(Collectors.joining(", "))
                        + " behind the folder"));
    }

    /** All rates at which the latency was measured: a sweep, steps, one below the limit, and the limit. */
    private static List<Curve.Point> curve(Scenario scenario) {
        List<Curve.Point> points = new ArrayList<>();
        Knee knee = scenario.knee();
        if (knee != null) {
            for (Knee.At at : knee.steps()) {
                add(points, at.throughputMsgsPerS(), at.acceptP99Ms());
            }
        }
        for (var step : scenario.steps()) {
            add(points, step.throughputMsgsPerS(), p99(step.acceptLatencyMs()));
        }
        LatencyAt below = scenario.latencyAt();
        if (below != null && below.valid()) {
            add(points, below.throughputMsgsPerS(), p99(below.acceptLatencyMs()));
        }
        if (scenario.steps().isEmpty()) {
            add(
                    points,
                    get(scenario, Figure.THROUGHPUT_MSGS_PER_S),
                    p99(scenario.figures().acceptLatencyMs()));
        }
        return points;
    }

    private static @Nullable Double p99(@Nullable AcceptLatency latency) {
        return latency == null ? null : (Double) latency.p99();
    }

    private static void add(
            List<Curve.Point> points, @Nullable Double rate, @Nullable Double millis) {
        if (rate != null && millis != null) {
            points.add(new Curve.Point(rate, millis));
        }
    }
}
