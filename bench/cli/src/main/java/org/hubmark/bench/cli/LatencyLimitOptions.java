package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a qualification allows: means of latency in each database, and percentiles on request. */
final class LatencyLimitOptions {
    @Option(
            names = "--read-latency",
            defaultValue = "20ms",
            description = "Highest mean latency of reads.")
    private Duration readLatency;

    @Option(
            names = "--read-latency-max",
            defaultValue = "100ms",
            description = "Highest mean of reads in 15s.")
    private Duration readLatencyMax;

    @Option(
            names = "--log-latency",
            defaultValue = "10ms",
            description = "Highest mean latency of log writes.")
    private Duration logLatency;

    @Option(
            names = "--log-latency-max",
            defaultValue = "100ms",
            description = "Highest mean of log writes in 15s.")
    private Duration logLatencyMax;

    @Option(
            names = "--require",
            paramLabel = "NAME.pN=TIME",
            split = ",",
            description = "Highest percentiles in each database: read.p99=5ms,log.p99.9=20ms.")
    private @Nullable Map<String, Duration> require;

    /** {@return the limits} */
    Map<Name, Double> read() {
        Map<Name, Double> limits = new LinkedHashMap<>();
        limits.put(PhaseVerdict.READ_LATENCY_MAX, millis(readLatency));
        limits.put(PhaseVerdict.READ_SAMPLE_MAX, millis(readLatencyMax));
        limits.put(PhaseVerdict.LOG_LATENCY_MAX, millis(logLatency));
        limits.put(PhaseVerdict.LOG_SAMPLE_MAX, millis(logLatencyMax));
        if (require != null) {
            require.forEach((of, most) -> {
                if (!PhaseVerdict.PERCENTILES.containsKey(of)) {
                    throw UserError.usage("--require " + of + ": give NAME=TIME, NAME one of "
                            + String.join(", ", PhaseVerdict.PERCENTILES.keySet()));
                }
                limits.put(PhaseVerdict.limit(of), millis(most));
            });
        }
        return limits;
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
