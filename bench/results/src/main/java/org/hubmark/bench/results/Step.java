package org.hubmark.bench.results;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.results.Results.AcceptLatency;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A part of the measured time in which one rate was asked for: a step, or a slice of a ramp. What
 * happened in that time counts; a message that waited belongs to the step in which it was answered.
 * docs/measurement.md states each formula.
 *
 * @param step counts from 1
 * @param fromMsgsPerS the rate asked for at its begin
 * @param toMsgsPerS the rate asked for at its end; the same in a step
 * @param intendedMsgsPerS the mean of the two
 * @param measuredS its length, seconds
 * @param sentMsgsPerS messages begun a second
 * @param throughputMsgsPerS messages accepted a second
 * @param refusedMsgs answered with 4xx or 5xx
 * @param failedMsgs without an answer: the connection broke
 * @param overdueMsgs due, but not sent yet at its end
 * @param machineCpuPercent of all cores: the whole machine
 * @param serverCpuUsPerMsg the server's process alone, microseconds of CPU a message
 * @param acceptLatencyMs from the intended start; null when nothing was accepted
 * @param acceptLatencyUncorrectedMs from the actual send; null when nothing was accepted
 */
public record Step(
        int step,
        double fromMsgsPerS,
        double toMsgsPerS,
        double intendedMsgsPerS,
        double measuredS,
        @Nullable Double sentMsgsPerS,
        @Nullable Double throughputMsgsPerS,
        long refusedMsgs,
        long failedMsgs,
        long overdueMsgs,
        @Nullable Double machineCpuPercent,
        @Nullable Double serverCpuUsPerMsg,
        @Nullable AcceptLatency acceptLatencyMs,
        @Nullable AcceptLatency acceptLatencyUncorrectedMs) {
    /** The figures of a step that are made of counters. */
    public static final List<Column> FIGURES = List.of(
            Figure.MEASURED_S,
            Figure.SENT_MSGS_PER_S,
            Figure.THROUGHPUT_MSGS_PER_S,
            Figure.MACHINE_CPU_PERCENT,
            Figure.SERVER_CPU_US_PER_MSG);

    /** {@return one of these, or a latency; null when it isn't known} */
    public @Nullable Double get(Column figure) {
        AcceptLatency latency = Latencies.of(figure, acceptLatencyMs, acceptLatencyUncorrectedMs);
        if (latency != null) {
            return latency.get(figure);
        }
        return switch (FIGURES.indexOf(figure)) {
            case 0 -> measuredS;
            case 1 -> sentMsgsPerS;
            case 2 -> throughputMsgsPerS;
            case 3 -> machineCpuPercent;
            case 4 -> serverCpuUsPerMsg;
            default -> null;
        };
    }
}
