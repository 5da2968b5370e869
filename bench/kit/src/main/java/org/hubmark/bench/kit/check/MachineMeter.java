package org.hubmark.bench.kit.check;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.GroupCpu;
import org.hubmark.bench.machine.Growth;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
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
        count(from, machine.read(), counted);
        seen.addAll(others.get());
        counted.count(STANDSTILL_NS, standstill.nanos()).name(OTHERS, List.copyOf(seen));
    }

    private static void count(MachineReading from, MachineReading to, Repeat.Builder counted) {
        long nanos = to.monotonicNanos() - from.monotonicNanos();
        Integer cores = to.logicalCores();
        counted.count(METERED_NS, nanos)
                .count(CORES_NS, cores == null ? null : (Long) (nanos * cores));
        MachineCpu before = from.cpu();
        MachineCpu after = to.cpu();
        counted.count(BUSY_TICKS, MachineCpu.growth(before, after, MachineCpu::busyTicks))
                .count(TOTAL_TICKS, MachineCpu.growth(before, after, MachineCpu::totalTicks))
                .count(STEAL_TICKS, MachineCpu.growth(before, after, MachineCpu::stealTicks))
                .count(PROCESSES_NS, processes(from, to))
                .count(
                        SERVERS_NS,
                        Growth.of(
                                from.processes().serverCpuNanos(),
                                to.processes().serverCpuNanos()))
                .count(
                        TOOL_NS,
                        Growth.of(
                                from.processes().readerCpuNanos(),
                                to.processes().readerCpuNanos()))
                .count(THROTTLED_NS, throttled(from.group(), to.group()));
    }

    /** {@return CPU time of all processes between two looks; a group with a limit is their machine} */
    public static @Nullable Long processes(MachineReading from, MachineReading to) {
        GroupCpu before = from.group();
        GroupCpu after = to.group();
        return before == null || after == null
                ? Growth.of(from.processes().processNanos(), to.processes().processNanos())
                : Growth.of(before.usageNanos(), after.usageNanos());
    }

    /** {@return for how long such a group had used up its limit; null without one} */
    public static @Nullable Long throttled(@Nullable GroupCpu before, @Nullable GroupCpu after) {
        return before == null || after == null
                ? null
                : Growth.of(before.throttledNanos(), after.throttledNanos());
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
