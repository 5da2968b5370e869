package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

/**
 * CPU time of all processes of a machine together, but for the kernel's own threads. It is theirs whichever
 * way the kernel accounts: where it does so by ticks, interrupts are in the time of the process that they
 * hit, and nowhere else. One thread.
 */
final class AllProcesses {
    private final HostFiles host;
    private final ProcessTimes times = new ProcessTimes();
    private boolean isVisible;

    AllProcesses(HostFiles host) {
        this.host = host;
    }

    /**
     * {@return nanoseconds so far, of which only the growth counts; null where not all processes can be
     * seen: in a container that has its own process numbers}
     */
    @Nullable
    Long nanos() {
        isVisible = isVisible || "kthreadd".equals(host.line("proc/2/comm"));
        return isVisible ? (Long) times.nanos(ProcessStat.all(host)) : null;
    }
}
