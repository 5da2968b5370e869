package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A process, by its line in /proc/PID/stat (proc_pid_stat(5)).
 *
 * @param name the kernel's, of up to 15 characters
 * @param flags of the kernel
 * @param ownTicks CPU time of its threads
 * @param waitedTicks that of the children that it has waited for
 * @param startedTicks since the machine started
 */
record ProcessStat(
        long processId,
        String name,
        long parentId,
        long flags,
        long ownTicks,
        long waitedTicks,
        long startedTicks) {
    /** PF_KTHREAD of the kernel's include/linux/sched.h. */
    private static final long KERNEL_THREAD = 0x0020_0000;

    /** Numbers up to the time of the start; some behind it are too large. */
    private static final int FIELDS = 19;

    /** {@return a process by its number; null when it has ended} */
    static @Nullable ProcessStat of(HostFiles host, String process) {
        String line = host.text("proc/" + process + "/stat");
        return line.isEmpty() ? null : parse(line);
    }

    /** {@return the processes of a machine that run now, but for the kernel's own threads} */
    static List<ProcessStat> all(HostFiles host) {
        List<ProcessStat> processes = new ArrayList<>();
        for (String id : host.numbers("proc")) {
            ProcessStat stat = of(host, id);
            if (stat != null && (stat.flags() & KERNEL_THREAD) == 0) {
                processes.add(stat);
            }
        }
        return processes;
    }

    /** The name of the program stands in parentheses and may hold blanks and parentheses. */
    static ProcessStat parse(String line) {
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        // Behind the state, which is a letter.
        long[] fields = Arrays.stream(line.substring(close + 2).strip().split(" ", -1))
                .skip(1)
                .limit(FIELDS)
                .mapToLong(Long::parseLong)
                .toArray();
        return new ProcessStat(
                Long.parseLong(line.substring(0, open).strip()),
                line.substring(open + 1, close),
                fields[0],
                fields[5],
                fields[10] + fields[11],
                fields[12] + fields[13],
                fields[18]);
    }

    /** {@return CPU time of its threads and of the children that it has waited for} */
    long ticks() {
        return ownTicks + waitedTicks;
    }
}
