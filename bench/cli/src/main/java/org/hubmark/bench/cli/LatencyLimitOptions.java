package org.hubmark.bench.cli;

import org.hubmark.bench.qualify.result.PercentileLimits;
import org.hubmark.bench.qualify.result.Thresholds;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.List;

/** What a qualification allows: means of latency in each database, and percentiles on request. */
final class LatencyLimitOptions {
    @Option(
            names = "--read-latency",
            paramLabel = "TIME",
            defaultValue = "20ms",
            description = "Highest mean latency of database reads. Default: ${DEFAULT-VALUE}.")
    private Duration readLatency;

    @Option(
            names = "--read-latency-max",
            paramLabel = "TIME",
            defaultValue = "100ms",
            description = "Highest mean latency of database reads in 15s. Default:"
                    + " ${DEFAULT-VALUE}.")
    private Duration readLatencyMax;

    @Option(
            names = "--log-latency",
            paramLabel = "TIME",
            defaultValue = "10ms",
            description = "Highest mean latency of log writes. Default: ${DEFAULT-VALUE}.")
    private Duration logLatency;

    @Option(
            names = "--log-latency-max",
            paramLabel = "TIME",
            defaultValue = "100ms",
            description = "Highest mean latency of log writes in 15s. Default: ${DEFAULT-VALUE}.")
    private Duration logLatencyMax;

    @Option(
            names = "--require",
            paramLabel = "NAME.pN=TIME,...",
            description = "Highest percentiles in each database (read and log; p95, p99 and"
                    + " p99.9), such as read.p99=5ms,log.p99.9=20ms. Default: none.")
    private @Nullable PercentileLimits require;

    /**
     * {@return the limits, checked}
     *
     * @param isComparing whether caches are compared, which has no verdict
     */
    Thresholds read(boolean isComparing) {
        for (Duration time : List.of(readLatency, readLatencyMax, logLatency, logLatencyMax)) {
            if (time.isZero()) {
                throw UserError.usage("limits of latency must be more than 0s");
            }
        }
        PercentileLimits percentiles = require == null ? PercentileLimits.NONE : require;
        if (isComparing && !percentiles.most().isEmpty()) {
            throw UserError.usage(
                    "--require goes with one --cache-mode: a comparison has no verdict");
        }
        return new Thresholds(
                millis(readLatency),
                millis(readLatencyMax),
                millis(logLatency),
                millis(logLatencyMax),
                percentiles);
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
