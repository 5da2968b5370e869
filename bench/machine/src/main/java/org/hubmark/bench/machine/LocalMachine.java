package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/** This machine. One thread. */
public final class LocalMachine implements MachineSource {
    private static final long OWN_ID = ProcessHandle.current().pid();

    private final MachineCounters counters;

    /**
     * Prepares.
     *
     * @param server null when its CPU time can't be had
     * @param cycles null when nobody asks for them; stays the caller's, who closes it
     * @param devices whose counters are wanted, by the kernel's names
     */
    public LocalMachine(
            @Nullable ServerCpu server, @Nullable CycleSource cycles, List<String> devices) {
        this.counters = new MachineCounters(HostFiles.HERE, server, cycles, devices);
    }

    @Override
    public MachineReading read() throws IOException {
        return counters.read(
                System.nanoTime(), System.currentTimeMillis(), ProcessCpu.nanos(OWN_ID));
    }

    @Override
    public MachineReading readAll() throws IOException {
        return read().with(counters.io(), counters.system());
    }
}
