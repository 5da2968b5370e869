package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * Processes of a server, which all run as long as it does: all their threads, by /proc/PID/stat.
 *
 * @param processIds of all of them
 */
public record ServerProcesses(Set<Long> processIds) implements ServerCpu {
    /** Copies the set. */
    public ServerProcesses {
        processIds = Set.copyOf(processIds);
    }

    @Override
    public @Nullable Long nanos() {
        long sum = 0;
        for (long process : processIds) {
            Long nanos = ProcessCpu.nanos(process);
            if (nanos == null) {
                return null;
            }
            sum += nanos;
        }
        return sum;
    }
}
