package org.hubmark.bench.qualify.result;

import static org.hubmark.bench.kit.check.MachineMeter.BUSY_TICKS;
import static org.hubmark.bench.kit.check.MachineMeter.CORES_NS;
import static org.hubmark.bench.kit.check.MachineMeter.PROCESSES_NS;
import static org.hubmark.bench.kit.check.MachineMeter.THROTTLED_NS;
import static org.hubmark.bench.kit.check.MachineMeter.TOOL_NS;
import static org.hubmark.bench.kit.check.MachineMeter.TOTAL_TICKS;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the machine did in a phase, and sample by sample: the counters that the source has of its host, by
 * those of Linux that come nearest; docs/qualify.md says which stands for which.
 */
public final class HostFigures {
    /** How long a sample was. */
    public static final Counter SAMPLE_NS = new Counter("sample_ns");

    public static final Counter AVAILABLE_BYTES = new Counter("available_bytes");
    public static final Counter PAGE_TABLES_BYTES = new Counter("page_tables_bytes");
    public static final Counter PAGES_RECLAIMED = new Counter("pages_reclaimed");
    public static final Counter UNRECLAIMABLE_BYTES = new Counter("kernel_unreclaimable_bytes");
    public static final Counter RECLAIMABLE_BYTES = new Counter("kernel_reclaimable_bytes");
    public static final Counter STALLS = new Counter("stalls");

    private static final Host CPU = host(
            "cpu_percent", "% Processor Time", "cpu_percent", BUSY_TICKS.percentOf(TOTAL_TICKS));

    /** The counters of the host, in the order of the source. */
    public static final List<Host> HOST = List.of(
            CPU,
            host(
                    "available_mb",
                    "Available MBytes",
                    "available_memory_mb",
                    Figures.mebibytes(AVAILABLE_BYTES)),
            host(
                    "page_tables_bytes",
                    "Page tables (bytes; source: Free System Page Table Entries)",
                    "free_system_page_table_entries",
                    PAGE_TABLES_BYTES),
            host(
                    "pages_reclaimed_per_s",
                    "Pages reclaimed/sec (source: Transition Pages RePurposed/sec)",
                    "transition_pages_repurposed_per_s",
                    PAGES_RECLAIMED.over(Figures.seconds(SAMPLE_NS))),
            host(
                    "kernel_unreclaimable_bytes",
                    "Kernel memory, unreclaimable (source: Pool Nonpaged Bytes)",
                    "pool_nonpaged_bytes",
                    UNRECLAIMABLE_BYTES),
            host(
                    "kernel_reclaimable_bytes",
                    "Kernel memory, reclaimable (source: Pool Paged Bytes)",
                    "pool_paged_bytes",
                    RECLAIMABLE_BYTES),
            host(
                    "stalls_per_s",
                    "Write Stalls/sec (source: Database Page Fault Stalls/sec)",
                    "db_page_fault_stalls_per_s",
                    STALLS.over(Figures.seconds(SAMPLE_NS))));

    /** How busy all cores were on average. */
    public static final Column CPU_PERCENT = CPU.figures.getFirst();

    /** What a hypervisor ran instead, of all cores. */
    public static final Column STEAL = MachineMeter.STEAL;

    /** CPU of processes other than this one, of all cores. */
    public static final Column FOREIGN_CPU = Column.of(
            "foreign_cpu_percent",
            "%",
            "CPU, other processes",
            2,
            Better.NEITHER,
            PROCESSES_NS.minus(TOOL_NS).percentOf(CORES_NS).atLeast(0));

    /** What this process used of all cores, percent. */
    public static final Formula TOOL_SHARE = TOOL_NS.percentOf(CORES_NS);

    /** How busy all cores were, percent. */
    public static final Formula CORES_BUSY = BUSY_TICKS.percentOf(TOTAL_TICKS);

    /**
     * A counter of the host.
     *
     * @param label its name in tables, with its unit
     * @param published what the source calls it
     * @param figures its average, its least and its largest value over the samples
     */
    public record Host(String label, String published, List<Column> figures) {}

    private HostFigures() {}

    private static Host host(String key, String label, String published, Formula formula) {
        String at = "host." + key + ".";
        return new Host(
                label,
                published,
                List.of(
                        Figures.figure(
                                at + "avg", label + ", average", Fold.MEAN.overSamples(formula)),
                        Figures.figure(
                                at + "min", label + ", minimum", Fold.LEAST.overSamples(formula)),
                        Figures.figure(
                                at + "max",
                                label + ", maximum",
                                Fold.LARGEST.overSamples(formula))));
    }

    /**
     * {@return what was used of the machine in a phase} How busy its cores were is left out, since no
     * figure is made of that: others may take as much as of any machine.
     */
    public static MachineUse use(Repeat phase) {
        return new MachineUse(
                Double.NaN,
                STEAL.value(phase),
                FOREIGN_CPU.value(phase),
                THROTTLED_NS.percentOf(InstanceFigures.COLLECTION_NS).value(phase));
    }

    /** {@return why a phase is not judged in which this process did not run; nothing for most} */
    public static List<String> stoodStill(Repeat phase) {
        return Stream.ofNullable(MachineUse.stoodStill(
                        phase.count(MachineMeter.STANDSTILL_NS),
                        phase.count(InstanceFigures.COLLECTION_NS)))
                .toList();
    }

    /** {@return all of them, in the order of the source} */
    public static List<Column> columns() {
        return Stream.concat(
                        HOST.stream().flatMap(one -> one.figures.stream()),
                        Stream.of(STEAL, FOREIGN_CPU))
                .toList();
    }
}
