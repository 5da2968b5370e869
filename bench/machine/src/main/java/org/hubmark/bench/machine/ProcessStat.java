package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
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

    /** Fields behind the name, up to the time of the start. */
    private static final int FIELDS = 20;

    /** The name of the program stands in parentheses and may hold blanks and parentheses. */
    static ProcessStat parse(String line) {
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        long[] fields = new long[FIELDS];
        // Behind the state, which is a letter. Of some hundred processes a second, so without a
        // list of strings.
        int begin = line.indexOf(' ', close + 2) + 1;
        for (int i = 1; i < FIELDS; i++) {
            int end = line.indexOf(' ', begin);
            end = end < 0 ? line.stripTrailing().length() : end;
            fields[i] = Long.parseLong(line, begin, end, 10);
            begin = end + 1;
        }
        return new ProcessStat(
                Long.parseLong(line.substring(0, open).strip()),
                line.substring(open + 1, close),
                fields[1],
                fields[6],
                fields[11] + fields[12],
                fields[13] + fields[14],
                fields[FIELDS - 1]);
    }

    /** {@return CPU time of its threads and of the children that it has waited for} */
    long ticks() {
        return ownTicks + waitedTicks;
    }


}
