package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * A server that is one process: all its threads, by /proc/PID/stat.
 *
 * @param processId of the server
 */
public record OneProcess(long processId) implements ServerCpu {
    @Override
    public @Nullable Long nanos() {
        return ProcessCpu.nanos(processId);
    }

    @Override
    public Set<Long> processIds() {
        return Set.of(processId);
    }
}
