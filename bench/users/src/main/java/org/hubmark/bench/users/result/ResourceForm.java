package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** What is counted of the server's machine and of the driver in a run, and the figures that are made of it. */
public final class ResourceForm {
    /** Where the counters of the server's machine are read. */
    public static final Name SOURCE = Name.note("resources.source", "Counters read from");

    /** The roles of a device; its name where these are not known. */
    public static final Name HOLDS = Name.of("holds", "Holds");

    public static final Name DEVICE = Name.note("device", "Device");
    public static final Name ROLES = Name.note("roles", "");

    /** Length of the time in which the server's machine was counted, by its clock. */
    public static final Counter COUNTED_NS = new Counter("counted_ns");

    /** Busy time of all cores. */
    public static final Counter MACHINE_BUSY_NS = new Counter("machine_busy_ns");

    public static final Counter MACHINE_TOTAL_NS = new Counter("machine_total_ns");
    public static final Counter MACHINE_STEAL_NS = new Counter("machine_steal_ns");

    /** All processes, each by its own account; in a control group with a limit, those in it. */
    public static final Counter PROCESSES_CPU_NS = new Counter("processes_cpu_ns");

    /** In which such a group had used up its share. */
    public static final Counter THROTTLED_NS = new Counter("throttled_ns");

    public static final Counter SERVER_CPU_NS = new Counter("server_cpu_ns");

    /** CPU time of the driver on the server's machine: none where it has one of its own. */
    public static final Counter DRIVER_THERE_NS = new Counter("driver_on_machine_ns");

    public static final Counter DRIVER_CPU_NS = new Counter("driver_cpu_ns");

    /** Time of all cores of the driver's machine. */
    public static final Counter DRIVER_TOTAL_NS = new Counter("driver_machine_total_ns");

    public static final Counter DRIVER_CORES = new Counter("driver_cores");
    public static final Counter DRIVER_BYTES = new Counter("driver_memory_bytes");
    public static final Counter AVAILABLE_BYTES = new Counter("available_memory_bytes");
    public static final Counter PAGES = new Counter("pages");

    /** On all interfaces; loopback only where the driver is on the server's machine. */
    public static final Counter NET_RECEIVED = new Counter("network_received_bytes");

    public static final Counter NET_SENT = new Counter("network_sent_bytes");

    /** What the links of these interfaces carry; not known where loopback is counted too. */
    public static final Counter LINK_BYTES_PER_S = new Counter("network_link_bytes_per_s");

    public static final Counter USERS = new Counter("users");
    public static final Counter READS = new Counter("reads");
    public static final Counter WRITES = new Counter("writes");
    public static final Counter READ_BYTES = new Counter("read_bytes");
    public static final Counter WRITTEN_BYTES = new Counter("written_bytes");

    /** Milliseconds of all requests together. */
    public static final Counter WEIGHTED_MS = new Counter("weighted_ms");

    public static final Counter BUSY_MS = new Counter("busy_ms");

    private static final double MIB = 1024 * 1024;
    private static final Formula SECONDS = COUNTED_NS.over(1e9);
    public static final Column QUEUE_LENGTH = disk(
            "queue_length", "requests", "Queue length", 2, WEIGHTED_MS.over(COUNTED_NS.over(1e6)));
    public static final Column DISK_READS =
            disk("reads_per_s", "1/s", "Reads", 1, READS.over(SECONDS));
    public static final Column DISK_WRITES =
            disk("writes_per_s", "1/s", "Writes", 1, WRITES.over(SECONDS));

    /** What the kernel counted of each device of the server. */
    public static final Form DISKS = new Form(
            "resources.disks",
            "Devices",
            "The kernel's counters of a device include everything that used it.",
            List.of(HOLDS, DEVICE, ROLES),
            List.of(
                    QUEUE_LENGTH,
                    DISK_READS,
                    DISK_WRITES,
                    disk("read_bytes_per_s", "octets/s", "Read", 0, READ_BYTES.over(SECONDS)),
                    disk(
                            "written_bytes_per_s",
                            "octets/s",
                            "Written",
                            0,
                            WRITTEN_BYTES.over(SECONDS)),
                    disk(
                            "busy_percent",
                            "%",
                            "Busy",
                            1,
                            BUSY_MS.times(100).over(COUNTED_NS.over(1e6)))),
            Estimate.Rule.middleRepeats(null),
            "repeats",
            List.of(),
            List.of());

