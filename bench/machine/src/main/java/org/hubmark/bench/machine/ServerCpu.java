package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Where the CPU time of a server comes from. */
public sealed interface ServerCpu permits ServerProcesses, ProcessFamily, ControlGroup {
    /** {@return nanoseconds of CPU time so far, of which only the growth counts; null when unknown} */
    @Nullable
    Long nanos();

    /** {@return the numbers of its processes, as far as the last look at the time showed them} */
    Set<Long> processIds();
}
