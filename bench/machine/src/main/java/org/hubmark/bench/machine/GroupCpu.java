package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * CPU time of a control group with a limit, which is the machine of the processes in it (the kernel's
 * Documentation/admin-guide/cgroup-v2.rst, cpu.stat; scheduler/sched-bwc.rst;
 * cgroup-v1/cpuacct.rst).
 *
 * @param folder of its files, below the root
 * @param usageFolder that of version 1 for what it has used
 */
public record GroupCpu(String folder, String usageFolder) {
    /** Takes down what it has used. */
    void read(HostFiles host, Map<MachineCounter, Long> into) {
        String stat = host.text(folder + "/cpu.stat");
        Long usage = usage(stat);
        usage = usage == null ? host.number(usageFolder + "/cpuacct.usage") : usage;
        if (usage != null) {
            into.put(MachineCounter.GROUP_NS, usage);
            MachineCounter.THROTTLED_NS.put(throttled(stat), into);
        }
    }

    /** {@return CPU time by a cpu.stat of version 2; null in one of version 1} */
    static @Nullable Long usage(String stat) {
        return value(stat, "usage_usec", 1_000);
    }

    /** {@return time of throttling by a cpu.stat of either version; null where it doesn't say} */
    public static @Nullable Long throttled(String stat) {
        Long second = value(stat, "throttled_usec", 1_000);
        return second == null ? value(stat, "throttled_time", 1) : second;
    }

    private static @Nullable Long value(String text, String name, long unitNanos) {
        for (String line : text.lines().toList()) {
            if (line.startsWith(name + " ")) {
                return Long.parseLong(line.substring(name.length()).strip()) * unitNanos;
            }
        }
        return null;
    }
}
