package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.kit.document.Curve;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a plan takes from results.json: the rate of a hub, and what a message costs it. */
record HubFile(
        @Nullable Machine environment,
        @Nullable Machine serverEnvironment,
        List<Scenario> scenarios) {
    private static final double PERCENT = 100;
    private static final double MICROS = 1e6;

    private record Machine(@Nullable Integer logicalCores) {}

    private record Scenario(
            String id,
            @Nullable Double messageSizeKb,
            @JsonUnwrapped Rate rate,
            @JsonUnwrapped Cost cost,
            @JsonUnwrapped Writes writes,
            @JsonUnwrapped Latencies latencies,
            @JsonUnwrapped LoadConditions conditions) {}

    private record Rate(
            @Nullable Double throughputMsgsPerS,
            @Nullable Double acceptedMsgs,
            @Nullable Double deliveredMsgs) {}

    private record Cost(@Nullable Double cpuPercent) {}

    private record Writes(
            @Nullable Double logWritesPerMsg, @Nullable Double queueWritesPerMsg) {}

    private record Latencies(
            @Nullable Latency acceptLatencyMs,
            @Nullable Knee knee,
            List<At> steps,
            @Nullable At latencyAt) {}

    private record Latency(@Nullable Double p99) {}

    private record Knee(List<KneeStep> steps) {}

    private record KneeStep(
            @Nullable Double throughputMsgsPerS, @Nullable Double acceptP99Ms) {}

    /**
     * A rate at which the latency was measured.
     *
     * @param valid null where nothing is said of it
     */
    private record At(
            @Nullable Double throughputMsgsPerS,
            @Nullable Latency acceptLatencyMs,
            @Nullable Boolean valid) {}

    /**
     * Reads it.
     *
     * @param id of the scenario; null where there is only one
     */
    static void read(Path file, @Nullable String id, Collected into) {
        HubFile all;
        SourceWarnings conditions;
        try {
            all = JsonFile.read(file, HubFile.class);
            conditions = JsonFile.read(file, SourceWarnings.class);
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
        Scenario scenario = all.scenario(file, id);
        LoadConditions under = scenario.conditions;
        Source source = Source.measured(file + ", " + scenario.id + under.words());
        conditions.warn(file, scenario.id, into);
        under.warn(file + ", " + scenario.id, into);
        Double rate = scenario.rate.throughputMsgsPerS;
        into.measured(PlanInputs.MESSAGE_KB, scenario.messageSizeKb, source);
        into.measured(PlanInputs.HUB_MSGS_PER_S, rate, source);
        into.measured(
                PlanInputs.HUB_DELIVERIES_PER_S,
                under.deliveries(rate, scenario.rate.acceptedMsgs, scenario.rate.deliveredMsgs),
                source);
        into.measured(PlanInputs.LOG_WRITES_PER_MESSAGE, scenario.writes.logWritesPerMsg, source);
        into.measured(
                PlanInputs.QUEUE_WRITES_PER_MESSAGE, scenario.writes.queueWritesPerMsg, source);
        Machine machine = all.serverEnvironment == null ? all.environment : all.serverEnvironment;
        Integer cores = machine == null ? null : machine.logicalCores;
        Double cpu = scenario.cost.cpuPercent;
        if (cpu != null && rate != null && cores != null) {
            into.measured(PlanInputs.CORES, (double) cores, source);
            into.measured(
                    PlanInputs.CPU_US_PER_MESSAGE, cpu / PERCENT * cores * MICROS / rate, source);
        }
        into.measured(
                PlanInputs.HUB_CURVE,
                curve(scenario),
                Source.measured(source.where() + ": 99th percentile at each rate"));
        if (!under.isOpenLoop() && p99(scenario.latencies.acceptLatencyMs) != null) {
            into.warn(file + ", " + scenario.id + ": the 99th percentile of accepting is set aside,"
                    + " because it is not of a stated rate: in a closed loop a slow answer holds"
                    + " back the messages after it. run --rate N, --rate max-sustained or --knee"
                    + " measures it as mail from outside sees it");
        }
    }

    private Scenario scenario(Path file, @Nullable String id) {
        if (id == null && scenarios.size() == 1) {
            return scenarios.getFirst();
        }
        return scenarios.stream()
                .filter(one -> one.id.equals(id))
                .findFirst()
                .orElseThrow(() -> UserError.usage(file
                        + (id == null ? " has several scenarios" : " has no " + id)
                        + "; name one of "
                        + scenarios.stream()
                                .map(one -> "#" + one.id)
                                .collect(Collectors.joining(", "))
                        + " behind the folder"));
    }

    /** All stated rates at which the latency was measured: a sweep, steps, one below the limit, and the limit. */
    private static List<Curve.Point> curve(Scenario scenario) {
        List<Curve.Point> points = new ArrayList<>();
        Knee knee = scenario.latencies.knee;
        if (knee != null) {
            for (KneeStep step : knee.steps) {
                add(points, step.throughputMsgsPerS, step.acceptP99Ms);
            }
        }
        for (At step : scenario.latencies.steps) {
            add(points, step.throughputMsgsPerS, p99(step.acceptLatencyMs));
        }
        At below = scenario.latencies.latencyAt;
        if (below != null && Boolean.TRUE.equals(below.valid)) {
            add(points, below.throughputMsgsPerS, p99(below.acceptLatencyMs));
        }
        if (scenario.latencies.steps.isEmpty() && scenario.conditions.isOpenLoop()) {
            add(points, scenario.rate.throughputMsgsPerS, p99(scenario.latencies.acceptLatencyMs));
        }
        return points;
    }

    private static @Nullable Double p99(@Nullable Latency latency) {
        return latency == null ? null : latency.p99;
    }

    private static void add(
            List<Curve.Point> points, @Nullable Double rate, @Nullable Double millis) {
        if (rate != null && millis != null) {
            points.add(new Curve.Point(rate, millis));
        }
    }
}
