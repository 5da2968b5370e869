package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/**
 * Load before the measured time. In the file it stands flat in a repeat.
 *
 * @param seconds how long it took
 * @param steady whether the load had become steady; null when that can't be told: there was no
 *     warm-up, it was too short, or the rate scatters too much for its length
 * @param reason why it had not, or why that can't be told; null when it had
 * @param driver warm-up of the driver before it; null where the driver was warm or was not to be warmed
 */
public record WarmUp(
        @JsonProperty("warmup_s") @Nullable Double seconds,
        @Nullable Boolean steady,
        @JsonProperty("steady_reason") @Nullable String reason,
        @JsonProperty("driver_warmup") @Nullable DriverWarmth driver) {
    /** Everything counts, from the first message on. */
    public static final WarmUp NONE = new WarmUp(0.0, null, null, null);

    /** {@return the same, before which the driver was warmed up} */
    WarmUp after(@Nullable DriverWarmth warmth) {
        return new WarmUp(seconds, steady, reason, warmth);
    }
}