    public static final Column CPU = Column.of(
            "resources.cpu_percent",
            "%",
            "CPU of the machine, less the driver's",
            1,
            Better.LESS,
            MACHINE_BUSY_NS.minus(DRIVER_THERE_NS).atLeast(0).times(100).over(MACHINE_TOTAL_NS));
    public static final Column SERVER_CPU = spent(
            "server_cpu_percent",
            "%",
            "CPU of the server's processes",
            SERVER_CPU_NS.times(100).over(MACHINE_TOTAL_NS));
    public static final Column STEAL = spent(
            "steal_percent",
            "%",
            "CPU, stolen by the hypervisor",
            MACHINE_STEAL_NS.times(100).over(MACHINE_TOTAL_NS));
    public static final Column FOREIGN = spent(
            "foreign_cpu_percent",
            "%",
            "CPU of other processes",
            PROCESSES_CPU_NS
                    .minus(DRIVER_THERE_NS)
                    .minus(SERVER_CPU_NS)
                    .atLeast(0)
                    .times(100)
                    .over(MACHINE_TOTAL_NS));
    public static final Column THROTTLED = spent(
            "throttled_percent",
            "%",
            "CPU limit reached, of the time",
            THROTTLED_NS.times(100).over(COUNTED_NS));
    public static final Column AVAILABLE =
            spent("available_memory_mb", "MB", "Memory available", AVAILABLE_BYTES.over(MIB));
    public static final Column PAGING =
            spent("pages_per_s", "1/s", "Pages read and written", PAGES.over(SECONDS));
    public static final Column RECEIVED_BYTES = spent(
            "network_received_bytes_per_s",
            "octets/s",
            "Network, received",
            NET_RECEIVED.over(SECONDS));
    public static final Column SENT_BYTES =
            spent("network_sent_bytes_per_s", "octets/s", "Network, sent", NET_SENT.over(SECONDS));
    public static final Column RECEIVED_OF_LINK = spent(
            "network_received_percent_of_link",
            "%",
            "Network, received, of the link's speed",
            RECEIVED_BYTES.asInput().percentOf(LINK_BYTES_PER_S));
    public static final Column SENT_OF_LINK = spent(
            "network_sent_percent_of_link",
            "%",
            "Network, sent, of the link's speed",
            SENT_BYTES.asInput().percentOf(LINK_BYTES_PER_S));
    public static final Column DRIVER_CPU = spent(
            "driver_cpu_percent",
            "%",
            "CPU of the driver",
            DRIVER_CPU_NS.times(100).over(DRIVER_TOTAL_NS));

    /** CPU time of the server / time. */
    static final Formula SERVER_CORES = SERVER_CPU_NS.over(COUNTED_NS);

    /** All of them but for devices. */
    static final List<Column> ALL = List.of(
            CPU,
            SERVER_CPU,
            FOREIGN,
            STEAL,
            THROTTLED,
            AVAILABLE,
            PAGING,
            RECEIVED_BYTES,
            SENT_BYTES,
            RECEIVED_OF_LINK,
            SENT_OF_LINK,
            DRIVER_CPU,
            spent("driver_memory_mb", "MB", "Memory of the driver", DRIVER_BYTES.over(MIB)),
            spent(
                    "driver_cores_per_1000_users",
                    "cores",
                    "Cores of the driver for 1,000 users",
                    DRIVER_CPU_NS
                            .times(DRIVER_CORES)
                            .over(DRIVER_TOTAL_NS)
                            .times(1000)
                            .over(USERS)),
            spent(
                    "driver_memory_mb_per_1000_users",
                    "MB",
                    "Memory of the driver for 1,000 users",
                    DRIVER_BYTES.over(MIB).times(1000).over(USERS)));

    private static final double MB = 1e6;

    private ResourceForm() {}

    /** {@return the cores of the server that a user adds, at the pace of a real day; null where it isn't known} */
    static @Nullable Double coresPerUser(Document document, Row level) {
        Double added = added(document, level, SERVER_CORES);
        return added != null
                        && document.provenance().settings().get("compress") instanceof Number faster
                ? (Double) (added / faster.doubleValue())
                : null;
    }

    /** {@return the memory of the server's machine that a user adds, in MB; null where it isn't known} */
    static @Nullable Double memoryPerUser(Document document, Row level) {
        return added(document, level, AVAILABLE_BYTES.over(-MB));
    }

    /** {@return what each user more than at the level with the fewest has added to a mean} */
    private static @Nullable Double added(Document document, Row level, Formula used) {
        Row few = LevelForm.levels(document).getFirst();
        double more = LevelForm.users(level) - LevelForm.users(few);
        double added = mean(level, used) - mean(few, used);
        return more > 0 && added > 0 ? (Double) (added / more) : null;
    }

    private static double mean(Row level, Formula of) {
        return level.counted().stream()
                .mapToDouble(of::value)
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    /** {@return what was used of the server's machine in a run; null where its counters were not read} */
    static @Nullable MachineUse use(Repeat run) {
        return Double.isNaN(run.count(MACHINE_TOTAL_NS))
                ? null
                : new MachineUse(
                        CPU.value(run), STEAL.value(run), FOREIGN.value(run), THROTTLED.value(run));
    }

    private static Column disk(String key, String unit, String label, int decimals, Formula made) {
        return Column.of(key, unit, label, decimals, Better.NEITHER, made);
    }

    private static Column spent(String key, String unit, String label, Formula made) {
        return Column.of("resources." + key, unit, label, 2, Better.NEITHER, made);
    }
}
