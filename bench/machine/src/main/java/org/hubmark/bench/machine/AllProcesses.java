package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * CPU time of all processes of a machine together, but for the kernel's own threads. It is theirs whichever
 * way the kernel accounts: where it does so by ticks, interrupts are in the time of the process that they
 * hit, and nowhere else. The time of one that has ended is in the account of the parent that waited for it
 * (cutime and cstime of proc_pid_stat(5)). One thread.
 */
final class AllProcesses {
    private final HostFiles host;
    private Map<String, ProcessStat> known = Map.of();
    /** At the last look: none of them becomes a program, so that they need no look. */
    private Set<String> kernelThreads = Set.of();

    private long ticks;
    /** By how much more parents had waited for at the last look than had ended. */
    private long balance;

    private boolean isVisible;

    AllProcesses(HostFiles host) {
        this.host = host;
    }

    /**
     * {@return nanoseconds so far, of which only the growth counts; null where not all processes can be
     * seen: in a container that has its own process numbers}
     */
    @Nullable
    Long nanos() {
        isVisible = isVisible || "kthreadd".equals(host.line("proc/2/comm"));
        if (!isVisible) {
            return null;
        }
        Map<String, ProcessStat> now = look();
        if (!known.isEmpty()) {
            count(now);
        }
        known = now;
        return ticks * ProcessCpu.TICK_NANOS;
    }

    private Map<String, ProcessStat> look() {
        Map<String, ProcessStat> processes = new HashMap<>();
        Set<String> kernel = new HashSet<>();
        for (String id : host.numbers("proc")) {
            ProcessStat stat = kernelThreads.contains(id) ? null : ProcessStat.of(host, id);
            if (stat != null && !stat.isKernelThread()) {
                processes.put(id, stat);
            } else if (stat != null || kernelThreads.contains(id)) {
                kernel.add(id);
            }
        }
        kernelThreads = kernel;
        return processes;
    }

    private void count(Map<String, ProcessStat> now) {
        long own = 0;
        long waited = 0;
        for (Map.Entry<String, ProcessStat> one : now.entrySet()) {
            ProcessStat stat = one.getValue();
            ProcessStat before = known.get(one.getKey());
            own += stat.ownTicks();
            waited += stat.waitedTicks();
            if (before != null && before.startedTicks() == stat.startedTicks()) {
                own -= before.ownTicks();
                waited -= before.waitedTicks();
            }
        }
        for (Map.Entry<String, ProcessStat> one : known.entrySet()) {
            ProcessStat before = one.getValue();
            ProcessStat stat = now.get(one.getKey());
            if (stat == null || stat.startedTicks() != before.startedTicks()) {
                waited -= before.ownTicks() + before.waitedTicks();
            }
        }
        ticks += own + waited;
        // A child may end while the list is worked off: its parent's turn was before, and the next
        // look
        // finds what was waited for. What that doesn't find nobody has waited for, and it was used
        // all
        // the same.
        long owed = Math.max(0, -balance);
        ticks += Math.max(0, owed - Math.max(0, waited));
        balance = waited > 0
                ? Math.max(0, waited - owed)
                : Math.min(0, waited + Math.max(0, balance));
    }
}
