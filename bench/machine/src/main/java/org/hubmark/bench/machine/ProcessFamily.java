package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.core.UserError;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A server of many processes: those with given names, and all that descend from them. What begins and ends
 * between two looks without a parent among them is missed. One thread.
 */
public final class ProcessFamily implements ServerCpu {
    private final Set<String> names;
    private final HostFiles host;
    private final ProcessTimes times = new ProcessTimes();

    ProcessFamily(HostFiles host, Set<String> names) {
        this.names = names;
        this.host = host;
    }

    /**
     * {@return those processes of a machine}
     *
     * @param names of programs, without folders
     * @param option that named them, for the message
     * @throws UserError when one has no process now
     */
    public static ProcessFamily named(List<String> names, HostFiles host, String option) {
        for (String name : names) {
            if (new ProcessFamily(host, Set.of(name)).look().isEmpty()) {
                throw UserError.usage(option + " " + name + ": no such process runs");
            }
        }
        return new ProcessFamily(host, Set.copyOf(names));
    }

    @Override
    public Set<Long> processIds() {
        return times.known().stream().map(ProcessTimes.Key::processId).collect(Collectors.toSet());
    }

    @Override
    public Long nanos() {
        return times.nanos(look());
    }

    /** {@return those that count and run, in the order of their turns} */
    private List<ProcessStat> look() {
        List<ProcessStat> all = ProcessStat.all(host);
        Set<Long> tracked = new HashSet<>();
        for (ProcessStat stat : all) {
            if (names.contains(stat.name())
                    || times.known().contains(ProcessTimes.Key.of(stat))
                    || names.contains(file(stat))) {
                tracked.add(stat.processId());
            }
        }
        boolean grown = true;
        while (grown) {
            grown = false;
            for (ProcessStat stat : all) {
                if (tracked.contains(stat.parentId())) {
                    grown |= tracked.add(stat.processId());
                }
            }
        }
        return all.stream().filter(stat -> tracked.contains(stat.processId())).toList();
    }

    /** The kernel's name of a process has 15 characters, and any thread may change it. */
    private String file(ProcessStat stat) {
        String line = host.text("proc/" + stat.processId() + "/cmdline");
        String first = line.substring(0, Math.max(0, line.indexOf('\0')));
        return first.substring(first.lastIndexOf('/') + 1);
    }
}
