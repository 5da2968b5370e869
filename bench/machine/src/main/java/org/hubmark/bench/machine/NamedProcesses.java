package org.hubmark.bench.machine;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A server of many processes: those with given names, and all that descend from them. The time of
 * one that has ended is in the account of the parent that waited for it (cutime and cstime of
 * proc_pid_stat(5)); if nobody waited, or that parent isn't one of them, what it had at the last look counts. What
 * begins and ends between two looks without such a parent is missed. One thread.
 */
public final class NamedProcesses implements ServerCpu {
    /** A busy server always has children that end; the last look is then as good as any. */
    private static final int LOOKS_MAX = 4;

    private final Set<String> names;
    private final HostFiles host;
    private final ProcessTable table;
    private Map<Key, ProcessStat> known = Map.of();
    /** By name at the last look: what a process runs stays, unless its name changes with it. */
    private Map<Key, Program> programs = Map.of();

    private long endedTicks;

    /** Of those that had ended at the last look and whom none had waited for, by who would have. */
    private Map<Long, Long> owedTicks = Map.of();

    /** A number alone may be that of another process by now. */
    private record Key(long processId, long startedTicks) {}

    /**
     * The program of a process.
     *
     * @param processName the kernel's
     * @param file without its folder
     */
    private record Program(String processName, String file) {}

    private NamedProcesses(Set<String> names, HostFiles host) {
        this.names = names;
        this.host = host;
        this.table = new ProcessTable(host);
    }

    /**
     * {@return those processes of a machine}
     *
     * @param names of programs, without folders
     * @param option that named them, for the message
     * @throws UserError when one has no process now
     */
    public static NamedProcesses named(List<String> names, HostFiles host, String option) {
        for (String name : names) {
            NamedProcesses one = new NamedProcesses(Set.of(name), host);
            long unused = one.nanos();
            if (one.known.isEmpty()) {
                throw UserError.usage(option + " " + name + ": no such process runs");
            }
        }
        return new NamedProcesses(Set.copyOf(names), host);
    }

    static NamedProcesses in(HostFiles host, String... names) {
        return new NamedProcesses(Set.of(names), host);
    }

    @Override
    public Set<Long> processIds() {
        return ids(known.keySet());
    }

    @Override
    public Long nanos() {
        Map<Key, ProcessStat> now = look();
        for (int again = 0; again < LOOKS_MAX - 1 && !isStill(now); again++) {
            now = look();
        }
        Map<Long, Long> ended = new HashMap<>();
        for (Map.Entry<Key, ProcessStat> one : known.entrySet()) {
            if (!now.containsKey(one.getKey())) {
                Long heir = heir(one.getValue(), now);
                if (heir == null) {
                    endedTicks += one.getValue().ticks();
                } else {
                    ended.merge(heir, one.getValue().ticks(), Long::sum);
                }
            }
        }
        owe(ended, now);
        known = now;
        long ticks = endedTicks;
        for (long owed : owedTicks.values()) {
            ticks += owed;
        }
        for (ProcessStat times : now.values()) {
            ticks += times.ticks();
        }
        return ticks * ProcessCpu.TICK_NANOS;
    }

    /**
     * Looks whether those that have ended were waited for. One whose parent ignores SIGCHLD is in nobody's account
     * and was used all the same; what the parent's turn was too early for, the next look finds.
     *
     * @param ended ticks by the process that would have waited
     */
    private void owe(Map<Long, Long> ended, Map<Key, ProcessStat> now) {
        Map<Long, Long> waited = new HashMap<>();
        now.forEach((key, times) -> waited.merge(key.processId(), times.waitedTicks(), Long::sum));
        known.forEach((key, times) -> {
            if (now.containsKey(key)) {
                waited.merge(key.processId(), -times.waitedTicks(), Long::sum);
            }
        });
        Map<Long, Long> owed = new HashMap<>();
        owedTicks.forEach((heir, ticks) -> {
            long found = Math.min(ticks, waited.getOrDefault(heir, 0L));
            endedTicks += ticks - found;
            waited.merge(heir, -found, Long::sum);
        });
        ended.forEach((heir, ticks) -> {
            long left = ticks - waited.getOrDefault(heir, 0L);
            if (left > 0) {
                owed.put(heir, left);
            }
        });
        owedTicks = owed;
    }

