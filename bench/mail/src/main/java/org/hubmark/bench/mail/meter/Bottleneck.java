package org.hubmark.bench.mail.meter;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names what set the pace, why, and what would lift it: the first of these that holds, and where
 * none does, what was nearest to its bound. docs/measurement.md states the rules.
 *
 * @param ratePerSecond the asked rate, or null for as fast as it goes: also where a search found
 *     the highest that is sustained
 * @param driverThreads its event loops
 * @param latencyMs mean of what was accepted; 0 when it isn't known
 * @param allowed cores of our hub, by affinity or cpuset; none where they are not known
 * @param device that the log's volume acts like; null for a real one
 * @param withQueue whether the queue volume is on that device too
 */
record Bottleneck(
        Window window,
        @Nullable Double ratePerSecond,
        int driverThreads,
        double latencyMs,
        Set<Integer> allowed,
        @Nullable DeviceProfile device,
        boolean withQueue) {
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

    private static final String MORE = "more --connections, until a resource is used up";

    /**
     * {@return rate, cpu, driver, log_volume or queue_volume; unknown when nothing is known or
     * nothing was accepted}
     *
     * @param local whether the machine's and the volumes' counters tell of the server
     */
    Limiting find(boolean local) {
        // What it is held to is used up before the machine is, whoever else has that.
        List<Supplier<@Nullable Limiting>> rules = !local
                ? List.of(this::rate, this::heldBack, this::driver)
                : List.of(
                        this::rate,
                        this::emulated,
                        this::heldBack,
                        this::cores,
                        this::driver,
                        this::thread,
                        () -> volume(VolumeRole.LOG),
                        () -> volume(VolumeRole.QUEUE),
                        this::log,
                        this::nearest);
        return window.acceptedMessages() == 0
                ? Limiting.UNKNOWN
                : rules.stream()
                        .map(Supplier::get)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(Limiting.UNKNOWN);
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
                        "rate",
                        "a higher --rate",
                        "%.0f msg/s were asked for, and %.1f%% of them accepted",
                        ratePerSecond,
                        100 * throughput / ratePerSecond);
    }

    /** The delay of what is written is part of the call, so that no counter of requests shows it. */
    private @Nullable Limiting emulated() {
        Long most = device == null ? null : device.bytesPerSecond();
        double written = orZero(window.megabytesPerSecond(VolumeRole.LOG))
                + (withQueue ? orZero(window.megabytesPerSecond(VolumeRole.QUEUE)) : 0);
        return device == null || most == null || 100 * written * 1e6 < BUSY_PERCENT * most
                ? null
                : limit(
                        VolumeRole.LOG.resource(),
                        "a log device that writes more a second",
                        "%.1f MB/s were written, of the %.0f MB/s that the emulated %s takes",
                        written,
                        most / 1e6,
                        device);
    }

    /** Cores that it may not use do not help it, however idle they are. */
    private @Nullable Limiting heldBack() {
        Double busy = allowedPercent();
        return busy == null || busy < BUSY_PERCENT
                ? null
                : limit(
                        CPU,
                        "more cores for the hub",
                        "the %d of %d cores that the hub may use were busy %.0f%% of the time",
                        allowed.size(),
                        window.cores(),
                        busy);
    }

    private @Nullable Double allowedPercent() {
        return allowed.isEmpty() || allowed.size() >= window.cores()
                ? null
                : window.busyPercent(allowed);
    }

    private @Nullable Limiting cores() {
        Double machine = window.get(Figure.MACHINE_CPU_PERCENT);
        if (machine == null || machine < BUSY_PERCENT) {
            return null;
        }
        double driver = window.elsewhere() ? 0 : orZero(window.get(Figure.DRIVER_CPU_PERCENT));
        Double server = window.serverCpuPercent();
        String busy = "all cores together were busy %.0f%% of the time";
        if (server != null && driver > server) {
            return limit(
                    DRIVER,
                    "the driver on another machine",
                    busy + ", most of it by the driver: %s",
                    machine,
                    shares(machine, server, driver));
        }
        return limit(
                CPU,
                window.machineUse().isForeign()
                        ? "stop the other processes"
                        : "more or faster cores",
                busy + ": %s",
                machine,
                server == null
                        ? "by which processes isn't known"
                        : shares(machine, server, driver));
    }

    private String shares(double machine, double server, double driver) {
        Double others = window.get(Figure.FOREIGN_CPU_PERCENT);
        String kernel = others == null
                ? "kernel and others"
                : orZero(window.get(Figure.STEAL_PERCENT)) >= 1
                        ? "kernel and hypervisor"
                        : "kernel";
        return figure("server %.0f%%", server)
                + figure(", driver %.0f%%", window.elsewhere() ? null : (Double) driver)
                + figure(", other processes %.0f%%", others)
                + figure(
                        ", " + kernel + " %.0f%%",
                        Math.max(0, machine - server - driver - orZero(others)));
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

    private @Nullable Limiting thread() {
        Window.Busiest busiest = window.busiestThread();
        return busiest == null || busiest.percent() < BUSY_PERCENT
                ? null
                : limit(
                        CPU,
                        "a faster core",
                        "the hub's thread '%s' ran %.0f%% of the time, all that one core gives, though the"
                                + " machine was busy %.0f%% only",
                        busiest.name(),
                        busiest.percent(),
                        orZero(window.get(Figure.MACHINE_CPU_PERCENT)));
    }

    /**
     * A device on which a request is always under way may hold more of them at once: what is used up
     * then is the time of the one who waits. Only a queue in front of it says that it is saturated.
     */
    private @Nullable Limiting volume(VolumeRole role) {
        Double busy = window.busyPercent(role);
        if (busy == null || busy < BUSY_PERCENT) {
            return null;
        }
        boolean isLog = role == VolumeRole.LOG;
        double requests = orZero(window.get(
                isLog ? Figure.AVG_LOG_DISK_QUEUE_LENGTH : Figure.AVG_QUEUE_DISK_QUEUE_LENGTH));
        Double latency = window.get(
                isLog ? Figure.AVG_LOG_WRITE_LATENCY_MS : Figure.AVG_QUEUE_WRITE_LATENCY_MS);
        return limit(
                role.resource(),
                isLog ? Limiting.LIFT_LOG : "a faster queue device",
                "the %s volume was busy %.0f%% of the time%s%s; %s",
                role.key(),
                busy,
                figure(", each write and sync for %.2f ms", latency),
                figure("; %.1f MB/s were written", window.megabytesPerSecond(role)),
                requests >= SATURATED_REQUESTS
                        ? figure("%.1f requests were in flight: it is saturated", requests)
                        : "its latency sets the pace, and it may hold more at once");
    }

    private static String figure(String words, @Nullable Double figure) {
        return figure == null ? "" : String.format(Locale.ROOT, words, figure);
    }

    /** A closed loop of few connections uses nothing up: each waits for its answer. */
    private @Nullable Limiting log() {
        Double write = window.get(Figure.AVG_LOG_WRITE_LATENCY_MS);
        return ratePerSecond != null
                        || write == null
                        || latencyMs <= 0
                        || 100 * write / latencyMs < LOG_SHARE_PERCENT
                ? null
                : limit(
                        VolumeRole.LOG.resource(),
                        MORE,
                        "of the %.2f ms until an answer the log's write and sync took %.2f; the"
                                + " volume was not used up",
                        latencyMs,
                        write);
    }

    private @Nullable Limiting nearest() {
        Double part = allowedPercent();
        Double cpu = part == null ? window.get(Figure.MACHINE_CPU_PERCENT) : part;
        List<Busy> all = Stream.of(
                        new Busy(CPU, "CPU", orZero(cpu)),
                        busy(VolumeRole.LOG),
                        busy(VolumeRole.QUEUE))
                .filter(busy -> busy.percent > 0)
                .sorted(Comparator.comparingDouble(Busy::percent).reversed())
                .toList();
        return all.isEmpty()
                ? null
                : limit(
                        all.getFirst().resource,
                        MORE,
                        "%s of the time; none was used up",
                        all.stream().map(Busy::text).collect(Collectors.joining(", ")));
    }

    private Busy busy(VolumeRole role) {
        return new Busy(role.resource(), role.key() + " volume", orZero(window.busyPercent(role)));
    }

    private record Busy(String resource, String words, double percent) {
        String text() {
            return String.format(Locale.ROOT, "%s busy %.0f%%", words, percent);
        }
    }

    private static double orZero(@Nullable Double number) {
        return number == null ? 0 : number;
    }
}
