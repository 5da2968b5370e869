package org.hubmark.bench.machine;

import org.hubmark.core.ForeignText;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;

/** CPU time of a process, from /proc/PID/stat: all threads, user and system (proc_pid_stat(5)). */
public final class ProcessCpu {
    /** USER_HZ is 100 on every architecture that a current JDK runs on. */
    public static final long TICK_NANOS = 10_000_000;

    /** Fields behind the name, up to the CPU time. */
    private static final int FIELDS = 13;

    private ProcessCpu() {}

    /** {@return nanoseconds, or null when there is no such process} */
    public static @Nullable Long nanos(long processId) {
        try {
            return parse(ForeignText.read(Path.of("/proc/" + processId + "/stat")));
        } catch (IOException e) {
            return null;
        }
    }

    static long parse(String stat) {
        // The name of the program stands in parentheses and may hold blanks and parentheses.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", FIELDS + 1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
    }
}
