package org.hubmark.bench.results;

import org.jspecify.annotations.Nullable;

/**
 * Rates of the parts of the path alone, measured in the same run, and the share of each that the
 * scenario reached. docs/measurement.md says how each is measured.
 *
 * @param receiveMsgsPerS the receive path: the same load, and an intake that discards
 * @param receivePercent throughput of the scenario / that, percent
 * @param logDeviceMsgsPerS the log volume alone, written with the same pattern and group size
 * @param logDevicePercent throughput of the scenario / that, percent
 * @param loopbackMsgsPerS the driver against a sink of its own
 * @param loopbackPercent throughput of the scenario / that, percent
 */
public record Ceilings(
        @Nullable Double receiveMsgsPerS,
        @Nullable Double receivePercent,
        @Nullable Double logDeviceMsgsPerS,
        @Nullable Double logDevicePercent,
        @Nullable Double loopbackMsgsPerS,
        @Nullable Double loopbackPercent) {
    /**
     * Largest share of a ceiling, in percent, that is plausible: the writer alone reached only 0.84
     * of what fio wrote to the same device (docs/measurement.md), and 1 / 0.84 is 1.19.
     */
    private static final double PERCENT_MAX = 120;

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
