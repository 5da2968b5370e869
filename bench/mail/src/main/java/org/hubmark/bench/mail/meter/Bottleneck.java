package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.document.AcceptLatency;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names what set the pace, why, and what would lift it: the first of these that holds, and where
 * none does, what was nearest to its bound. docs/measurement.md states the rules.
 */
public final class Bottleneck {
    /** A rate is kept when this share of it was accepted. */
    static final double RATE_KEPT = 0.99;

    /** From here on, percent, a resource that others share counts as used up; a thread's core too. */
    static final double BUSY_PERCENT = Limiting.BUSY_PERCENT;

    /** From here on, percent of a core each, the driver's event loops count as saturated. */
    static final double DRIVER_PERCENT = 95;

    /** From so many requests in flight on average, others wait while a device works: it is saturated. */
    static final double SATURATED_REQUESTS = 2;

    /** From this share on, percent, the wait for the log makes up the wait for the answer. */
    static final double LOG_SHARE_PERCENT = 50;

    static final String CPU = "cpu";
    static final String DRIVER = "driver";
    private static final String LOG = Limiting.LOG;
    private static final String QUEUE = "queue_volume";
    private static final String LIFT_QUEUE = "a faster queue device";

    private final Window window;
    private final @Nullable Double ratePerSecond;
    private final int driverThreads;
    private final @Nullable AcceptLatency latency;
    private final @Nullable HeldServer held;

    /**
     * Prepares.
     *
     * @param ratePerSecond the asked rate, or null for as fast as it goes: also where a search found
     *     the highest that is sustained
     * @param latency of what was accepted, or null when it isn't known
     * @param held what our hub is held to, or null when the server isn't ours
     */
    Bottleneck(
            Window window,
            @Nullable Double ratePerSecond,
            int driverThreads,
            @Nullable AcceptLatency latency,
            @Nullable HeldServer held) {
        this.window = window;
        this.ratePerSecond = ratePerSecond;
        this.driverThreads = driverThreads;
        this.latency = latency;
        this.held = held;
    }

    /**
     * {@return rate, cpu, driver, log_volume or queue_volume; unknown when nothing is known or
     * nothing was accepted}
     *
     * @param local whether the machine's and the volumes' counters tell of the server
     */
    Limiting find(boolean local) {
        if (window.acceptedMessages() == 0) {
            return Limiting.UNKNOWN;
        }
        Limiting rate = rate();
        if (rate != null) {
            return rate;
        }
        // What it is held to is used up before the machine is, whoever else has that.
        Limiting usedUp = held == null ? null : held.limit(window);
        usedUp = usedUp == null && local ? cores() : usedUp;
        usedUp = usedUp == null ? driver() : usedUp;
        if (usedUp != null || !local) {
            return usedUp == null ? Limiting.UNKNOWN : usedUp;
        }
        Limiting thread = thread();
        if (thread != null) {
            return thread;
        }
        Limiting volume = volume(LOG, window.logBusyPercent(), "a write or sync of the log");
        if (volume == null) {
            volume = volume(QUEUE, window.queueBusyPercent(), "a request of the queue volume");
        }
        return volume == null ? nearest() : volume;
    }

    private @Nullable Limiting rate() {
        Double throughput = window.get(Figure.THROUGHPUT_MSGS_PER_S);
        if (ratePerSecond == null || throughput == null || throughput < ratePerSecond * RATE_KEPT) {
            return null;
        }
        return new Limiting(
                "rate",
                String.format(
                        Locale.ROOT,
                        "%.0f msg/s were asked for, and %.1f%% of them accepted",
                        ratePerSecond,
                        100 * throughput / ratePerSecond),
                "a higher --rate");
    }

