package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Fold;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What set the pace of a phase, why, and what would lift it: the first rule that holds, and where none does,
 * what came nearest to its bound. Rules and bounds are those of {@code run}; docs/qualify.md states them.
 *
 * @param name rate, driver, cpu, log_volume or database_volume; null where nothing is known
 * @param reason the figures
 */
public record LimitingResource(
        @Nullable String name,
        @Nullable String reason,
        @Nullable String lift) {
    private static final LimitingResource UNKNOWN = new LimitingResource(null, null, null);

    /** A rate is kept when this share of it was done. */
    private static final double RATE_KEPT = 0.99;

    /** From here on, percent, a resource counts as used up. */
    private static final double BUSY_PERCENT = 90;

    /** From so many requests in flight on average, others wait while a device works. */
    private static final double SATURATED_REQUESTS = 2;

    /** From this share on, percent, a wait makes up the time of the transactions. */
    private static final double WAIT_PERCENT = 50;

    private static final String DATABASE = "database_volume";
    private static final String LOG = "log_volume";
    private static final Formula IN_FLIGHT = PhaseFigures.READ_MS
            .plus(PhaseFigures.WRITE_MS)
            .times(Formula.NANOS_PER_MILLI)
            .over(InstanceFigures.COLLECTION_NS);

    /** A device with how busy it was, percent. */
    private record Device(String resource, double busyPercent, Repeat counted) {}

    /** {@return what stands in the row of a phase} */
    static List<Form.Derived> derived() {
        return List.of(
                new Form.Derived(
                        Name.note("limiting_resource", ""),
                        (document, row) -> of(document, row.repeat()).name),
                new Form.Derived(
                        Name.note("limiting_reason", ""),
                        (document, row) -> of(document, row.repeat()).reason),
                new Form.Derived(
                        Name.note("limiting_lift", ""),
                        (document, row) -> of(document, row.repeat()).lift));
    }

    /** {@return what limited a phase} */
    public static LimitingResource of(Document document, Repeat phase) {
        LimitingResource found = rate(document, phase);
        found = found == null ? cores(phase) : found;
        List<Device> devices = devices(phase);
        for (Device device : devices) {
            found = found == null && device.busyPercent >= BUSY_PERCENT ? usedUp(device) : found;
        }
        found = found == null ? waits(phase) : found;
        return found == null ? nearest(phase, devices) : found;
    }

    private static @Nullable LimitingResource rate(Document document, Repeat phase) {
        double achieved = PhaseFigures.ACHIEVED.value(phase);
        double target = PhaseVerdict.number(document, PhaseVerdict.TARGET_IOPS);
        return phase.name(PhaseFigures.LOOP).equals("open") && achieved >= target * RATE_KEPT
                ? new LimitingResource(
                        "rate",
                        String.format(
                                Locale.ROOT,
                                "%.1f I/O a second were asked for, and %.1f done",
                                target,
                                achieved),
                        "more --users, a larger --target-iops, or --loop closed")
                : null;
    }

    private static @Nullable LimitingResource cores(Repeat phase) {
        double busy = HostFigures.CORES_BUSY.value(phase);
        if (!(busy >= BUSY_PERCENT)) {
            return null;
        }
        double tool = HostFigures.TOOL_SHARE.value(phase);
        return new LimitingResource(
                tool > busy / 2 ? "driver" : "cpu",
                String.format(Locale.ROOT, "all cores together were busy %.0f %% of the time", busy)
                        + (Double.isNaN(tool)
                                ? ", by whom isn't known"
                                : String.format(Locale.ROOT, ", with this tool %.0f %%", tool)),
                tool > busy / 2
                        ? "a machine with more or faster cores"
                        : "stop the other processes, or a machine with more cores");
    }

    /** {@return the devices, those of logs alone first, as {@code run} has the log before the queue} */
    private static List<Device> devices(Repeat phase) {
        List<Device> logs = new ArrayList<>();
        List<Device> databases = new ArrayList<>();
        for (Repeat device : phase.parts(PhaseFigures.DEVICES)) {
            boolean isDatabase = device.texts(PhaseFigures.ROLES).contains("database");
            (isDatabase ? databases : logs)
                    .add(new Device(
                            isDatabase ? DATABASE : LOG, PhaseFigures.BUSY.value(device), device));
        }
        logs.addAll(databases);
        return logs;
    }

    private static LimitingResource usedUp(Device device) {
        double requests = IN_FLIGHT.value(device.counted);
        return new LimitingResource(
                device.resource,
                String.format(
                                Locale.ROOT,
                                "a request of %s (%s) was under way %.0f %% of the time",
                                device.counted.name(PhaseFigures.DEVICE),
                                String.join(", ", device.counted.texts(PhaseFigures.ROLES)),
                                device.busyPercent)
                        + (Double.isNaN(requests)
                                ? ""
                                : requests < SATURATED_REQUESTS
                                        ? "; one at a time, so their latency sets the pace, and the"
                                                + " device may hold more"
                                        : String.format(
                                                Locale.ROOT,
                                                "; %.1f were in flight on average: the device is"
                                                        + " saturated",
                                                requests)),
                lift(device.resource));
    }

    private static String lift(String resource) {
        return resource.equals(LOG)
                ? "a log device that syncs faster, such as one with a protected write cache"
                : "faster or more disks below the databases, or a larger --cache-max";
    }

    /** The kernel's counters do not include the delays of an emulated device; the waits do. */
    private static @Nullable LimitingResource waits(Repeat phase) {
        double threadNanos = phase.count(PhaseFigures.THREADS)
                * phase.count(InstanceFigures.COLLECTION_NS)
                * phase.parts(InstanceFigures.INSTANCES).size();
        double log = waited(phase, IoCounter.LOG_WRITE_NS, threadNanos);
        double reads = waited(phase, IoCounter.DB_READ_NS, threadNanos);
        double most = Math.max(log, reads);
        if (!(most >= WAIT_PERCENT)) {
            return null;
        }
        boolean isLog = log > reads;
        return new LimitingResource(
                isLog ? LOG : DATABASE,
                String.format(
                        Locale.ROOT,
                        "no device was busy all the time; the threads of the transactions waited"
                                + " %.0f %% of theirs for %s",
                        most,
                        isLog ? "writes of the log" : "reads of the databases"),
                lift(isLog ? LOG : DATABASE) + "; or more --threads");
    }

    private static double waited(Repeat phase, IoCounter nanos, double ofNanos) {
        Counter counter = nanos.counter();
        return Formula.PERCENT
                * new Formula.OfParts(InstanceFigures.INSTANCES.key(), Fold.SUM, counter)
                        .value(phase)
                / ofNanos;
    }

    private static LimitingResource nearest(Repeat phase, List<Device> devices) {
        double cpu = HostFigures.CORES_BUSY.value(phase);
        double log = busiest(devices, LOG);
        double database = busiest(devices, DATABASE);
        double most = Math.max(orZero(cpu), Math.max(orZero(log), orZero(database)));
        if (most == 0) {
            return UNKNOWN;
        }
        String name = most == orZero(cpu) ? "cpu" : most == orZero(log) ? LOG : DATABASE;
        return new LimitingResource(
                name,
                "nothing was used up: cpu " + percent(cpu) + ", log volume " + percent(log)
                        + ", database volume " + percent(database)
                        + " busy; this came nearest",
                PhaseFigures.hasTransactions(phase)
                        ? "more --threads, until something is used up"
                        : name.equals("cpu") ? "faster cores" : lift(name));
    }

    private static double busiest(List<Device> devices, String resource) {
        return devices.stream()
                .filter(device -> device.resource.equals(resource))
                .mapToDouble(Device::busyPercent)
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    private static double orZero(double percent) {
        return Double.isNaN(percent) ? 0 : percent;
    }

    private static String percent(double percent) {
        return Double.isNaN(percent) ? "unknown" : String.format(Locale.ROOT, "%.0f %%", percent);
    }
}
