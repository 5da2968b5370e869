package org.hubmark.bench.results;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.hubmark.bench.results.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * How far the repeats of a scenario lie apart. In the file it stands flat in the scenario;
 * docs/measurement.md states each formula.
 *
 * @param throughputMsgsPerSMin of the slowest repeat
 * @param throughputMsgsPerSMax of the fastest repeat
 * @param throughputCi95MsgsPerS of the mean over the repeats; null under 2 repeats
 * @param costCi95McyclesPerMsg of the mean over the repeats; null under 2 repeats
 * @param throughputTrimmedMeanMsgsPerS without the fastest and the slowest; null under 5 repeats
 * @param outlierRepeats numbers of the repeats that lie far from the others
 */
public record Spread(
        @JsonProperty("throughput_msgs_per_s_min") @Nullable Double throughputMsgsPerSMin,
        @JsonProperty("throughput_msgs_per_s_max") @Nullable Double throughputMsgsPerSMax,
        @Nullable Interval throughputCi95MsgsPerS,
        @Nullable Interval costCi95McyclesPerMsg,
        @Nullable Double throughputTrimmedMeanMsgsPerS,
        List<Integer> outlierRepeats) {
    /** Copies the list, which earlier files don't have. */
    public Spread {
        outlierRepeats = outlierRepeats == null ? List.of() : List.copyOf(outlierRepeats);
    }
}
