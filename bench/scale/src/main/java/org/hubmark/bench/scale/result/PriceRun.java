package org.hubmark.bench.scale.result;

import org.jspecify.annotations.Nullable;

/**
 * One queue under load with messages of one size, in one round.
 *
 * @param sendLatencyMs of a closed loop; null when nothing was accepted
 * @param hubCpuUsPerMsg CPU time of the hub's process, microseconds, delivery included
 * @param brokerCpuUsPerMsg of all brokers; null without a cluster
 * @param bookieCpuUsPerMsg of all bookies
 * @param writtenPerOctet octets that all processes had written to storage, for each that was accepted
 * @param sentPerOctet octets over links, each counted once, for each that was accepted; null without a
 *     cluster
 */
public record PriceRun(
        int round,
        PricedQueue queue,
        int sizeBytes,
        double throughputMsgsPerS,
        @Nullable Latencies sendLatencyMs,
        long acceptedMsgs,
        long refusedMsgs,
        long failedMsgs,
        @Nullable String firstRefusal,
        @Nullable Double hubCpuUsPerMsg,
        @Nullable Double brokerCpuUsPerMsg,
        @Nullable Double bookieCpuUsPerMsg,
        @Nullable Double writtenPerOctet,
        @Nullable Double sentPerOctet) {}
