package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Where the cycles of the cores come from: busy time times clock. The clock of each core is looked at in each reading and weighted by
 * how busy that core was since the last one. An idle core has a clock too, but nothing that ran at it. The
 * cycles are those of the whole machine; CPU time tells whose they are.
 * One thread.
 */
public final class CycleSource {
    private final HostFiles host;
    private final boolean scaling;
    private Map<Integer, Long> known;
    private BusyCycles total = BusyCycles.NONE;

    public CycleSource(HostFiles host) {
        this.host = host;
        this.scaling = frequency(host, 0) != null;
        this.known = MachineCpu.of(host).coreTicks();
    }

    /** {@return cycles and busy time until now, of which only the growth counts} */
    public BusyCycles read() {
        Map<Integer, Long> now = MachineCpu.of(host).coreTicks();
        Map<Integer, Double> clocks =
                scaling ? frequencies(host, now.keySet()) : CpuInfo.clocks(host);
        for (Map.Entry<Integer, Long> core : now.entrySet()) {
            Double mhz = clocks.get(core.getKey());
            long ticks = core.getValue() - known.getOrDefault(core.getKey(), core.getValue());
            if (mhz != null && ticks > 0) {
                total = new BusyCycles(
                        total.megacycles() + mhz * ticks / BusyCycles.TICKS_PER_SECOND,
                        total.ticks() + ticks);
            }
        }
        known = now;
        return total;
    }

    /** {@return kHz of a core now, by its driver; null where none sets it} */
    private static @Nullable Long frequency(HostFiles host, int core) {
        return host.number("sys/devices/system/cpu/cpu" + core + "/cpufreq/scaling_cur_freq");
    }

    /** {@return MHz of each core by its number, by its driver; none where none sets it} */
    static Map<Integer, Double> frequencies(HostFiles host, Set<Integer> cores) {
        Map<Integer, Double> clocks = new HashMap<>();
        for (int core : cores) {
            Long kilohertz = frequency(host, core);
            if (kilohertz != null) {
                clocks.put(core, kilohertz / 1e3);
            }
        }
        return clocks;
    }
}
