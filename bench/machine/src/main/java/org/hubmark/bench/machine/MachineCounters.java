package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the counters of a machine in its kernel's files, whether these can be opened or were sent. One
 * thread.
 */
public final class MachineCounters {
    private final HostFiles host;
    private final @Nullable ServerCpu server;
    private final @Nullable CycleSource cycles;
    private final List<String> devices;
    private final KernelThreads kernelThreads;

    /**
     * Prepares.
     *
     * @param server null when its CPU time can't be had
     * @param cycles null when nobody asks for them; stays the caller's, who closes it
     * @param devices whose counters are wanted, by the kernel's names
     */
    public MachineCounters(
            HostFiles host,
            @Nullable ServerCpu server,
            @Nullable CycleSource cycles,
            List<String> devices) {
        this.host = host;
        this.server = server;
        this.cycles = cycles;
        this.devices = List.copyOf(devices);
        this.kernelThreads = new KernelThreads(host);
    }

    /**
     * Reads them, but for the I/O of the processes, and memory, paging and network.
     *
     * @param monotonicNanos when, by a clock that nobody sets
     * @param realMillis when, since 1970
     * @param reader CPU time of who reads, or null when it isn't known
     */
    public MachineReading read(long monotonicNanos, long realMillis, @Nullable Long reader)
            throws IOException {
        String stat = host.text("proc/stat");
        if (stat.isEmpty()) {
            throw new IOException("/proc/stat can't be read");
        }
        Map<String, DiskCounters> disks = new HashMap<>();
        String diskstats = devices.isEmpty() ? "" : host.text(DiskCounters.FILE);
        for (String device : devices) {
            DiskCounters counters = DiskCounters.parse(diskstats, device);
            if (counters != null) {
                disks.put(device, counters);
            }
        }
        return new MachineReading(
                monotonicNanos,
                realMillis,
                MachineCpu.parse(stat),
                MachineCpu.cores(stat),
                server == null ? null : server.nanos(),
                server instanceof OneProcess process ? threads(process.processId()) : Map.of(),
                kernelThreads.nanos(
                        server instanceof NamedProcesses processes
                                ? processes.kernelThreads()
                                : host.numbers("proc")),
                cycles == null ? null : cycles.read(),
                disks,
                null,
                null,
                reader);
    }

    /** By thread of this machine, its name and number; none when there is no such process. */
    private static Map<String, Long> threads(long processId) {
        Map<String, Long> threads = new HashMap<>();
        String tasks = "proc/" + processId + "/task";
        for (String task : HostFiles.HERE.numbers(tasks)) {
            String stat = HostFiles.HERE.text(tasks + "/" + task + "/stat");
            // Empty when it has ended since the folder was listed.
            if (!stat.isEmpty()) {
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                threads.put(name + "/" + task, ProcessCpu.parse(stat));
            }
        }
        return threads;
    }

    /** {@return what the server's processes of the last reading have read and written; null when unknown} */
    public @Nullable ProcessIo io() {
        return server == null ? null : ProcessIo.of(host, server.processIds());
    }

    /** {@return memory, paging and network} */
    public SystemCounters system() {
        return SystemCounters.of(host);
    }
}
