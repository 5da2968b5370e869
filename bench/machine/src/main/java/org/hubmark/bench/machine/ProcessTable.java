package org.hubmark.bench.machine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The processes of a machine but for the kernel's own threads, look by look. One thread. */
final class ProcessTable {
    private final HostFiles host;
    /** At the last look: none of them becomes a program, so that they need no look. */
    private Set<String> kernelThreads = Set.of();

    ProcessTable(HostFiles host) {
        this.host = host;
    }

    /** {@return those that run now, in the order of their turns} */
    List<ProcessStat> look() {
        List<ProcessStat> processes = new ArrayList<>();
        Set<String> kernel = new HashSet<>();
        for (String id : host.numbers("proc")) {
            boolean isKernel = kernelThreads.contains(id);
            ProcessStat stat = isKernel ? null : ProcessStat.of(host, id);
            if (isKernel || (stat != null && stat.isKernelThread())) {
                kernel.add(id);
            } else if (stat != null) {
                processes.add(stat);
            }
        }
        kernelThreads = kernel;
        return processes;
    }
}
