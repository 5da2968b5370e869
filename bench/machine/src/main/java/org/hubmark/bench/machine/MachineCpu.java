package org.hubmark.bench.machine;

import java.util.Map;

/**
 * CPU time of the whole machine since it started, from /proc/stat (proc_stat(5)), in ticks over all
 * cores.
 *
 * @param busyTicks user, nice, system, irq, softirq and steal
 * @param totalTicks those, idle and waiting for I/O
 * @param stealTicks in which a hypervisor ran something else on a core that had work
 * @param interruptTicks irq, without softirq
 * @param coreTicks of each core by its number: those busy but for steal
 */
public record MachineCpu(
        long busyTicks,
        long totalTicks,
        long stealTicks,
        long interruptTicks,
        Map<Integer, Long> coreTicks) {
    /** Copies the map. */
    public MachineCpu {
        coreTicks = Map.copyOf(coreTicks);
    }

    /** {@return what the machine has used until now} */
    public static MachineCpu of(HostFiles host) {
        return parse(host.text("proc/stat"));
    }

    static MachineCpu parse(String stat) {
        String[] fields = stat.substring(0, stat.indexOf('\n')).trim().split(" +", -1);
        long total = 0;
        // Guest time, after the eighth, is contained in user time.
        for (int i = 1; i <= 8; i++) {
            total += Long.parseLong(fields[i]);
        }
        long idle = Long.parseLong(fields[4]) + Long.parseLong(fields[5]);
        return new MachineCpu(
                total - idle,
                total,
                Long.parseLong(fields[8]),
                Long.parseLong(fields[6]),
                CoreTicks.busy(stat));
    }

    /** {@return the cores whose time the file counts, those that are online; 0 when it is empty} */
    static int cores(String stat) {
        return (int) stat.lines().filter(CoreTicks::isOfOneCore).count();
    }
}
