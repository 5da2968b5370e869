package org.hubmark.bench.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.results.Results.AcceptLatency;
import org.hubmark.bench.results.Results.CounterSource;
import org.hubmark.bench.results.Results.QueueResidence;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one scenario, or of one repeat of it. In the file all of it stands flat; the
 * groups are for code. docs/measurement.md states each formula.
 *
 * @param limiting what set the pace
 * @param throughputMsgsPerS messages accepted a second in the measured time
 * @param measuredS the measured time, seconds
 * @param aggregateQueueLengthMaxMsgs the longest queue in the measured time
 * @param queueSizeMaxMb the largest content of the queue, MB of 1000 KB
 * @param acceptLatencyMs from the intended start; null when nothing was accepted
 * @param acceptLatencyUncorrectedMs from the actual send, which hides waiting; null when nothing was
 *     accepted or it isn't known
 * @param queueResidenceMs null when it isn't known
 */
public record Figures(
        @JsonUnwrapped Limiting limiting,
        @Nullable Double throughputMsgsPerS,
        @Nullable Double measuredS,
        @Nullable Long aggregateQueueLengthMaxMsgs,
        @Nullable Double queueSizeMaxMb,
        @JsonUnwrapped Cost cost,
        @JsonUnwrapped Disk disk,
        @Nullable AcceptLatency acceptLatencyMs,
        @Nullable AcceptLatency acceptLatencyUncorrectedMs,
        @Nullable QueueResidence queueResidenceMs,
        @JsonUnwrapped Counts counts) {

    /**
     * What set the pace.
     *
     * @param limitingResource cpu, log_volume, queue_volume, driver or rate
     * @param limitingReason why it is that, with the figures, in words
     * @param limitingLift what would lift the limit, in words
     */
    public record Limiting(
            @Nullable String limitingResource,
            @Nullable String limitingReason,
            @Nullable String limitingLift) {
        /** What nothing is known of. */
        public static final Limiting UNKNOWN = new Limiting(null, null, null);
    }

    /**
     * What it cost in CPU.
     *
     * @param cpuPercent of all cores: the whole machine less the driver
     * @param cpuCostMcyclesPerMsg whole machine less the driver, million cycles a message
     * @param cpuCostCyclesPerMsgByte the same, cycles a byte of message
     * @param machineCpuPercent of all cores: the whole machine
     * @param driverCpuPercent of all cores: the driver's process
     * @param cpuCostProcessMcyclesPerMsg the server's process alone
     * @param serverCpuUsPerMsg the server's process alone, microseconds of CPU a message
     */
    public record Cost(
            @Nullable Double cpuPercent,
            @Nullable Double cpuCostMcyclesPerMsg,
            @Nullable Double cpuCostCyclesPerMsgByte,
            @Nullable Double machineCpuPercent,
            @Nullable Double driverCpuPercent,
            @Nullable Double cpuCostProcessMcyclesPerMsg,
            @Nullable Double serverCpuUsPerMsg) {}

    /** What it cost in writes, by the volumes' devices or by the engine: see counterSource. */
    public record Disk(
            @Nullable Double logWritesPerS,
            @Nullable Double queueWritesPerS,
            @Nullable Double logWritesPerMsg,
            @Nullable Double queueWritesPerMsg,
            @Nullable Double avgLogWriteLatencyMs,
            @Nullable Double avgQueueWriteLatencyMs,
            @Nullable Double avgLogDiskQueueLength,
            @Nullable Double avgQueueDiskQueueLength,
            @Nullable Double logReadsPerS,
            @Nullable Double queueReadsPerS,
            @Nullable Double logBytesPerAcceptedByte,
            @Nullable Double queueBytesPerAcceptedByte,
            @Nullable Double syncsPerMsg,
            @Nullable Double msgsPerGroupMean,
            CounterSource counterSource) {}

    /**
     * What became of every message, from the first of the warm-up to the end of the drain.
     *
     * @param sentMsgs whose content was sent, or whose envelope was refused before
     * @param acceptedMsgs answered with 250
     * @param refusedMsgs answered with 4xx or 5xx
     * @param failedMsgs without an answer: the connection broke
     * @param deliveredMsgs by the hub
     * @param leftInQueueMsgs still in the hub's queue at the end, dead letters too
     * @param lostMsgs accepted, but neither delivered nor left
     */
    public record Counts(
            long sentMsgs,
            long acceptedMsgs,
            long refusedMsgs,
            long failedMsgs,
            @Nullable Long deliveredMsgs,
            @Nullable Long leftInQueueMsgs,
            @Nullable Long lostMsgs) {}
}
