package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * Busy time of each core that is online, without what a hypervisor took, in ticks of 10 ms. It is the time
 * that passed less the idle time of /proc/stat. The busy times there are counted by looking every few
 * milliseconds where the kernel accounts so, and work that a timer wakes and that ends before the next look
 * is missed: a server at a low fixed rate seemed to use half of what its processes used. Idle time is exact
 * wherever an idle core stops its tick.
 */
final class CoreTicks {
    /** user, nice, system, irq and softirq; guest time is contained in user time. */
    private static final int[] BUSY = {1, 2, 3, 6, 7};

    private CoreTicks() {}

    /** {@return ticks by the number of the core, of which only the growth counts} */
    static Map<Integer, Long> busy(HostFiles host) {
        Long uptime = uptime(host);
        return busy(host.text("proc/stat"), uptime);
    }

    /** {@return ticks since the machine started, from /proc/uptime; null where it has none} */
    static @Nullable Long uptime(HostFiles host) {
        String first = host.text("proc/uptime").split(" ", 2)[0];
        return first.matches("\\d{1,12}\\.\\d\\d") ? Long.valueOf(first.replace(".", "")) : null;
    }

    /**
     * {@return ticks by the number of the core}
     *
     * @param uptimeTicks read just before; null where it isn't known: the busy times are taken then
     */
    static Map<Integer, Long> busy(String stat, @Nullable Long uptimeTicks) {
        Map<Integer, Long> cores = new HashMap<>();
        stat.lines().filter(CoreTicks::isOfOneCore).forEach(line -> {
            String[] fields = line.trim().split(" +", -1);
            long counted = 0;
            for (int field : BUSY) {
                counted += Long.parseLong(fields[field]);
            }
            long rest = 0;
            for (int field : new int[] {4, 5, 8}) {
                rest += Long.parseLong(fields[field]);
            }
            // A sandbox may have the file and count nothing in it.
            cores.put(
                    Integer.parseInt(fields[0].substring("cpu".length())),
                    uptimeTicks == null || counted + rest == 0 ? counted : uptimeTicks - rest);
        });
        return cores;
    }

    /** {@return whether a line of the file is one core's, and not that of all together} */
    static boolean isOfOneCore(String line) {
        return line.startsWith("cpu") && !line.startsWith("cpu ");
    }
}