    /** {@return those that count and run, or have ended and were not waited for, in the order of the looks} */
    private Map<Key, ProcessStat> look() {
        // In the order of their turns.
        Map<Key, ProcessStat> all = new LinkedHashMap<>();
        Map<Key, Program> seen = new HashMap<>();
        Set<Key> tracked = new HashSet<>();
        for (ProcessStat stat : table.look()) {
            Key key = new Key(stat.processId(), stat.startedTicks());
            all.put(key, stat);
            Program program = program(key, stat);
            seen.put(key, program);
            if (names.contains(stat.name()) || names.contains(program.file())) {
                tracked.add(key);
            }
        }
        programs = seen;
        known.keySet().stream().filter(all::containsKey).forEach(tracked::add);
        addDescendants(all, tracked);
        all.keySet().retainAll(tracked);
        return all;
    }

    /** The kernel's name of a process has 15 characters, and any thread may change it. */
    private Program program(Key key, ProcessStat stat) {
        Program last = programs.get(key);
        if (last != null && last.processName().equals(stat.name())) {
            return last;
        }
        String line = host.text("proc/" + key.processId() + "/cmdline");
        String first = line.substring(0, Math.max(0, line.indexOf('\0')));
        return new Program(stat.name(), first.substring(first.lastIndexOf('/') + 1));
    }

    /**
     * {@return whether none was waited for since that look} A child that ends while the list is
     * worked off would count twice, or not at all: it depends on whose turn came first. Where that was
     * its parent's, the parent has waited for more by now; else the child is gone.
     */
    private boolean isStill(Map<Key, ProcessStat> look) {
        Set<Long> parents = new HashSet<>();
        look.values().forEach(times -> parents.add(times.parentId()));
        known.values().forEach(times -> parents.add(times.parentId()));
        Set<Long> ids = ids(look.keySet());
        Set<Long> seen = new HashSet<>();
        for (Map.Entry<Key, ProcessStat> one : look.entrySet()) {
            long id = one.getKey().processId();
            long parent = one.getValue().parentId();
            boolean isBeforeParent = ids.contains(parent) && !seen.contains(parent);
            seen.add(id);
            long waitedTicks = one.getValue().waitedTicks();
            if (waitedTicks == 0 && !parents.contains(id)) {
                if (isBeforeParent && !host.exists("proc/" + id + "/stat")) {
                    return false;
                }
                continue;
            }
            ProcessStat stat = ProcessStat.of(host, Long.toString(id));
            if (stat == null
                    || stat.startedTicks() != one.getKey().startedTicks()
                    || stat.waitedTicks() != waitedTicks) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return the process that runs and has the time of one that has ended in its account, if that was waited
     * for; null for none} A parent that has ended too has handed on what it had waited for.
     */
    private @Nullable Long heir(ProcessStat ended, Map<Key, ProcessStat> now) {
        Set<Long> running = ids(now.keySet());
        Map<Long, ProcessStat> before = new HashMap<>();
        known.forEach((key, times) -> before.put(key.processId(), times));
        ProcessStat one = ended;
        // Each step goes up one generation.
        for (int step = 0; one != null && step < known.size(); step++) {
            if (running.contains(one.parentId())) {
                return one.parentId();
            }
            one = before.get(one.parentId());
        }
        return null;
    }

    private static Set<Long> ids(Set<Key> keys) {
        Set<Long> ids = new HashSet<>();
        keys.forEach(key -> ids.add(key.processId()));
        return ids;
    }

    private static void addDescendants(Map<Key, ProcessStat> all, Set<Key> tracked) {
        boolean grown = true;
        while (grown) {
            Set<Long> ids = ids(tracked);
            grown = false;
            for (Map.Entry<Key, ProcessStat> one : all.entrySet()) {
                if (ids.contains(one.getValue().parentId())) {
                    grown |= tracked.add(one.getKey());
                }
            }
        }
    }
}
