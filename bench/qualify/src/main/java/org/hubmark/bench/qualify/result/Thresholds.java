package org.hubmark.bench.qualify.result;

/**
 * What an instance may need at most, milliseconds.
 *
 * @param readLatencyMs the average of database reads
 * @param readLatencyMaxMs the same in the worst sample
 * @param logLatencyMs the average of log writes
 * @param logLatencyMaxMs the same in the worst sample
 * @param percentiles where they are asked for
 */
public record Thresholds(
        double readLatencyMs,
        double readLatencyMaxMs,
        double logLatencyMs,
        double logLatencyMaxMs,
        PercentileLimits percentiles) {}
