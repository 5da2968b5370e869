package org.hubmark.bench.qualify.phase;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.Standstill;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Counts what instances, their devices and the machine do, sample by sample. One thread. */
final class Sampling implements AutoCloseable {
    private static final int DIGITS = 3;

    /** What is read as it is at the end of a sample, by its name in /proc/meminfo. */
    private static final Map<Counter, String> LEVELS = Map.of(
            HostFigures.AVAILABLE_BYTES, "MemAvailable",
            HostFigures.PAGE_TABLES_BYTES, "PageTables",
            HostFigures.UNRECLAIMABLE_BYTES, "SUnreclaim",
            HostFigures.RECLAIMABLE_BYTES, "SReclaimable");

    private final PhaseContext context;
    private final Repeat.Builder found;
    private final List<Counted> instances;
    private final Devices devices;
    private final LocalMachine machine = new LocalMachine(null, null, List.of());
    private final Standstill standstill = new Standstill();
    private final List<Repeat> host = new ArrayList<>();
    private final MachineReading first;
    private final long beganNanos;
    private MachineReading last;
    private long lastNanos;
    private long lastReclaimed;

    /** An instance with what was counted of it. */
    private static final class Counted {
        private final FileOperations operations;
        private final IoCounts start;
        private IoCounts last;
        private final List<Repeat> samples = new ArrayList<>();
        private final Histogram readNanos = new Histogram(DIGITS);
        private final Histogram logNanos = new Histogram(DIGITS);

        private Counted(FileOperations operations) {
            this.operations = operations;
            this.start = operations.counts();
            this.last = start;
            // What was recorded before the collection is dropped.
            var unused = operations.takeReadNanos();
            var unused2 = operations.takeLogWriteNanos();
        }

        private Repeat made(long nanos) {
            Repeat.Builder counted = last.since(start)
                    .counted()
                    .name(InstanceFigures.INSTANCE, operations.instance())
                    .count(InstanceFigures.COLLECTION_NS, nanos)
                    .samples(samples);
            times(counted, InstanceFigures.READ_TIMES, readNanos);
            times(counted, InstanceFigures.LOG_TIMES, logNanos);
            return counted.made();
        }

        private static void times(Repeat.Builder into, Times times, Histogram nanos) {
            if (nanos.getTotalCount() > 0) {
                into.times(times, nanos);
            }
        }
    }

    /**
     * Begins.
     *
     * @param found gets what was counted
     */
    Sampling(PhaseContext context, List<FileOperations> instances, Repeat.Builder found)
            throws IOException {
        this.context = context;
        this.found = found;
        found.name(PhaseFigures.COLLECTION_STARTED, PhaseReport.now());
        devices = new Devices(context.request().databases());
        first = machine.read();
        last = first;
        lastReclaimed = reclaimed();
        standstill.begin();
        this.instances = instances.stream().map(Counted::new).toList();
        beganNanos = context.time().nanos();
        lastNanos = beganNanos;
    }

    private static long reclaimed() {
        return Stream.of("pgsteal_kswapd", "pgsteal_direct")
                .map(name -> HostFiles.HERE.value("proc/vmstat", name, " "))
                .mapToLong(value -> value == null ? 0 : Long.parseLong(value))
                .sum();
    }

    /** {@return the time since the begin} */
    Duration elapsed() {
        return Duration.ofNanos(context.time().nanos() - beganNanos);
    }

    /** {@return database reads and writes a second so far, of all instances} */
    double iops() {
        double done = instances.stream()
                .mapToDouble(one -> one.operations.counts().since(one.start).databaseIo())
                .sum();
        return done / (elapsed().toNanos() / 1e9);
    }

    /** Takes a sample of the time since the last one. */
    void sample() throws IOException {
        long now = context.time().nanos();
        long stalls = 0;
        for (Counted one : instances) {
            IoCounts counts = one.operations.counts();
            IoCounts grown = counts.since(one.last);
            one.last = counts;
            stalls += grown.get(IoCounter.STALLS);
            one.samples.add(grown.counted()
                    .count(InstanceFigures.AT_NS, now - beganNanos)
                    .count(HostFigures.SAMPLE_NS, now - lastNanos)
                    .made());
            one.readNanos.add(one.operations.takeReadNanos());
            one.logNanos.add(one.operations.takeLogWriteNanos());
        }
        lastNanos = now;
        MachineReading reading = machine.read();
        long reclaimed = reclaimed();
        Repeat.Builder counted = Repeat.counted()
                .count(HostFigures.SAMPLE_NS, reading.monotonicNanos() - last.monotonicNanos())
                .count(HostFigures.PAGES_RECLAIMED, reclaimed - lastReclaimed)
                .count(HostFigures.STALLS, stalls);
        MachineMeter.count(last, reading, counted);
        LEVELS.forEach((counter, name) -> {
            var unused = counted.count(counter, HostFiles.HERE.bytes("proc/meminfo", name));
        });
        host.add(counted.made());
        last = reading;
        lastReclaimed = reclaimed;
    }

    /** Takes a last sample, and takes down all that was counted. */
    void end() throws IOException {
        sample();
        long nanos = lastNanos - beganNanos;
        MachineMeter.count(first, last, found);
        found.name(PhaseFigures.COLLECTION_FINISHED, PhaseReport.now())
                .name(PhaseFigures.OTHER_RUNS, context.others().get())
                .count(InstanceFigures.COLLECTION_NS, nanos)
                .count(MachineMeter.STANDSTILL_NS, standstill.nanos())
                .samples(host)
                .parts(
                        InstanceFigures.INSTANCES,
                        instances.stream().map(one -> one.made(nanos)).toList())
                .parts(PhaseFigures.DEVICES, devices.counted());
    }

    @Override
    public void close() {
        standstill.close();
    }
}
