package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.Standstill;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.qualify.result.HostFigures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Samples the machine: the counters of {@link HostFigures}. One thread. */
final class HostSampler implements AutoCloseable {
    private static final List<String> RECLAIMED = List.of("pgsteal_kswapd", "pgsteal_direct");

    private final LocalMachine machine = new LocalMachine(null, null, List.of());
    private final List<Repeat> samples = new ArrayList<>();
    private final Standstill standstill = new Standstill();
    private MachineReading last;
    private long lastReclaimed;
    private long lastStandstill;

    HostSampler() throws IOException {
        last = machine.read();
        lastReclaimed = reclaimed();
        standstill.begin();
    }

    /** Takes a sample of the time since the last one. */
    void sample(long stalls) throws IOException {
        MachineReading now = machine.read();
        long reclaimed = reclaimed();
        long stood = standstill.nanos();
        long nanos = now.monotonicNanos() - last.monotonicNanos();
        Repeat.Builder counted = Repeat.counted().count(HostFigures.SAMPLE_NS, nanos);
        MachineMeter.count(last, now, counted);
        samples.add(counted.count(MachineMeter.STANDSTILL_NS, stood - lastStandstill)
                .count(
                        HostFigures.AVAILABLE_BYTES,
                        HostFiles.HERE.bytes("proc/meminfo", "MemAvailable"))
                .count(
                        HostFigures.PAGE_TABLES_BYTES,
                        HostFiles.HERE.bytes("proc/meminfo", "PageTables"))
                .count(HostFigures.PAGES_RECLAIMED, reclaimed - lastReclaimed)
                .count(
                        HostFigures.UNRECLAIMABLE_BYTES,
                        HostFiles.HERE.bytes("proc/meminfo", "SUnreclaim"))
                .count(
                        HostFigures.RECLAIMABLE_BYTES,
                        HostFiles.HERE.bytes("proc/meminfo", "SReclaimable"))
                .count(HostFigures.STALLS, stalls)
                .count(
                        HostFigures.TOOL_MEMORY_BYTES,
                        HostFiles.HERE.bytes("proc/self/status", "VmRSS"))
                .made());
        last = now;
        lastReclaimed = reclaimed;
        lastStandstill = stood;
    }

    private static long reclaimed() {
        long pages = 0;
        for (String name : RECLAIMED) {
            String value = HostFiles.HERE.value("proc/vmstat", name, " ");
            pages += value == null ? 0 : Long.parseLong(value);
        }
        return pages;
    }

    /** {@return all samples} */
    List<Repeat> samples() {
        return List.copyOf(samples);
    }

    @Override
    public void close() {
        standstill.close();
    }
}
