package org.hubmark.bench.machine;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * CPU time of some processes together, look by look. The time of one that has ended is in the account of
 * the parent that waited for it (cutime and cstime of proc_pid_stat(5)); what nobody waits for, or a parent
 * that isn't one of them, had used by the last look counts. One thread.
 */
final class ProcessTimes {
    private Map<Key, ProcessStat> known = Map.of();
    private long ticks;
    private long ticksMax;
    /** Of those that had ended at the last look, what their parents had not waited for. */
    private long owedTicks;
    /** What parents had waited for at the last look beyond those that had ended. */
    private long aheadTicks;

    /** A number alone may be that of another process by now. */
    record Key(long processId, long startedTicks) {
        static Key of(ProcessStat stat) {
            return new Key(stat.processId(), stat.startedTicks());
        }
    }

    /** {@return those of the last look} */
    Set<Key> known() {
        return known.keySet();
    }

    /**
     * {@return nanoseconds so far, of which only the growth counts}
     *
     * @param look those that run now
     */
    long nanos(Collection<ProcessStat> look) {
        Map<Key, ProcessStat> now = new LinkedHashMap<>();
        look.forEach(stat -> now.put(Key.of(stat), stat));
        long waited = 0;
        for (Map.Entry<Key, ProcessStat> one : now.entrySet()) {
            ProcessStat stat = one.getValue();
            ProcessStat before = known.get(one.getKey());
            ticks += before == null ? stat.ticks() : stat.ownTicks() - before.ownTicks();
            waited += before == null ? 0 : stat.waitedTicks() - before.waitedTicks();
        }
        long ended = ended(now);
        // A child may end while the list is worked off. Where the parent's turn was before, the
        // next look
        // finds what was waited for. Where it was after, the child counted twice, which the next
        // look
        // takes back. What that look doesn't find nobody has waited for, and it was used all the
        // same.
        long unseen = Math.max(0, waited - owedTicks) - ended;
        long twice = Math.min(aheadTicks, Math.max(0, -unseen));
        ticks += Math.max(0, unseen) - twice;
        owedTicks = Math.max(0, -unseen) - twice;
        aheadTicks = Math.max(0, unseen);
        known = now;
        // What is taken back makes no counter fall.
        ticksMax = Math.max(ticksMax, ticks);
        return ticksMax * ProcessCpu.TICK_NANOS;
    }

    /** {@return what those had used by the last look that have ended, and that a parent may wait for} */
    private long ended(Map<Key, ProcessStat> now) {
        Map<Long, ProcessStat> running = byId(now);
        Map<Long, ProcessStat> before = byId(known);
        long ended = 0;
        for (Map.Entry<Key, ProcessStat> one : known.entrySet()) {
            if (!now.containsKey(one.getKey()) && isInherited(one.getValue(), running, before)) {
                ended += one.getValue().ticks();
            }
        }
        return ended;
    }

    /** A parent that has ended too has handed on what it had waited for. */
    private static boolean isInherited(
            ProcessStat ended, Map<Long, ProcessStat> running, Map<Long, ProcessStat> before) {
        ProcessStat one = ended;
        // Each step goes up one generation.
        for (int step = 0; one != null && step <= before.size(); step++) {
            if (running.containsKey(one.parentId())) {
                return true;
            }
            one = before.get(one.parentId());
        }
        return false;
    }

    private static Map<Long, ProcessStat> byId(Map<Key, ProcessStat> processes) {
        Map<Long, ProcessStat> byId = new HashMap<>();
        processes.forEach((key, stat) -> byId.put(key.processId(), stat));
        return byId;
    }
}
