package org.hubmark.bench.mail.meter;

import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.document.AcceptLatency;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
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
    private static final String RATE = "rate";

    private static final VolumeRule LOG = new VolumeRule(
            VolumeRole.LOG,
            "a write or sync of the log",
            Figure.AVG_LOG_WRITE_LATENCY_MS,
            Figure.AVG_LOG_DISK_QUEUE_LENGTH,
            Limiting.LIFT_LOG);

    private static final VolumeRule QUEUE = new VolumeRule(
            VolumeRole.QUEUE,
            "a request of the queue volume",
            Figure.AVG_QUEUE_WRITE_LATENCY_MS,
            Figure.AVG_QUEUE_DISK_QUEUE_LENGTH,
            "a faster queue device");

    private final Window window;
    private final @Nullable Double ratePerSecond;
    private final int driverThreads;
    private final @Nullable AcceptLatency latency;
    private final @Nullable HeldServer held;

    /**
     * What is said of a volume that limits.
     *
     * @param request what its device works on
     * @param latency how long a write takes
     * @param queueLength how many requests are in flight on average
     * @param lift what would lift the limit
     */
    private record VolumeRule(
            VolumeRole role, String request, Column latency, Column queueLength, String lift) {}

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
        // What it is held to is used up before the machine is, whoever else has that.
        List<Supplier<@Nullable Limiting>> rules = local
                ? List.of(
                        this::rate,
                        this::held,
                        this::cores,
                        this::driver,
                        this::thread,
                        () -> volume(LOG),
                        () -> volume(QUEUE),
                        this::nearest)
                : List.of(this::rate, this::held, this::driver);
        for (Supplier<@Nullable Limiting> rule : rules) {
            Limiting found = rule.get();
            if (found != null) {
                return found;
            }
        }
        return Limiting.UNKNOWN;
    }

    /** {@return a limit, in words with their figures} */
    @SuppressWarnings("AnnotateFormatMethod") // The annotation would be a dependency of its own.
    static Limiting limit(String resource, String lift, String words, Object... figures) {
        return new Limiting(resource, String.format(Locale.ROOT, words, figures), lift);
    }

    private @Nullable Limiting rate() {
        Double throughput = window.get(Figure.THROUGHPUT_MSGS_PER_S);
        return ratePerSecond == null || throughput == null || throughput < ratePerSecond * RATE_KEPT
                ? null
                : limit(
                        RATE,
                        "a higher --rate",
                        "%.0f msg/s were asked for, and %.1f%% of them accepted",
                        ratePerSecond,
                        100 * throughput / ratePerSecond);
    }

    private @Nullable Limiting held() {
        return held == null ? null : held.limit(window);
    }

    private @Nullable Limiting cores() {
        Double machine = window.get(Figure.MACHINE_CPU_PERCENT);
        if (machine == null || machine < BUSY_PERCENT) {
            return null;
        }
        Double driver = window.get(Figure.DRIVER_CPU_PERCENT);
        Double server = window.serverCpuPercent();
        if (!window.elsewhere() && driver != null && server != null && driver > server) {
            return limit(
                    DRIVER,
                    "the driver on another machine",
                    "all cores together were busy %.0f%% of the time, most of it by the driver: %s",
                    machine,
                    shares(machine));
        }
        String full = window.isOurs() ? null : fullCore();
        return limit(
                CPU,
                window.machineUse().isForeign()
                        ? "stop the other processes"
                        : "more or faster cores",
                "all cores together were busy %.0f%% of the time: %s%s",
                machine,
                shares(machine),
                full == null ? "" : "; " + full);
    }

    private String shares(double machine) {
        Double driver = window.get(Figure.DRIVER_CPU_PERCENT);
        Double server = window.serverCpuPercent();
        if (driver == null || server == null) {
            return "by whom isn't known";
        }
        StringBuilder shares =
                new StringBuilder(String.format(Locale.ROOT, "server %.0f%%", server));
        double rest = machine - server;
        if (!window.elsewhere()) {
            shares.append(String.format(Locale.ROOT, ", driver %.0f%%", driver));
            rest -= driver;
        }
        String kernel = "kernel and others";
        Double others = window.get(Figure.FOREIGN_CPU_PERCENT);
        if (others != null) {
            shares.append(String.format(Locale.ROOT, ", other processes %.0f%%", others));
            rest -= others;
            boolean stolen = orZero(window.get(Figure.STEAL_PERCENT)) >= 1;
            kernel = stolen ? "kernel and hypervisor" : "kernel";
        }
        return shares + String.format(Locale.ROOT, ", %s %.0f%%", kernel, Math.max(0, rest));
    }

    private @Nullable Limiting driver() {
        Double driver = window.driverThreadPercent(driverThreads);
        return driver == null || driver < DRIVER_PERCENT
                ? null
                : limit(
                        DRIVER,
                        "the driver on another machine",
                        "the driver's event loops were busy %.0f%% of their time",
                        driver);
    }

    /** Where a server's threads are not known it is at its limit with as much as one thread can use. */
    private @Nullable Limiting thread() {
        Window.Busiest busiest = window.busiestThread();
        String full = busiest == null
                ? window.isOurs() ? null : fullCore()
                : busiest.percent() < BUSY_PERCENT
                        ? null
                        : String.format(
                                Locale.ROOT,
                                "the hub's thread '%s' ran %.0f%% of the time, all that one core"
                                        + " gives",
                                busiest.name(),
                                busiest.percent());
        return full == null
                ? null
                : limit(
                        CPU,
                        "a faster core",
                        "%s, though the machine was busy %.0f%% only",
                        full,
                        orZero(window.get(Figure.MACHINE_CPU_PERCENT)));
    }

    private @Nullable String fullCore() {
        Double used = window.serverCoresUsed();
        return used == null ? null : MachineUse.fullCore(used);
    }

    /**
     * A device on which a request is always under way may hold more of them at once: what is used up
     * then is the time of the one who waits. Only a queue in front of it says that it is saturated.
     */
    private @Nullable Limiting volume(VolumeRule rule) {
        Double busy = window.busyPercent(rule.role);
        if (busy == null || busy < BUSY_PERCENT) {
            return null;
        }
        boolean several = busy > 100;
        String share = several
                ? String.format(Locale.ROOT, ", %.1f at once on average", busy / 100)
                : String.format(Locale.ROOT, " %.0f%% of the time", busy);
        Double requests = window.get(rule.queueLength);
        String queue = requests != null && requests >= SATURATED_REQUESTS
                ? String.format(
                        Locale.ROOT,
                        "%.1f were in flight on average: the device is saturated",
                        requests)
                : (several ? "" : "one at a time, so ")
                        + "their latency sets the pace, and the device may hold more";
        return limit(
                rule.role.resource(),
                rule.lift,
                "%s was under way%s%s%s; %s",
                rule.request,
                share,
                figure(", each for %.2f ms", window.get(rule.latency)),
                figure("; %.1f MB/s were written", window.megabytesPerSecond(rule.role)),
                queue);
    }

    private static String figure(String words, @Nullable Double figure) {
        return figure == null ? "" : String.format(Locale.ROOT, words, figure);
    }

    /** A closed loop of few connections uses nothing up: each waits for its answer. */
    private Limiting nearest() {
        String more = "more --connections, until something is used up";
        Double write = window.get(Figure.AVG_LOG_WRITE_LATENCY_MS);
        if (ratePerSecond == null
                && latency != null
                && write != null
                && latency.mean() > 0
                && 100 * write / latency.mean() >= LOG_SHARE_PERCENT) {
            return limit(
                    VolumeRole.LOG.resource(),
                    more,
                    "nothing was used up: of the %.2f ms until an answer, the log's write and sync"
                            + " took %.2f",
                    latency.mean(),
                    write);
        }
        Double ofHeld = held == null ? null : held.busyPercent(window);
        Double cpu = ofHeld == null ? window.get(Figure.MACHINE_CPU_PERCENT) : ofHeld;
        List<Busy> all = Stream.of(
                        new Busy(CPU, "CPU", orZero(cpu)),
                        busy(VolumeRole.LOG),
                        busy(VolumeRole.QUEUE))
                .filter(busy -> busy.percent > 0)
                .sorted(Comparator.comparingDouble(Busy::percent).reversed())
                .toList();
        if (all.isEmpty()) {
            return Limiting.UNKNOWN;
        }
        Busy most = all.getFirst();
        return limit(
                most.resource,
                more,
                "nothing was used up: the %s came nearest, busy %.0f%% of the time%s",
                most.words,
                most.percent,
                all.stream()
                        .skip(1)
                        .map(busy -> String.format(
                                Locale.ROOT, ", the %s %.0f%%", busy.words, busy.percent))
                        .collect(Collectors.joining()));
    }

    private Busy busy(VolumeRole role) {
        return new Busy(role.resource(), role.key() + " volume", orZero(window.busyPercent(role)));
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
        if (device == null) {
            return found;
        }
        Long most = device.bytesPerSecond();
        double written = orZero(window.megabytesPerSecond(VolumeRole.LOG))
                + (withQueue ? orZero(window.megabytesPerSecond(VolumeRole.QUEUE)) : 0);
        String name = found.limitingResource();
        return most == null
                        || name == null
                        || name.equals(RATE)
                        || name.equals(VolumeRole.LOG.resource())
                        || 100 * written * 1e6 < BUSY_PERCENT * most
                ? found
                : limit(
                        VolumeRole.LOG.resource(),
                        "a log device that writes more a second",
                        "%.1f MB/s were written, of the %.0f MB/s that the emulated %s takes",
                        written,
                        most / 1e6,
                        device);
    }

    private static double orZero(@Nullable Double number) {
        return number == null ? 0 : number;
    }
}
