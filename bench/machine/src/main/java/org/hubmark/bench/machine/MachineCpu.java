package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * CPU time of the whole machine since it started, from /proc/stat (proc_stat(5)), in ticks of 10 ms over all
 * cores that are online. Only the growth counts.
 *
 * <p>Busy time of a core is the time that passed less its idle time. The busy times of /proc/stat are counted by
 * looking every few milliseconds where the kernel accounts so, and work that a timer wakes and that ends before
 * the next look is missed: a server at a low fixed rate seemed to use half of what its processes used. Idle
 * time is exact wherever an idle core stops its tick.
 *
 * @param busyTicks neither idle nor waiting for I/O; steal is contained
 * @param totalTicks those, idle and waiting for I/O
 * @param stealTicks in which a hypervisor ran something else on a core that had work
 * @param coreTicks of each core by its number: those busy but for steal
 */
public record MachineCpu(
        long busyTicks, long totalTicks, long stealTicks, Map<Integer, Long> coreTicks) {
    /** user, nice, system, irq and softirq; guest time is contained in user time. */
    private static final int[] BUSY = {1, 2, 3, 6, 7};

    /** idle, iowait and steal. */
    private static final int[] REST = {4, 5, 8};

    /** Copies the map. */
    public MachineCpu {
        coreTicks = Map.copyOf(coreTicks);
    }

    /** {@return what the machine has used until now} */
    public static MachineCpu of(HostFiles host) {
        // Read before the other file.
        String uptime = host.text("proc/uptime").split(" ", 2)[0];
        return parse(
                host.text("proc/stat"),
                uptime.matches("\\d{1,12}\\.\\d\\d")
                        ? Long.valueOf(uptime.replace(".", ""))
                        : null);
    }

    /**
     * {@return the counters; all are 0 where the file is empty}
     *
     * @param stat of /proc/stat
     * @param uptimeTicks read just before; null where it isn't known: the busy times are taken then
     */
    static MachineCpu parse(String stat, @Nullable Long uptimeTicks) {
        Map<Integer, Long> cores = new HashMap<>();
        long busy = 0;
        long total = 0;
        long steal = 0;
        for (String line : stat.lines().filter(line -> line.startsWith("cpu")).toList()) {
            String[] fields = line.trim().split(" +", -1);
            long counted = sum(fields, BUSY);
            long rest = sum(fields, REST);
            if (fields[0].equals("cpu")) {
                steal = Long.parseLong(fields[8]);
                busy = counted + steal;
                total = counted + rest;
            } else {
                // A sandbox may have the file and count nothing in it.
                cores.put(
                        Integer.parseInt(fields[0].substring("cpu".length())),
                        uptimeTicks == null || counted + rest == 0 ? counted : uptimeTicks - rest);
            }
        }
        if (uptimeTicks != null && total != 0) {
            busy = cores.values().stream().mapToLong(Long::longValue).sum() + steal;
            total = uptimeTicks * cores.size();
        }
        return new MachineCpu(busy, total, steal, cores);
    }

    private static long sum(String[] fields, int[] wanted) {
        return Arrays.stream(wanted)
                .mapToLong(field -> Long.parseLong(fields[field]))
                .sum();
    }

    /** {@return how far a counter has grown; null where the machine began anew, or a core came or went} */
    public static @Nullable Long growth(
            @Nullable MachineCpu before,
            @Nullable MachineCpu after,
            ToLongFunction<MachineCpu> counter) {
        if (before == null
                || after == null
                || after.totalTicks < before.totalTicks
                || !before.coreTicks.keySet().equals(after.coreTicks.keySet())) {
            return null;
        }
        // Uptime and idle time are cut to whole ticks each: of an idle machine they may differ by
        // one.
        return Math.max(0, counter.applyAsLong(after) - counter.applyAsLong(before));
    }
}
