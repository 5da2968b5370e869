package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of the kernel's own threads: those that work for the server (a journal, writeback) and are
 * nobody's process. Where they come and go, what each had at the last look counts. One thread.
 */
public final class KernelThreads {
    /** PF_KTHREAD of the kernel's include/linux/sched.h. */
    private static final long KERNEL_THREAD = 0x0020_0000;

    private final HostFiles host;
    private Map<String, Long> known = new HashMap<>();
    private long ticks;

    /** Of this machine. */
    public KernelThreads() {
        this(HostFiles.HERE);
    }

    KernelThreads(HostFiles host) {
        this.host = host;
    }

    /**
     * {@return nanoseconds so far, of which only the growth counts; null where they can't be seen: in a
     * container that has its own process numbers}
     */
    public @Nullable Long nanos() {
        if (!"kthreadd".equals(host.line("proc/2/comm"))) {
            return null;
        }
        Map<String, Long> now = new HashMap<>();
        for (String process : host.names("proc", "[0-9]*")) {
            String stat = host.text("proc/" + process + "/stat");
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            // Empty when it has ended since the folder was listed.
            if (fields.length > 12 && (Long.parseLong(fields[6]) & KERNEL_THREAD) != 0) {
                long used = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
                now.put(process, used);
                ticks += Math.max(0, used - known.getOrDefault(process, 0L));
            }
        }
        known = now;
        return ticks * ProcessCpu.TICK_NANOS;
    }
}
