package org.hubmark.bench.kit.check;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Counts, in a repeat, whose the CPU time of this machine was, and how long this process stood still: the
 * driver, which is on the server's machine. One thread.
 */
public final class MachineMeter implements AutoCloseable {
    /** Length of the time that was counted. */
    public static final Counter METERED_NS = new Counter("metered_ns");

    /** The same on each core. */
    public static final Counter CORES_NS = new Counter("all_cores_ns");

    /** Ticks of all cores, whoever used them. */
    public static final Counter BUSY_TICKS = new Counter("machine_busy_ticks");

    public static final Counter TOTAL_TICKS = new Counter("machine_total_ticks");
    public static final Counter STEAL_TICKS = new Counter("machine_steal_ticks");

    /** All processes, each by its own account; in a control group with a limit, those in it. */
    public static final Counter PROCESSES_NS = new Counter("all_processes_ns");

    /** Likewise what is measured, and this process. */
    public static final Counter SERVERS_NS = new Counter("measured_processes_ns");

    public static final Counter TOOL_NS = new Counter("tool_cpu_ns");

    /** In which such a group had used up its limit. */
    public static final Counter THROTTLED_NS = new Counter("throttled_ns");

    /** In which this process did not run. */
    public static final Counter STANDSTILL_NS = new Counter("driver_standstill_ns");

    private static final List<Keyed> COUNTED = List.of(
            new Keyed(BUSY_TICKS, MachineCounter.BUSY_TICKS),
            new Keyed(TOTAL_TICKS, MachineCounter.TOTAL_TICKS),
            new Keyed(STEAL_TICKS, MachineCounter.STEAL_TICKS),
            new Keyed(PROCESSES_NS, MachineCounter.PROCESSES_NS),
            new Keyed(SERVERS_NS, MachineCounter.SERVER_NS),
            new Keyed(TOOL_NS, MachineCounter.READER_NS),
            new Keyed(THROTTLED_NS, MachineCounter.THROTTLED_NS));

    /** Runs that measured at the same time, each by its process and command. */
    public static final Name OTHERS = Name.note("other_runs", "");

    public static final Column CPU =
            column("machine_cpu_percent", "CPU of the machine", BUSY_TICKS.percentOf(TOTAL_TICKS));

    public static final Column STEAL = column(
            "steal_percent", "CPU, stolen by the hypervisor", STEAL_TICKS.percentOf(TOTAL_TICKS));

    public static final Column FOREIGN = column(
            "foreign_cpu_percent",
            "CPU, other processes",
            PROCESSES_NS.minus(SERVERS_NS).minus(TOOL_NS).percentOf(CORES_NS).atLeast(0));

    /** What a table of repeats has of it. */
    public static final List<Column> COLUMNS = List.of(CPU, FOREIGN, STEAL);

    private final MachineSource machine;
    private final Supplier<List<String>> others;
    private final Set<String> seen = new TreeSet<>();
    private final Standstill standstill = new Standstill();
    private final MachineReading from;

    /**
     * A counter of a machine in a document.
     *
     * @param key by which the document has it
     */
    public record Keyed(Counter key, MachineCounter counter) {}

    private MachineMeter(MachineSource machine, Supplier<List<String>> others) throws IOException {
        this.machine = machine;
        this.others = others;
        seen.addAll(others.get());
        this.from = machine.read();
        standstill.begin();
    }

    /**
     * Begins to count.
     *
     * @param machine that knows the processes that are measured as its server
     * @param others tells which other runs measure now
     */
    public static MachineMeter begin(MachineSource machine, Supplier<List<String>> others)
            throws IOException {
        return new MachineMeter(machine, others);
    }

    /** Takes down what was counted since the begin, and ends. */
    public void end(Repeat.Builder counted) throws IOException {
        close();
        MachineReading to = machine.read();
        counted.count(METERED_NS, to.monotonicNanos() - from.monotonicNanos());
        count(from, to, counted);
        seen.addAll(others.get());
        counted.count(STANDSTILL_NS, standstill.nanos()).name(OTHERS, List.copyOf(seen));
    }

    /** Takes down what a machine did between two looks. */
    public static void count(MachineReading from, MachineReading to, Repeat.Builder counted) {
        Integer cores = to.logicalCores();
        long nanos = to.monotonicNanos() - from.monotonicNanos();
        counted.count(CORES_NS, cores == null ? null : (Long) (nanos * cores));
        count(COUNTED, from, to, counted);
    }

    /** Takes down some counters of a machine, as they grew between two looks. */
    public static void count(
            List<Keyed> wanted, MachineReading from, MachineReading to, Repeat.Builder counted) {
        wanted.forEach(one -> counted.count(one.key, one.counter.growth(from, to)));
    }

    /** Takes down what a device did between two looks, by the keys of these counters. */
    public static void count(
            DiskCounters grown, Collection<DiskCounter> wanted, Repeat.Builder counted) {
        wanted.forEach(one -> counted.count(new Counter(one.key()), grown.get(one)));
    }

    /** {@return what was counted in a repeat, and what follows from it} */
    public static MachineFindings.One found(String where, Repeat repeat) {
        return new MachineFindings.One(
                where,
                Double.isNaN(repeat.count(METERED_NS)) ? null : use(repeat),
                MachineUse.stoodStill(repeat.count(STANDSTILL_NS), repeat.count(METERED_NS)),
                repeat.texts(OTHERS));
    }

    private static MachineUse use(Repeat repeat) {
        return new MachineUse(
                CPU.value(repeat) - 100 * repeat.count(TOOL_NS) / repeat.count(CORES_NS),
                STEAL.value(repeat),
                FOREIGN.value(repeat),
                100 * repeat.count(THROTTLED_NS) / repeat.count(METERED_NS));
    }

    private static Column column(String key, String label, Formula formula) {
        return Column.of(key, "%", label, 2, Better.NEITHER, formula);
    }

    @Override
    public void close() {
        standstill.close();
    }
}
