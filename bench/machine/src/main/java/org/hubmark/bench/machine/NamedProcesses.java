package org.hubmark.bench.machine;

import org.hubmark.bench.UserError;
import org.hubmark.core.FileErrors;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A server of many processes: those with given names, and all that descend from them. The time of
 * one that has ended is in the account of the parent that waited for it (cutime and cstime of
 * proc_pid_stat(5)); if that parent isn't one of them, what it had at the last look counts. What
 * begins and ends between two looks without such a parent is missed. One thread.
 */
public final class NamedProcesses implements ServerCpu {
    private static final Path PROC = Path.of("/proc");
    /** A busy server always has children that end; the last look is then as good as any. */
    private static final int LOOKS_MAX = 4;

    private final Set<String> names;
    private final Path proc;
    private Map<Key, Times> known = Map.of();
    private long endedTicks;

    /** A number alone may be that of another process by now. */
    private record Key(long processId, long startedTicks) {}

    /**
     * Of one process.
     *
     * @param ownTicks its threads
     * @param waitedTicks the children that it has waited for
     */
    private record Times(long parentId, long ownTicks, long waitedTicks) {
        long ticks() {
            return ownTicks + waitedTicks;
        }
    }

    private NamedProcesses(Set<String> names, Path proc) {
        this.names = names;
        this.proc = proc;
    }

    /**
     * {@return those processes}
     *
     * @param names of programs, without folders
     * @throws UserError when one has no process now
     */
    public static NamedProcesses named(List<String> names) {
        for (String name : names) {
            NamedProcesses one = new NamedProcesses(Set.of(name), PROC);
            long unused = one.nanos();
            if (one.known.isEmpty()) {
                throw UserError.usage("--target-processes " + name + ": no such process runs");
            }
        }
        return new NamedProcesses(Set.copyOf(names), PROC);
    }

    static NamedProcesses in(Path proc, String... names) {
        return new NamedProcesses(Set.of(names), proc);
    }

    @Override
    public Long nanos() {
        Map<Key, Times> now = look();
        for (int again = 0; again < LOOKS_MAX - 1 && !isStill(now); again++) {
            now = look();
        }
        for (Map.Entry<Key, Times> one : known.entrySet()) {
            if (!now.containsKey(one.getKey()) && !isWaitedFor(one.getValue(), now)) {
                endedTicks += one.getValue().ticks();
            }
        }
        known = now;
        long ticks = endedTicks;
        for (Times times : now.values()) {
            ticks += times.ticks();
        }
        return ticks * ProcessCpu.TICK_NANOS;
    }

    /** {@return those that count and run, or have ended and were not waited for} */
    private Map<Key, Times> look() {
        Map<Key, Times> all = new HashMap<>();
        Set<Key> tracked = new HashSet<>();
        for (Path folder : folders()) {
            read(folder, all, tracked);
        }
        known.keySet().stream().filter(all::containsKey).forEach(tracked::add);
        addDescendants(all, tracked);
        all.keySet().retainAll(tracked);
        return all;
    }

    /**
     * {@return whether none was waited for since that look} A child that ends while the list is
     * worked off would count twice, or not at all: it depends on whose turn came first.
     */
    private boolean isStill(Map<Key, Times> look) {
        for (Map.Entry<Key, Times> one : look.entrySet()) {
            Map<Key, Times> now = new HashMap<>();
            read(proc.resolve(Long.toString(one.getKey().processId())), now, new HashSet<>());
            Times times = now.get(one.getKey());
            if (times == null || times.waitedTicks() != one.getValue().waitedTicks()) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return whether the time of one that has ended is in the account of one that runs} A parent
     * that has ended too has handed on what it had waited for.
     */
    private boolean isWaitedFor(Times ended, Map<Key, Times> now) {
        Set<Long> running = ids(now.keySet());
        Map<Long, Times> before = new HashMap<>();
        known.forEach((key, times) -> before.put(key.processId(), times));
        Times one = ended;
        // Each step goes up one generation.
        for (int step = 0; one != null && step < known.size(); step++) {
            if (running.contains(one.parentId())) {
                return true;
            }
            one = before.get(one.parentId());
        }
        return false;
    }

    private static Set<Long> ids(Set<Key> keys) {
        Set<Long> ids = new HashSet<>();
        keys.forEach(key -> ids.add(key.processId()));
        return ids;
    }

    private static void addDescendants(Map<Key, Times> all, Set<Key> tracked) {
        boolean grown = true;
        while (grown) {
            Set<Long> ids = ids(tracked);
            grown = false;
            for (Map.Entry<Key, Times> one : all.entrySet()) {
                if (ids.contains(one.getValue().parentId())) {
                    grown |= tracked.add(one.getKey());
                }
            }
        }
    }

    private List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(proc, "[0-9]*")) {
            all.forEach(folders::add);
        } catch (IOException e) {
            throw UserError.failed(proc + " can't be read (" + FileErrors.reason(e) + ")");
        }
        return folders;
    }

    private void read(Path folder, Map<Key, Times> all, Set<Key> matching) {
        try {
            String stat = Files.readString(folder.resolve("stat"));
            String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            Key key = new Key(
                    Long.parseLong(folder.getFileName().toString()), Long.parseLong(fields[19]));
            all.put(
                    key,
                    new Times(
                            Long.parseLong(fields[1]),
                            Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
                            Long.parseLong(fields[13]) + Long.parseLong(fields[14])));
            if (names.contains(name) || names.contains(program(folder))) {
                matching.add(key);
            }
        } catch (IOException e) {
            // It has ended since the folder was listed.
            return;
        }
    }

    /** The kernel's name of a process has 15 characters, and any thread may change it. */
    private static String program(Path folder) throws IOException {
        String line = Files.readString(folder.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        String first = line.substring(0, Math.max(0, line.indexOf('\0')));
        return first.substring(first.lastIndexOf('/') + 1);
    }
}
