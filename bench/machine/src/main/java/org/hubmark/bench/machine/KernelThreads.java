package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * CPU time of the kernel's own threads: those that work for the server (a journal, writeback) and are
 * nobody's process. Where they come and go, what each had at the last look counts. One thread.
 */
final class KernelThreads {
    private final HostFiles host;
    private Map<String, Long> known = new HashMap<>();
    /** At the last look: none of them becomes a thread of the kernel's, so that they need no look. */
    private Set<String> programs = Set.of();

    private long ticks;
    /** They stay so. */
    private boolean isSeen;

    /** Of a machine. */
    KernelThreads(HostFiles host) {
        this.host = host;
    }

    /**
     * {@return nanoseconds so far, of which only the growth counts; null where they can't be seen: in a
     * container that has its own process numbers}
     *
     * @param processes all that there are, or those of them that are the kernel's
     */
    @Nullable
    Long nanos(Collection<String> processes) {
        isSeen = isSeen || "kthreadd".equals(host.line("proc/2/comm"));
        if (!isSeen) {
            return null;
        }
        Map<String, Long> now = new HashMap<>();
        Set<String> others = new HashSet<>();
        for (String process : processes) {
            boolean isProgram = programs.contains(process);
            ProcessStat stat = isProgram ? null : ProcessStat.of(host, process);
            if (stat != null && stat.isKernelThread()) {
                now.put(process, stat.ownTicks());
                ticks += Math.max(0, stat.ownTicks() - known.getOrDefault(process, 0L));
            } else if (isProgram || stat != null) {
                others.add(process);
            }
        }
        programs = others;
        known = now;
        return ticks * ProcessCpu.TICK_NANOS;
    }
}
