package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * Load before the measured time. In the file it stands flat in a repeat.
 *
 * @param seconds how long it took
 * @param steady whether the load had become steady; null when that can't be told: there was no
 *     warm-up, it was too short, the rate scatters too much for its length, or the cost of a message
 *     still changed
 * @param reason why it had not, or why that can't be told; null when it had
 * @param drift of the rate at its end; null where there was too little to look at
 * @param driver warm-up of the driver before it; null where the driver was warm or was not to be warmed
 */
public record WarmUp(
        @JsonProperty("warmup_s") @Nullable Double seconds,
        @Nullable Boolean steady,
        @JsonProperty("steady_reason") @Nullable String reason,
        @JsonProperty("rate_drift") @Nullable Drift drift,
        @JsonProperty("driver_warmup") @Nullable DriverWarmth driver) {
    /** Everything counts, from the first message on. */
    public static final WarmUp NONE = new WarmUp(0.0, null, null, null, null);

    /**
     * Change of the rate from the begin of what is looked at to its end.
     *
     * @param percent of the mean rate
     * @param marginPercent half of its interval
     * @param seconds of what is looked at
     */
    public record Drift(double percent, double marginPercent, double seconds) {
        private static final double PERCENT_MAX = 10;

        /** {@return whether all of the interval is a steady rate's; null where only a part of it is} */
        public @Nullable Boolean steady() {
            boolean inside = furthest() <= PERCENT_MAX;
            boolean outside = Math.abs(percent) - marginPercent > PERCENT_MAX;
            return inside == outside ? null : (Boolean) inside;
        }

        /** {@return the end of the interval that is further from no drift, percent} */
        public double furthest() {
            return Math.abs(percent) + marginPercent;
        }

        /** {@return it with its interval and bound, in words} */
        public String words() {
            return String.format(
                    Locale.ROOT,
                    "the rate drifted by %+.1f%% (interval %+.1f%% to %+.1f%%) within %.1f s;"
                            + " at most %.0f%% is steady",
                    percent,
                    percent - marginPercent,
                    percent + marginPercent,
                    seconds,
                    PERCENT_MAX);
        }
    }
}
