package org.hubmark.bench.machine;

import java.util.HashMap;
import java.util.Map;

/** Busy time of each core that is online, without what a hypervisor took, from /proc/stat. */
final class CoreTicks {
    private CoreTicks() {}

    /** {@return ticks by the number of the core} */
    static Map<Integer, Long> busy(String stat) {
        Map<Integer, Long> cores = new HashMap<>();
        stat.lines().filter(CoreTicks::isOfOneCore).forEach(line -> {
            String[] fields = line.trim().split(" +", -1);
            // user, nice, system, irq and softirq; guest time is contained in user time.
            long busy = 0;
            for (int field : new int[] {1, 2, 3, 6, 7}) {
                busy += Long.parseLong(fields[field]);
            }
            cores.put(Integer.parseInt(fields[0].substring("cpu".length())), busy);
        });
        return cores;
    }

    /** {@return whether a line of the file is one core's, and not that of all together} */
    static boolean isOfOneCore(String line) {
        return line.startsWith("cpu") && !line.startsWith("cpu ");
    }

    /** {@return the sum of all} */
    static long sum(String stat) {
        return busy(stat).values().stream().mapToLong(Long::longValue).sum();
    }
}
