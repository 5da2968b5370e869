package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.qualify.result.HostFigures;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Samples the machine: the counters of {@link HostFigures}. One thread. */
final class HostSampler {
    private static final long KIBIBYTE = 1024;
    private static final List<String> RECLAIMED = List.of("pgsteal_kswapd", "pgsteal_direct");

    private final List<Repeat> samples = new ArrayList<>();
    private MachineCpu lastCpu;
    private Duration lastOwn;
    private long lastReclaimed;
    private long lastNanos;

    HostSampler() {
        lastCpu = MachineCpu.of(HostFiles.HERE);
        lastOwn = own();
        lastReclaimed = reclaimed();
        lastNanos = System.nanoTime();
    }

    /** Takes a sample of the time since the last one. */
    void sample(long stalls) {
        long now = System.nanoTime();
        MachineCpu cpu = MachineCpu.of(HostFiles.HERE);
        Duration own = own();
        long reclaimed = reclaimed();
        samples.add(Repeat.counted()
                .count(HostFigures.SAMPLE_NS, now - lastNanos)
                .count(HostFigures.CORES_NS, (now - lastNanos) * cpu.coreTicks().size())
                .count(HostFigures.BUSY_TICKS, cpu.busyTicks() - lastCpu.busyTicks())
                .count(HostFigures.TOTAL_TICKS, cpu.totalTicks() - lastCpu.totalTicks())
                .count(HostFigures.STEAL_TICKS, cpu.stealTicks() - lastCpu.stealTicks())
                .count(HostFigures.INTERRUPT_TICKS, cpu.interruptTicks() - lastCpu.interruptTicks())
                .count(HostFigures.AVAILABLE_BYTES, bytes("proc/meminfo", "MemAvailable"))
                .count(HostFigures.PAGE_TABLES_BYTES, bytes("proc/meminfo", "PageTables"))
                .count(HostFigures.PAGES_RECLAIMED, reclaimed - lastReclaimed)
                .count(HostFigures.UNRECLAIMABLE_BYTES, bytes("proc/meminfo", "SUnreclaim"))
                .count(HostFigures.RECLAIMABLE_BYTES, bytes("proc/meminfo", "SReclaimable"))
                .count(HostFigures.STALLS, stalls)
                .count(HostFigures.TOOL_CPU_NS, own.minus(lastOwn).toNanos())
                .count(HostFigures.TOOL_MEMORY_BYTES, bytes("proc/self/status", "VmRSS"))
                .made());
        lastCpu = cpu;
        lastOwn = own;
        lastReclaimed = reclaimed;
        lastNanos = now;
    }

    private static @Nullable Long bytes(String file, String name) {
        String text = HostFiles.HERE.value(file, name, ":");
        return text == null ? null : (Long) (Long.parseLong(text.replace(" kB", "")) * KIBIBYTE);
    }

    private static Duration own() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static long reclaimed() {
        long pages = 0;
        for (String name : RECLAIMED) {
            String value = HostFiles.HERE.value("proc/vmstat", name, " ");
            pages += value == null ? 0 : Long.parseLong(value);
        }
        return pages;
    }

    /** {@return all samples} */
    List<Repeat> samples() {
        return List.copyOf(samples);
    }
}
