package org.hubmark.bench.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

/**
 * Under which a scenario was measured. In the file they stand flat in the scenario.
 *
 * @param durability synced, periodic=10ms, none; null with a target
 * @param intake store or discard; null with a target
 * @param layout of the volumes: one, apart, three or striped; null when it isn't known
 * @param deviceProfile of an emulated device, as {@code volumes create --profile} names it
 * @param flush what becomes of the flush that a sync asks of the log's device: sent or suppressed;
 *     null when it isn't known
 * @param checkpointDepthMb of the intake log, MB of 1000 KB; null with a target
 * @param connections open at once
 * @param askedRate as it was asked for: max, max-sustained, 1200/s
 * @param safety whether acknowledged mail can be lost when the power fails
 */
public record Conditions(
        @Nullable String durability,
        @Nullable String intake,
        @Nullable String layout,
        @Nullable String deviceProfile,
        @Nullable String flush,
        @Nullable Double checkpointDepthMb,
        @Nullable Integer connections,
        @Nullable String askedRate,
        @JsonUnwrapped Safety safety) {
    private static final String SEARCHED = "max-sustained";

    /** What is known of a server that isn't ours: nothing. */
    public static final Conditions UNKNOWN =
            new Conditions(null, null, null, null, null, null, null, null, Safety.UNKNOWN);

    /** {@return whether the rate is the highest that a search found to be sustained} */
    public boolean rateSearched() {
        return SEARCHED.equals(askedRate);
    }
}
