package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * A server that is several processes, which all run as long as it does.
 *
 * @param processIds of all of them
 */
public record SeveralProcesses(Set<Long> processIds) implements ServerCpu {
    /** Copies the set. */
    public SeveralProcesses {
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
