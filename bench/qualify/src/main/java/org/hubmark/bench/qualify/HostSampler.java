package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.qualify.result.Range;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Samples the machine: the counters that the source has of its host, by those of Linux that come nearest;
 * docs/qualify.md says which stands for which. One thread.
 */
final class HostSampler {
    private static final double KB_PER_MB = 1024;
    private static final List<String> RECLAIMED = List.of("pgsteal_kswapd", "pgsteal_direct");

    private final Map<String, List<Double>> samples = new LinkedHashMap<>();
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
    void sample(double stallsPerSecond) {
        long now = System.nanoTime();
        double seconds = (now - lastNanos) / 1e9;
        MachineCpu cpu = MachineCpu.of(HostFiles.HERE);
        Duration own = own();
        long reclaimed = reclaimed();
        long ticks = cpu.totalTicks() - lastCpu.totalTicks();
        if (ticks > 0) {
            add("cpu_percent", 100.0 * (cpu.busyTicks() - lastCpu.busyTicks()) / ticks);
        }
        add("available_mb", kilobytes("proc/meminfo", "MemAvailable", KB_PER_MB));
        add("page_tables_bytes", kilobytes("proc/meminfo", "PageTables", 1 / KB_PER_MB));
        add("pages_reclaimed_per_s", (reclaimed - lastReclaimed) / seconds);
        add("kernel_unreclaimable_bytes", kilobytes("proc/meminfo", "SUnreclaim", 1 / KB_PER_MB));
        add("kernel_reclaimable_bytes", kilobytes("proc/meminfo", "SReclaimable", 1 / KB_PER_MB));
        add("stalls_per_s", stallsPerSecond);
        add("tool_cpu_percent_of_a_core", own.minus(lastOwn).toNanos() / 1e7 / seconds);
        add("tool_memory_mb", kilobytes("proc/self/status", "VmRSS", KB_PER_MB));
        lastCpu = cpu;
        lastOwn = own;
        lastReclaimed = reclaimed;
        lastNanos = now;
    }

    private void add(String name, @Nullable Double value) {
        List<Double> values = samples.computeIfAbsent(name, unused -> new ArrayList<>());
        if (value != null) {
            values.add(value);
        }
    }

    private static @Nullable Double kilobytes(String file, String name, double divisor) {
        String text = HostFiles.HERE.value(file, name, ":");
        return text == null ? null : Long.parseLong(text.replace(" kB", "")) / divisor;
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

    /** {@return average, minimum and maximum of each} */
    Map<String, Range> ranges() {
        Map<String, Range> ranges = new LinkedHashMap<>();
        samples.forEach((name, values) -> ranges.put(name, Range.of(values)));
        return ranges;
    }
}
