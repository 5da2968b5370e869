package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * CPU time of the whole machine since it started, from /proc/stat (proc_stat(5)), in ticks over all
 * cores that are online. Only the growth counts.
 *
 * @param busyTicks neither idle nor waiting for I/O; steal is contained
 * @param totalTicks those, idle and waiting for I/O
 * @param stealTicks in which a hypervisor ran something else on a core that had work
 * @param coreTicks of each core by its number: those busy but for steal
 */
public record MachineCpu(
        long busyTicks, long totalTicks, long stealTicks, Map<Integer, Long> coreTicks) {
    /** Copies the map. */
    public MachineCpu {
        coreTicks = Map.copyOf(coreTicks);
    }

    /** {@return what the machine has used until now} */
    public static MachineCpu of(HostFiles host) {
        Long uptime = CoreTicks.uptime(host);
        return parse(host.text("proc/stat"), uptime);
    }

    /**
     * {@return the counters}
     *
     * @param stat of /proc/stat
     * @param uptimeTicks read just before; null where it isn't known: the busy times are taken then
     */
    static MachineCpu parse(String stat, @Nullable Long uptimeTicks) {
        String[] fields = stat.substring(0, stat.indexOf('\n')).trim().split(" +", -1);
        long total = 0;
        // Guest time, after the eighth, is contained in user time.
        for (int i = 1; i <= 8; i++) {
            total += Long.parseLong(fields[i]);
        }
        long idle = Long.parseLong(fields[4]) + Long.parseLong(fields[5]);
        long steal = Long.parseLong(fields[8]);
        Map<Integer, Long> cores = CoreTicks.busy(stat, uptimeTicks);
        long busy = cores.values().stream().mapToLong(Long::longValue).sum() + steal;
        return new MachineCpu(
                uptimeTicks == null || total == 0 ? total - idle : busy,
                uptimeTicks == null || total == 0 ? total : uptimeTicks * cores.size(),
                steal,
                cores);
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

    /** {@return the cores whose time the file counts, those that are online; 0 when it is empty} */
    static int cores(String stat) {
        return (int) stat.lines().filter(CoreTicks::isOfOneCore).count();
    }
}
