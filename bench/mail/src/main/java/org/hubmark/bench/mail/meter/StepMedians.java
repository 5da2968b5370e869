package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.mail.document.Latencies;
import org.hubmark.bench.mail.document.Step;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * The steps of a scenario, of those of its repeats: medians, sums of what went wrong, latencies from
 * all histograms put together. One thread.
 */
final class StepMedians {
    private final Map<Integer, List<StepMeter.Stepped>> byStep = new TreeMap<>();

    void add(List<StepMeter.Stepped> steps) {
        steps.forEach(one -> byStep.computeIfAbsent(one.step().step(), key -> new ArrayList<>())
                .add(one));
    }

    /** {@return them in their order; none where the rate did not change} */
    List<Step> steps() {
        return byStep.values().stream().map(StepMedians::merged).toList();
    }

    private static Step merged(List<StepMeter.Stepped> repeats) {
        Histogram latencies = new Histogram(3);
        Histogram uncorrected = new Histogram(3);
        List<Step> steps = new ArrayList<>();
        for (StepMeter.Stepped repeat : repeats) {
            latencies.add(repeat.latencies());
            uncorrected.add(repeat.uncorrected());
            steps.add(repeat.step());
        }
        Step first = steps.getFirst();
        return new Step(
                first.step(),
                first.asked(),
                Objects.requireNonNull(median(steps, step -> step.measuredS())),
                median(steps, step -> step.sentMsgsPerS()),
                median(steps, step -> step.throughputMsgsPerS()),
                new Step.Shortfall(
                        shortfall(steps, Step.Shortfall::refusedMsgs).sum(),
                        shortfall(steps, Step.Shortfall::failedMsgs).sum(),
                        shortfall(steps, Step.Shortfall::overdueMsgs).max().orElse(0)),
                median(steps, step -> step.machineCpuPercent()),
                median(steps, step -> step.serverCpuUsPerMsg()),
                Latencies.of(latencies, uncorrected));
    }

    private static LongStream shortfall(List<Step> steps, ToLongFunction<Step.Shortfall> count) {
        return steps.stream().map(Step::shortfall).mapToLong(count);
    }

    private static @Nullable Double median(
            List<Step> steps, Function<Step, @Nullable Double> figure) {
        List<Double> known = steps.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .map(value -> Objects.requireNonNull(value))
                .toList();
        return known.isEmpty() ? null : (Double) Inference.median(known);
    }
}