    private @Nullable Limiting cores() {
        Double machine = window.get(Figure.MACHINE_CPU_PERCENT);
        if (machine == null || machine < BUSY_PERCENT) {
            return null;
        }
        Double driver = window.get(Figure.DRIVER_CPU_PERCENT);
        Double server = window.serverCpuPercent();
        if (!window.elsewhere() && driver != null && server != null && driver > server) {
            return new Limiting(
                    DRIVER,
                    String.format(
                            Locale.ROOT,
                            "all cores together were busy %.0f%% of the time, most of it by the"
                                    + " driver: %s",
                            machine,
                            shares(machine)),
                    "the driver on another machine");
        }
        String full = window.isOurs() ? null : fullCore();
        return new Limiting(
                CPU,
                String.format(
                        Locale.ROOT,
                        "all cores together were busy %.0f%% of the time: %s%s",
                        machine,
                        shares(machine),
                        full == null ? "" : "; " + full),
                window.machineUse().isForeign()
                        ? "stop the other processes"
                        : "more or faster cores");
    }

    private String shares(double machine) {
        Double driver = window.get(Figure.DRIVER_CPU_PERCENT);
        Double server = window.serverCpuPercent();
        if (driver == null || server == null) {
            return "by whom isn't known";
        }
        double own = window.elsewhere() ? server : server + driver;
        String ours = String.format(Locale.ROOT, "server %.0f%%", server)
                + (window.elsewhere() ? "" : String.format(Locale.ROOT, ", driver %.0f%%", driver));
        Double others = window.get(Figure.FOREIGN_CPU_PERCENT);
        double stolen = orZero(window.get(Figure.STEAL_PERCENT));
        return others == null
                ? String.format(
                        Locale.ROOT,
                        "%s, kernel and others %.0f%%",
                        ours,
                        Math.max(0, machine - own))
                : String.format(
                        Locale.ROOT,
                        "%s, other processes %.0f%%, kernel%s %.0f%%",
                        ours,
                        others,
                        stolen < 1 ? "" : " and hypervisor",
                        Math.max(0, machine - own - others));
    }

    private @Nullable Limiting driver() {
        Double driver = window.driverThreadPercent(driverThreads);
        if (driver == null || driver < DRIVER_PERCENT) {
            return null;
        }
        return new Limiting(
                DRIVER,
                String.format(
                        Locale.ROOT,
                        "the driver's event loops were busy %.0f%% of their time",
                        driver),
                "more --driver-threads");
    }

    private @Nullable Limiting thread() {
        Window.Busiest busiest = window.busiestThread();
        if (busiest == null) {
            return window.isOurs() ? null : oneCore();
        }
        if (busiest.percent() < BUSY_PERCENT) {
            return null;
        }
        return new Limiting(
                CPU,
                String.format(
                        Locale.ROOT,
                        "the hub's thread '%s' ran %.0f%% of the time, all that one core gives,"
                                + " though the machine was busy %.0f%% only",
                        busiest.name(),
                        busiest.percent(),
                        orZero(window.get(Figure.MACHINE_CPU_PERCENT))),
                "a faster core");
    }

    /**
     * Limit of a server whose threads are not known: as much as one thread can use, and no more.
     */
    private @Nullable Limiting oneCore() {
        String full = fullCore();
        return full == null
                ? null
                : new Limiting(
                        CPU,
                        String.format(
                                Locale.ROOT,
                                "%s, though the machine was busy %.0f%% only",
                                full,
                                orZero(window.get(Figure.MACHINE_CPU_PERCENT))),
                        "a faster core");
    }

    private @Nullable String fullCore() {
        Double used = window.serverCoresUsed();
        return used == null ? null : MachineUse.fullCore(used);
    }

    /**
     * A device on which a request is always under way may hold more of them at once: what is used up
     * then is the time of the one who waits. Only a queue in front of it says that it is saturated.
     */
    private @Nullable Limiting volume(String name, @Nullable Double busy, String what) {
        if (busy == null || busy < BUSY_PERCENT) {
            return null;
        }
        Double requests = window.get(
                name.equals(LOG)
                        ? Figure.AVG_LOG_DISK_QUEUE_LENGTH
                        : Figure.AVG_QUEUE_DISK_QUEUE_LENGTH);
        String queue = requests == null || requests < SATURATED_REQUESTS
                ? (busy > 100 ? "; " : "; one at a time, so ")
                        + "their latency sets the pace, and the device may hold more"
                : String.format(
                        Locale.ROOT,
                        "; %.1f were in flight on average: the device is saturated",
                        requests);
        return new Limiting(
                name,
                String.format(
                        Locale.ROOT,
                        busy > 100
                                ? "%s was under way, %.1f at once on average%s%s"
                                : "%s was under way %.0f%% of the time%s%s",
                        what,
                        busy > 100 ? busy / 100 : busy,
                        each(name),
                        queue),
                name.equals(LOG) ? Limiting.LIFT_LOG : LIFT_QUEUE);
    }

