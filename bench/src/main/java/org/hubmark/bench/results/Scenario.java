package org.hubmark.bench.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One message size under one configuration: the medians over its repeats, and the repeats.
 *
 * @param id unique in the file; the name of its .hlog too
 * @param messageSizeKb octets of content / 1000; with a corpus, the mean
 * @param durability synced, periodic=10ms, none; null with a target
 * @param intake store or discard; null with a target
 * @param figures medians over the repeats; counts of messages are sums
 * @param throughputMsgsPerSMin of the slowest repeat
 * @param throughputMsgsPerSMax of the fastest repeat
 * @param repeats in the order measured
 * @param valid whether the figures can be trusted
 * @param invalidReasons why not; empty when valid
 */
public record Scenario(
        String id,
        double messageSizeKb,
        @Nullable String durability,
        @Nullable String intake,
        @JsonUnwrapped Figures figures,
        @JsonProperty("throughput_msgs_per_s_min") @Nullable Double throughputMsgsPerSMin,
        @JsonProperty("throughput_msgs_per_s_max") @Nullable Double throughputMsgsPerSMax,
        List<Repeat> repeats,
        boolean valid,
        List<String> invalidReasons) {
    /** Copies the lists. */
    public Scenario {
        repeats = List.copyOf(repeats);
        invalidReasons = List.copyOf(invalidReasons);
    }

    /**
     * One repeat.
     *
     * @param repeat counts from 1
     * @param startedAt of the measured time, ISO 8601, UTC
     */
    public record Repeat(
            int repeat,
            String startedAt,
            @JsonUnwrapped Figures figures,
            boolean valid,
            List<String> invalidReasons) {
        /** Copies the list. */
        public Repeat {
            invalidReasons = List.copyOf(invalidReasons);
        }
    }
}
