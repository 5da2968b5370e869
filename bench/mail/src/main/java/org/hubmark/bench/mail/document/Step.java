package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.kit.document.Column;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A part of the measured time in which one rate was asked for: a step, or a slice of a ramp. What
 * happened in that time counts; a message that waited belongs to the step in which it was answered.
 * In the file its parts stand flat. docs/measurement.md states each formula.
 *
 * @param step counts from 1
 * @param measuredS its length, seconds
 * @param sentMsgsPerS messages begun a second
 * @param throughputMsgsPerS messages accepted a second
 * @param machineCpuPercent of all cores: the whole machine
 * @param serverCpuUsPerMsg the server's process alone, microseconds of CPU a message
 */
public record Step(
        int step,
        @JsonUnwrapped AskedRate asked,
        double measuredS,
        @Nullable Double sentMsgsPerS,
        @Nullable Double throughputMsgsPerS,
        @JsonUnwrapped Shortfall shortfall,
        @Nullable Double machineCpuPercent,
        @Nullable Double serverCpuUsPerMsg,
        @JsonUnwrapped Latencies latencies) {
    /** The figures of a step that are made of counters. */
    public static final List<Column> FIGURES = List.of(
            Figure.MEASURED_S,
            Figure.SENT_MSGS_PER_S,
            Figure.THROUGHPUT_MSGS_PER_S,
            Figure.MACHINE_CPU_PERCENT,
            Figure.SERVER_CPU_US_PER_MSG);

    /** {@return one of these, or a latency; null when it isn't known} */
    public @Nullable Double get(Column figure) {
        return switch (FIGURES.indexOf(figure)) {
            case 0 -> measuredS;
            case 1 -> sentMsgsPerS;
            case 2 -> throughputMsgsPerS;
            case 3 -> machineCpuPercent;
            case 4 -> serverCpuUsPerMsg;
            default -> latencies.get(figure);
        };
    }

    /**
     * The rate that was asked for.
     *
     * @param fromMsgsPerS at the begin of the step
     * @param toMsgsPerS at its end; the same but in a ramp
     * @param intendedMsgsPerS the mean of the two
     */
    public record AskedRate(double fromMsgsPerS, double toMsgsPerS, double intendedMsgsPerS) {}

    /**
     * Messages that were due and not accepted.
     *
     * @param refusedMsgs answered with 4xx or 5xx
     * @param failedMsgs without an answer: the connection broke
     * @param overdueMsgs not sent yet at the end of the step
     */
    public record Shortfall(long refusedMsgs, long failedMsgs, long overdueMsgs) {}
}
