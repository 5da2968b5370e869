package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** This machine. One thread. */
public final class LocalMachine implements MachineSource {
    private static final long OWN_ID = ProcessHandle.current().pid();

    private final @Nullable ServerCpu server;
    private final @Nullable CycleSource cycles;
    private final DiskReader disks;
    private final AllProcesses processes = new AllProcesses(HostFiles.HERE);
    /** The group that limits this process and the server alike; null without one. */
    private final @Nullable GroupCpu group;

    /**
     * Prepares.
     *
     * @param server null when its CPU time can't be had
     * @param cycles null when nobody asks for them; stays the caller's, who closes it
     * @param devices whose counters are wanted, by the kernel's names
     */
    public LocalMachine(
            @Nullable ServerCpu server, @Nullable CycleSource cycles, List<String> devices) {
        this.server = server;
        this.cycles = cycles;
        this.disks = new DiskReader(devices);
        this.group = group(server);
    }

    private static @Nullable GroupCpu group(@Nullable ServerCpu server) {
        GroupCpu own = ResourceLimits.limitedCpu(HostFiles.HERE, "self");
        boolean isShared = server == null
                || server.processIds().stream()
                        .map(id -> ResourceLimits.limitedCpu(HostFiles.HERE, id.toString()))
                        .allMatch(theirs -> Objects.equals(own, theirs));
        return isShared ? own : null;
    }

    @Override
    public MachineReading read() throws IOException {
        long monotonicNanos = System.nanoTime();
        Long reader = ProcessCpu.nanos(OWN_ID);
        MachineCpu cpu = MachineCpu.of(HostFiles.HERE);
        if (cpu.coreTicks().isEmpty()) {
            throw new IOException("/proc/stat can't be read");
        }
        Map<MachineCounter, Long> counters = SystemCounters.of(HostFiles.HERE);
        MachineCounter.READER_NS.put(reader, counters);
        MachineCounter.SERVER_NS.put(server == null ? null : server.nanos(), counters);
        MachineCounter.PROCESSES_NS.put(processes.nanos(), counters);
        if (group != null) {
            group.read(HostFiles.HERE, counters);
        }
        return new MachineReading(
                monotonicNanos,
                cpu,
                cpu.coreTicks().size(),
                counters,
                threads(server),
                cycles == null ? null : cycles.read(),
                disks.read());
    }

    /** By thread of a server that is one process, its name and number; none of any other server. */
    private static Map<String, Long> threads(@Nullable ServerCpu server) {
        Map<String, Long> threads = new HashMap<>();
        if (!(server instanceof ServerProcesses processes)
                || processes.processIds().size() != 1) {
            return threads;
        }
        long processId = processes.processIds().iterator().next();
        String tasks = "proc/" + processId + "/task";
        for (String task : HostFiles.HERE.numbers(tasks)) {
            ProcessStat stat = ProcessStat.of(HostFiles.HERE, processId + "/task/" + task);
            // None when it has ended since the folder was listed.
            if (stat != null) {
                threads.put(stat.name() + "/" + task, stat.ownTicks() * ProcessCpu.TICK_NANOS);
            }
        }
        return threads;
    }
}
