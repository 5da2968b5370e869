package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * ClockRate rate of the cores while they were busy, second by second. In the file its parts stand flat.
 *
 * @param cyclesSource where cycles come from, in a few words
 */
public record ClockRate(
        @Nullable Double cpuClockMhzMin,
        @Nullable Double cpuClockMhzMax,
        @Nullable String cyclesSource) {
    /** Nothing is known. */
    public static final ClockRate UNKNOWN = new ClockRate(null, null, null);

    /** {@return it with one second more} */
    public ClockRate with(@Nullable Double mhz) {
        return mhz == null
                ? this
                : new ClockRate(
                        cpuClockMhzMin == null ? mhz : (Double) Math.min(cpuClockMhzMin, mhz),
                        cpuClockMhzMax == null ? mhz : (Double) Math.max(cpuClockMhzMax, mhz),
                        cyclesSource);
    }

    /** {@return that of all repeats} */
    static ClockRate of(List<ClockRate> repeats) {
        ClockRate all = new ClockRate(
                null,
                null,
                Scenario.mostFrequent(
                        repeats.stream().map(ClockRate::cyclesSource).toList()));
        for (ClockRate repeat : repeats) {
            all = all.with(repeat.cpuClockMhzMin).with(repeat.cpuClockMhzMax);
        }
        return all;
    }
}