    private String each(String name) {
        Double millis = name.equals(LOG)
                ? window.get(Figure.AVG_LOG_WRITE_LATENCY_MS)
                : window.get(Figure.AVG_QUEUE_WRITE_LATENCY_MS);
        Double megabytes = window.megabytesPerSecond(name.equals(LOG));
        return (millis == null ? "" : String.format(Locale.ROOT, ", each for %.2f ms", millis))
                + (megabytes == null
                        ? ""
                        : String.format(Locale.ROOT, "; %.1f MB/s were written", megabytes));
    }

    /** A closed loop of few connections uses nothing up: each waits for its answer. */
    private Limiting nearest() {
        String more = "more --connections, until something is used up";
        Double write = window.get(Figure.AVG_LOG_WRITE_LATENCY_MS);
        if (ratePerSecond == null && latency != null && write != null && latency.mean() > 0) {
            double share = 100 * write / latency.mean();
            if (share >= LOG_SHARE_PERCENT) {
                return new Limiting(
                        LOG,
                        String.format(
                                Locale.ROOT,
                                "nothing was used up: of the %.2f ms until an answer, the log's"
                                        + " write and sync took %.2f",
                                latency.mean(),
                                write),
                        more);
            }
        }
        Double ofHeld = held == null ? null : held.busyPercent(window);
        Double cpu = ofHeld == null ? window.get(Figure.MACHINE_CPU_PERCENT) : ofHeld;
        List<Busy> all = Stream.of(
                        new Busy(CPU, "CPU", orZero(cpu)),
                        new Busy(LOG, "log volume", orZero(window.logBusyPercent())),
                        new Busy(QUEUE, "queue volume", orZero(window.queueBusyPercent())))
                .filter(busy -> busy.percent > 0)
                .sorted(Comparator.comparingDouble(Busy::percent).reversed())
                .toList();
        if (all.isEmpty()) {
            return Limiting.UNKNOWN;
        }
        Busy most = all.getFirst();
        return new Limiting(
                most.resource,
                String.format(
                        Locale.ROOT,
                        "nothing was used up: the %s came nearest, busy %.0f%% of the time%s",
                        most.words,
                        most.percent,
                        all.stream()
                                .skip(1)
                                .map(busy -> String.format(
                                        Locale.ROOT, ", the %s %.0f%%", busy.words, busy.percent))
                                .collect(Collectors.joining())),
                more);
    }

    private record Busy(String resource, String words, double percent) {}

    /**
     * {@return the same where the log's device is emulated and takes only so many octets a second} The delay
     * of what is written is part of the call, so that no counter of requests shows it.
     *
     * @param withQueue whether the queue volume is on the same device
     */
    static Limiting beside(
            Limiting found, Window window, @Nullable DeviceProfile device, boolean withQueue) {
        Long most = device == null ? null : device.bytesPerSecond();
        double written = orZero(window.megabytesPerSecond(true))
                + (withQueue ? orZero(window.megabytesPerSecond(false)) : 0);
        String name = found.limitingResource();
        if (most == null
                || name == null
                || name.equals("rate")
                || name.equals(LOG)
                || 100 * written * 1e6 < BUSY_PERCENT * most) {
            return found;
        }
        return new Limiting(
                LOG,
                String.format(
                        Locale.ROOT,
                        "%.1f MB/s were written, of the %.0f MB/s that the emulated %s takes",
                        written,
                        most / 1e6,
                        device),
                "a log device that writes more a second");
    }

    private static double orZero(@Nullable Double number) {
        return number == null ? 0 : number;
    }
}
