package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of all processes of a machine together, but for the kernel's own threads. It is theirs whichever
 * way the kernel accounts: where it does so by ticks, interrupts are in the time of the process that they
 * hit, and nowhere else. The time of one that has ended is in the account of the parent that waited for it
 * (cutime and cstime of proc_pid_stat(5)). One thread.
 */
final class AllProcesses {
    private final HostFiles host;
    private final ProcessTable table;
    private Map<Long, ProcessStat> known = Map.of();
    private long ticks;
    /** By how much more parents had waited for at the last look than had ended. */
    private long balance;

    private boolean isVisible;

    AllProcesses(HostFiles host) {
        this.host = host;
        this.table = new ProcessTable(host);
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
        Map<Long, ProcessStat> now = new HashMap<>();
        table.look().forEach(stat -> now.put(stat.processId(), stat));
        if (!known.isEmpty()) {
            count(now);
        }
        known = now;
        return ticks * ProcessCpu.TICK_NANOS;
    }

    private void count(Map<Long, ProcessStat> now) {
        long own = 0;
        long waited = 0;
        for (Map.Entry<Long, ProcessStat> one : now.entrySet()) {
            ProcessStat stat = one.getValue();
            ProcessStat before = known.get(one.getKey());
            own += stat.ownTicks();
            waited += stat.waitedTicks();
            if (before != null && before.startedTicks() == stat.startedTicks()) {
                own -= before.ownTicks();
                waited -= before.waitedTicks();
            }
        }
        for (Map.Entry<Long, ProcessStat> one : known.entrySet()) {
            ProcessStat before = one.getValue();
            ProcessStat stat = now.get(one.getKey());
            if (stat == null || stat.startedTicks() != before.startedTicks()) {
                waited -= before.ownTicks() + before.waitedTicks();
            }
        }
        ticks += own + waited;
        // A child may end while the list is worked off: its parent's turn was before, and the next
        // look finds what was waited for. What that doesn't find nobody has waited for, and it was
        // used all the same.
        long owed = Math.max(0, -balance);
        ticks += Math.max(0, owed - Math.max(0, waited));
        balance = waited > 0
                ? Math.max(0, waited - owed)
                : Math.min(0, waited + Math.max(0, balance));
    }
}
