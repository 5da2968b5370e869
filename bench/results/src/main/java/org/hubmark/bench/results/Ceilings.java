package org.hubmark.bench.results;

import org.jspecify.annotations.Nullable;

/**
 * What the parts of the way hold by themselves, measured in the same run, and what share of it the
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
        @Nullable Double loopbackPercent) {}
