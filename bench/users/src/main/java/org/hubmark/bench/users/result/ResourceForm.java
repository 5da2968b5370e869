package org.hubmark.bench.users.result;

import static org.hubmark.bench.kit.check.MachineMeter.BUSY_TICKS;
import static org.hubmark.bench.kit.check.MachineMeter.METERED_NS;
import static org.hubmark.bench.kit.check.MachineMeter.SERVERS_NS;
import static org.hubmark.bench.kit.check.MachineMeter.TOOL_NS;
import static org.hubmark.bench.kit.check.MachineMeter.TOTAL_TICKS;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.machine.ProcessCpu;

import java.util.List;

/** What is counted of the server's machine and of the driver in a run, and the figures that are made of it. */
public final class ResourceForm {
    /** Where the counters of the server's machine are read. */
    public static final Name SOURCE = Name.note("resources.source", "Counters read from");

    /** The roles of a device. */
    public static final Name HOLDS = Name.of("holds", "Holds");

    public static final Name DEVICE = Name.note("device", "Device");

    public static final Counter DRIVER_CPU_NS = new Counter("driver_cpu_ns");

    /** Time of all cores of the driver's machine, in ticks of 10 ms. */
    public static final Counter DRIVER_TICKS = new Counter("driver_machine_total_ticks");

    public static final Counter AVAILABLE_BYTES = new Counter("available_memory_bytes");
    public static final Counter PAGES = new Counter("pages");

    /** On all interfaces but loopback. */
    public static final Counter NET_RECEIVED = new Counter("network_received_bytes");

    public static final Counter NET_SENT = new Counter("network_sent_bytes");

    public static final Counter READS = new Counter("reads");
    public static final Counter WRITES = new Counter("writes");

    /** Milliseconds of all requests together. */
    public static final Counter WEIGHTED_MS = new Counter("weighted_ms");

    public static final Counter BUSY_MS = new Counter("busy_ms");

    private static final double MIB = 1024 * 1024;
    private static final Formula SECONDS = METERED_NS.over(1e9);
    public static final Column QUEUE_LENGTH = disk(
            "queue_length", "requests", "Queue length", 2, WEIGHTED_MS.over(METERED_NS.over(1e6)));
    public static final Column DISK_READS =
            disk("reads_per_s", "1/s", "Reads", 1, READS.over(SECONDS));
    public static final Column DISK_WRITES =
            disk("writes_per_s", "1/s", "Writes", 1, WRITES.over(SECONDS));
    public static final Column DISK_BUSY =
            disk("busy_percent", "%", "Busy", 1, BUSY_MS.times(100).over(METERED_NS.over(1e6)));

    /** What the kernel counted of each device of the server. */
    public static final Form DISKS = new Form(
            "resources.disks",
            "Devices",
            "The kernel's counters of a device include everything that used it. LoadSim's source had 2.3"
                    + " to 3 reads for each write on the volumes of mailboxes.",
            List.of(HOLDS, DEVICE),
            List.of(
                    QUEUE_LENGTH,
                    DISK_READS,
                    DISK_WRITES,
                    disk("reads_per_write", "", "Reads for each write", 2, READS.over(WRITES)),
                    DISK_BUSY),
            Estimate.Rule.middleRepeats(null),
            "repeats",
            List.of(),
            List.of());

    private static final Formula TOTAL_NS = TOTAL_TICKS.times(ProcessCpu.TICK_NANOS);

    public static final Column CPU = Column.of(
            "resources.cpu_percent",
            "%",
            "CPU of the machine, less the driver's",
            1,
            Better.LESS,
            BUSY_TICKS.times(ProcessCpu.TICK_NANOS).minus(TOOL_NS).atLeast(0).percentOf(TOTAL_NS));
    public static final Column SERVER_CPU = spent(
            "server_cpu_percent",
            "%",
            "CPU of the server's processes",
            SERVERS_NS.percentOf(TOTAL_NS));
    public static final Column AVAILABLE =
            spent("available_memory_mb", "MB", "Memory available", AVAILABLE_BYTES.over(MIB));
    public static final Column PAGING =
            spent("pages_per_s", "1/s", "Pages read and written", PAGES.over(SECONDS));
    public static final Column DRIVER_CPU = spent(
            "driver_cpu_percent",
            "%",
            "CPU of the driver",
            DRIVER_CPU_NS.percentOf(DRIVER_TICKS.times(ProcessCpu.TICK_NANOS)));

    static final List<Column> ALL = List.of(
            CPU,
            SERVER_CPU,
            MachineMeter.FOREIGN,
            MachineMeter.STEAL,
            AVAILABLE,
            PAGING,
            spent(
                    "network_received_bytes_per_s",
                    "octets/s",
                    "Network, received",
                    NET_RECEIVED.over(SECONDS)),
            spent("network_sent_bytes_per_s", "octets/s", "Network, sent", NET_SENT.over(SECONDS)),
            DRIVER_CPU);

    private ResourceForm() {}

    /** {@return a device in words} */
    static String text(Row disk) {
        return disk.name(HOLDS) + " (" + disk.name(DEVICE) + ")";
    }

    private static Column disk(String key, String unit, String label, int decimals, Formula made) {
        return Column.of(key, unit, label, decimals, Better.NEITHER, made);
    }

    private static Column spent(String key, String unit, String label, Formula made) {
        return disk("resources." + key, unit, label, 2, made);
    }
}
