package org.hubmark.bench.qualify.result;

import static org.hubmark.bench.kit.check.MachineMeter.BUSY_TICKS;
import static org.hubmark.bench.kit.check.MachineMeter.CORES_NS;
import static org.hubmark.bench.kit.check.MachineMeter.PROCESSES_NS;
import static org.hubmark.bench.kit.check.MachineMeter.STEAL_TICKS;
import static org.hubmark.bench.kit.check.MachineMeter.TOOL_NS;
import static org.hubmark.bench.kit.check.MachineMeter.TOTAL_TICKS;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What the machine did, sample by sample: the counters that the source has of its host, by those of Linux
 * that come nearest; docs/qualify.md says which stands for which.
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

    public static final Counter TOOL_MEMORY_BYTES = new Counter("tool_memory_bytes");

    private static final double MEBIBYTE = 1 << 20;

    /** A counter of the host. */
    public enum Host {
        CPU_PERCENT("% Processor Time", "cpu_percent", BUSY_TICKS.percentOf(TOTAL_TICKS)),
        AVAILABLE_MB("Available MBytes", "available_memory_mb", AVAILABLE_BYTES.over(MEBIBYTE)),
        PAGE_TABLES_BYTES(
                "Page tables (bytes; source: Free System Page Table Entries)",
                "free_system_page_table_entries",
                HostFigures.PAGE_TABLES_BYTES),
        PAGES_RECLAIMED_PER_S(
                "Pages reclaimed/sec (source: Transition Pages RePurposed/sec)",
                "transition_pages_repurposed_per_s",
                perSecond(PAGES_RECLAIMED)),
        KERNEL_UNRECLAIMABLE_BYTES(
                "Kernel memory, unreclaimable (source: Pool Nonpaged Bytes)",
                "pool_nonpaged_bytes",
                UNRECLAIMABLE_BYTES),
        KERNEL_RECLAIMABLE_BYTES(
                "Kernel memory, reclaimable (source: Pool Paged Bytes)",
                "pool_paged_bytes",
                RECLAIMABLE_BYTES),
        STALLS_PER_S(
                "Write Stalls/sec (source: Database Page Fault Stalls/sec)",
                "db_page_fault_stalls_per_s",
                perSecond(STALLS)),
        TOOL_CPU_PERCENT_OF_A_CORE(
                "CPU of this tool (% of a core)", "", TOOL_NS.percentOf(SAMPLE_NS)),
        TOOL_MEMORY_MB("Memory of this tool (MB)", "", TOOL_MEMORY_BYTES.over(MEBIBYTE));

        private final String label;
        private final String published;
        // Formulas are records of records.
        @SuppressWarnings("ImmutableEnumChecker")
        private final Formula formula;

        Host(String label, String published, Formula formula) {
            this.label = label;
            this.published = published;
            this.formula = formula;
        }

        /** {@return its name in tables, with its unit} */
        public String label() {
            return label;
        }

        /** {@return what the source calls it; empty where it has none} */
        public String published() {
            return published;
        }

        /** {@return its average, its least and its largest value over the samples} */
        public List<Column> figures() {
            return List.of(
                    column("avg", "average", Fold.MEAN),
                    column("min", "minimum", Fold.LEAST),
                    column("max", "maximum", Fold.LARGEST));
        }

        private Column column(String key, String name, Fold fold) {
            return Figures.figure(
                    "host." + name().toLowerCase(Locale.ROOT) + "." + key,
                    label + ", " + name,
                    fold.overSamples(formula));
        }
    }

    /** What a hypervisor ran instead, of all cores. */
    public static final Column STEAL = Column.of(
            "steal_percent",
            "%",
            "CPU, stolen by the hypervisor",
            2,
            Better.NEITHER,
            sum(STEAL_TICKS).percentOf(sum(TOTAL_TICKS)));

    /** CPU of processes other than this one, of all cores. */
    public static final Column FOREIGN_CPU = Column.of(
            "foreign_cpu_percent",
            "%",
            "CPU, other processes",
            2,
            Better.NEITHER,
            sum(PROCESSES_NS).minus(sum(TOOL_NS)).percentOf(sum(CORES_NS)).atLeast(0));

    /** What this process used of all cores, percent. */
    static final Formula TOOL_SHARE = sum(TOOL_NS).percentOf(sum(CORES_NS));

    /** How busy all cores were, percent. */
    static final Formula CORES_BUSY = sum(BUSY_TICKS).percentOf(sum(TOTAL_TICKS));

    private HostFigures() {}

    /**
     * {@return what was used of the machine in a phase} How busy its cores were is left out, since no
     * figure is made of that: others may take as much as of any machine.
     */
    public static MachineUse use(Repeat phase) {
        return new MachineUse(
                Double.NaN,
                STEAL.value(phase),
                FOREIGN_CPU.value(phase),
                sum(MachineMeter.THROTTLED_NS).percentOf(sum(SAMPLE_NS)).value(phase));
    }

    /** {@return why a phase is not judged in which this process did not run; nothing for most} */
    static List<String> stoodStill(Repeat phase) {
        return Stream.ofNullable(MachineUse.stoodStill(
                        sum(MachineMeter.STANDSTILL_NS).value(phase),
                        sum(SAMPLE_NS).value(phase)))
                .toList();
    }

    /** {@return all of them, in the order of the source} */
    static List<Column> columns() {
        return Stream.concat(
                        Arrays.stream(Host.values()).flatMap(one -> one.figures().stream()),
                        Stream.of(STEAL, FOREIGN_CPU))
                .toList();
    }

    private static Formula sum(Counter counter) {
        return Fold.SUM.overSamples(counter);
    }

    private static Formula perSecond(Counter counter) {
        return counter.over(SAMPLE_NS.over(1e9));
    }
}
