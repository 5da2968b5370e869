package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

/** CPU time of a process, from /proc/PID/stat: all threads, user and system (proc_pid_stat(5)). */
public final class ProcessCpu {
    /** USER_HZ is 100 on every architecture that a current JDK runs on. */
    public static final long TICK_NANOS = 10_000_000;

    private ProcessCpu() {}

    /** {@return nanoseconds, or null when there is no such process} */
    public static @Nullable Long nanos(long processId) {
        ProcessStat stat = ProcessStat.of(HostFiles.HERE, Long.toString(processId));
        return stat == null ? null : (Long) (stat.ownTicks() * TICK_NANOS);
    }
}
