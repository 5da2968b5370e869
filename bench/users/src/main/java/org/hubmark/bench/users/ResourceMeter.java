package org.hubmark.bench.users;

import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.Growth;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.SystemCounters;
import org.hubmark.bench.measure.watch.WatchedMachine;
import org.hubmark.bench.users.result.Resources;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What is spent between two moments, on the server's machine and by the driver on this one. Of a server
 * on a machine that can't be read it tells nothing. One thread.
 */
final class ResourceMeter {
    private static final long OWN_ID = ProcessHandle.current().pid();
    private static final double KIB_PER_MIB = 1024;
    private static final double BYTES_PER_MIB = 1024 * 1024;
    private static final double PERCENT = 100;

    private final ServerMachine machine;
    private @Nullable Reading from;
    private @Nullable String lost;

    /**
     * Counters of one moment.
     *
     * @param nanos by this machine's clock, right before that of the server's was asked
     * @param roundTripNanos until its answer was here
     */
    private record Reading(
            long nanos,
            long roundTripNanos,
            MachineCpu cpu,
            @Nullable Long driverNanos,
            MachineReading server) {}

    ResourceMeter(ServerMachine machine) {
        this.machine = machine;
    }

    /** What counts begins now. */
    void begin() {
        from = read();
    }

    /** {@return why nothing is known of the server's machine any more; null where it could be read} */
    @Nullable
    String lost() {
        WatchedMachine watched = machine.watched();
        return watched == null ? lost : watched.lost();
    }

    private Reading read() {
        MachineCpu cpu = MachineCpu.of(HostFiles.HERE);
        Long driver = ProcessCpu.nanos(OWN_ID);
        long nanos = System.nanoTime();
        MachineReading server = server();
        return new Reading(nanos, System.nanoTime() - nanos, cpu, driver, server);
    }

    private MachineReading server() {
        MachineSource counters = machine.counters();
        if (counters == null) {
            return MachineReading.UNKNOWN;
        }
        try {
            return counters.readAll();
        } catch (IOException e) {
            lost = "the counters of this machine can't be read (" + FileErrors.reason(e) + ")";
            return MachineReading.UNKNOWN;
        }
    }

    /** {@return what was spent since the begin; null without one} */
    @Nullable
    Resources end() {
        Reading begin = from;
        if (begin == null) {
            return null;
        }
        Reading now = read();
        WatchedMachine watched = machine.watched();
        if (watched != null) {
            watched.measured(
                    now.nanos() - begin.nanos(),
                    begin.server(),
                    now.server(),
                    Math.max(begin.roundTripNanos(), now.roundTripNanos()));
        }
        return spent(begin, now);
    }

    private Resources spent(Reading begin, Reading now) {
        MachineReading before = begin.server();
        MachineReading after = now.server();
        double seconds = (after.monotonicNanos() - before.monotonicNanos()) / 1e9;
        boolean known = before.cpu() != null && after.cpu() != null && seconds > 0;
        SystemCounters old = known ? before.system() : null;
        SystemCounters fresh = known ? after.system() : null;
        Long driver = Growth.of(begin.driverNanos(), now.driverNanos());
        Double hereNanos = coreNanos(begin.cpu(), now.cpu());
        Double thereNanos = coreNanos(before.cpu(), after.cpu());
        return new Resources(
                machine.name(),
                cpuPercent(before.cpu(), after.cpu(), driver),
                percent(Growth.of(before.serverCpuNanos(), after.serverCpuNanos()), thereNanos),
                fresh == null || fresh.availableBytes() == null
                        ? null
                        : (Double) (fresh.availableBytes() / BYTES_PER_MIB),
                rate(old, fresh, SystemCounters::pages, seconds),
                network(old, fresh, SystemCounters::receivedBytes, seconds),
                network(old, fresh, SystemCounters::sentBytes, seconds),
                percent(driver, hereNanos),
                megabytes(),
                machine.devices().entrySet().stream()
                        .map(device -> disk(
                                device,
                                known ? before.disks().get(device.getKey()) : null,
                                known ? after.disks().get(device.getKey()) : null,
                                seconds))
                        .toList());
    }

    /** Of the server's machine; what the driver takes there is its own. */
    private @Nullable Double cpuPercent(
            @Nullable MachineCpu before, @Nullable MachineCpu after, @Nullable Long driver) {
        Double all = coreNanos(before, after);
        if (before == null || after == null || all == null) {
            return null;
        }
        double busy = (double) (after.busyTicks() - before.busyTicks()) * ProcessCpu.TICK_NANOS;
        if (!machine.here()) {
            return PERCENT * busy / all;
        }
        return driver == null ? null : (Double) (PERCENT * Math.max(0, busy - driver) / all);
    }

    /** {@return the time of all cores; null when none has passed} */
    private static @Nullable Double coreNanos(
            @Nullable MachineCpu before, @Nullable MachineCpu after) {
        if (before == null || after == null || after.totalTicks() <= before.totalTicks()) {
            return null;
        }
        return (double) (after.totalTicks() - before.totalTicks()) * ProcessCpu.TICK_NANOS;
    }

    private static @Nullable Double percent(@Nullable Long part, @Nullable Double all) {
        return part == null || all == null ? null : (Double) (PERCENT * part / all);
    }

    /** A number of the system's counters. */
    private interface Counter {
        @Nullable
        Long of(SystemCounters counters);
    }

    private static @Nullable Double rate(
            @Nullable SystemCounters before,
            @Nullable SystemCounters after,
            Counter counter,
            double seconds) {
        if (before == null || after == null) {
            return null;
        }
        Long growth = Growth.of(counter.of(before), counter.of(after));
        return growth == null ? null : (Double) (growth / seconds);
    }

    /** Where the driver is on the server's machine, it speaks to the server by loopback. */
    private @Nullable Double network(
            @Nullable SystemCounters before,
            @Nullable SystemCounters after,
            Counter counter,
            double seconds) {
        Double others = rate(before, after, counter, seconds);
        Double loopback = rate(before, after, SystemCounters::loopbackBytes, seconds);
        if (!machine.here() || loopback == null) {
            return others;
        }
        return others == null ? loopback : (Double) (others + loopback);
    }

    /** {@return what the driver holds in memory} */
    private static @Nullable Double megabytes() {
        String text = HostFiles.HERE.value("proc/self/status", "VmRSS", ":");
        return text == null ? null : Long.parseLong(text.replace(" kB", "")) / KIB_PER_MIB;
    }

    private static Resources.Disk disk(
            Map.Entry<String, List<String>> device,
            @Nullable DiskCounters from,
            @Nullable DiskCounters to,
            double seconds) {
        DiskCounters grown = from == null || to == null ? null : to.since(from);
        if (grown == null) {
            return new Resources.Disk(
                    device.getKey(), device.getValue(), null, null, null, null, null, null);
        }
        double millis = seconds * 1e3;
        return new Resources.Disk(
                device.getKey(),
                device.getValue(),
                grown.weightedMillis() / millis,
                grown.reads() / seconds,
                grown.writes() / seconds,
                grown.readBytes() / seconds,
                grown.writtenBytes() / seconds,
                PERCENT * grown.busyMillis() / millis);
    }
}
