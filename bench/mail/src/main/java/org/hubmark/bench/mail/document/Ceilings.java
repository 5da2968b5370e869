package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

/**
 * Rate of the log device alone, measured in the same run, and the share of it that the scenario
 * reached. docs/measurement.md says how it is measured.
 *
 * @param logDeviceMsgsPerS the log volume alone, written with the same pattern and group size
 * @param logDevicePercent throughput of the scenario / that, percent
 */
public record Ceilings(
        @Nullable Double logDeviceMsgsPerS, @Nullable Double logDevicePercent) {
    /**
     * Largest share of a ceiling, in percent, that is plausible: the writer alone reached only 0.84
     * of what fio wrote to the same device (docs/measurement.md), and 1 / 0.84 is 1.19.
     */
    private static final double PERCENT_MAX = 120;

    /** {@return the ceiling beside the rate of a scenario; null where it isn't known} */
    public static @Nullable Ceilings of(
            @Nullable Double rateMsgsPerS, @Nullable Double logDeviceMsgsPerS) {
        return logDeviceMsgsPerS == null
                ? null
                : new Ceilings(
                        logDeviceMsgsPerS,
                        rateMsgsPerS == null ? null : 100 * rateMsgsPerS / logDeviceMsgsPerS);
    }

    /**
     * {@return whether a ceiling was measured so much lower than the scenario itself that something
     * else held it down, as on a machine that is busy: it says nothing of how near the scenario came}
     *
     * @param percent the share of it that the scenario reached
     */
    public static boolean isMismeasured(double percent) {
        return percent > PERCENT_MAX;
    }
}
