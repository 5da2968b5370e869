package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.Standstill;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.qualify.result.HostFigures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Samples the machine: the counters of {@link HostFigures}. One thread. */
final class HostSampler implements AutoCloseable {
    /** What is read as it is at the end of a sample, by file and name. */
    private static final Map<Counter, List<String>> LEVELS = Map.of(
            HostFigures.AVAILABLE_BYTES, List.of("proc/meminfo", "MemAvailable"),
            HostFigures.PAGE_TABLES_BYTES, List.of("proc/meminfo", "PageTables"),
            HostFigures.UNRECLAIMABLE_BYTES, List.of("proc/meminfo", "SUnreclaim"),
            HostFigures.RECLAIMABLE_BYTES, List.of("proc/meminfo", "SReclaimable"),
            HostFigures.TOOL_MEMORY_BYTES, List.of("proc/self/status", "VmRSS"));

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
        LEVELS.forEach((counter, place) -> {
            var unused =
                    counted.count(counter, HostFiles.HERE.bytes(place.getFirst(), place.getLast()));
        });
        samples.add(counted.count(MachineMeter.STANDSTILL_NS, stood - lastStandstill)
                .count(HostFigures.PAGES_RECLAIMED, reclaimed - lastReclaimed)
                .count(HostFigures.STALLS, stalls)
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
