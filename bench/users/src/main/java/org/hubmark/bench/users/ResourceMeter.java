package org.hubmark.bench.users;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.Standstill;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.Growth;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.SystemCounters;
import org.hubmark.bench.machine.watch.WatchedMachine;
import org.hubmark.bench.users.result.ResourceForm;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What is spent between two moments, on the server's machine and by the driver on this one. Of a server
 * on a machine that can't be read it tells nothing. One thread.
 */
final class ResourceMeter {
    private static final long OWN_ID = ProcessHandle.current().pid();
    private static final long KIB = 1024;

    private final ServerMachine machine;
    private final Standstill standstill = new Standstill();
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
        standstill.begin();
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

    /** Takes down what was spent since the begin; nothing without one. */
    void end(Repeat.Builder counted) {
        Reading begin = from;
        if (begin == null) {
            return;
        }
        standstill.close();
        Reading now = read();
        WatchedMachine watched = machine.watched();
        if (watched != null) {
            watched.measured(
                    now.nanos() - begin.nanos(),
                    begin.server(),
                    now.server(),
                    Math.max(begin.roundTripNanos(), now.roundTripNanos()));
        }
        Long driver = Growth.of(begin.driverNanos(), now.driverNanos());
        counted.count(MachineMeter.STANDSTILL_NS, standstill.nanos())
                .count(ResourceForm.DRIVER_CPU_NS, driver)
                .count(
                        ResourceForm.DRIVER_TOTAL_NS,
                        nanos(begin.cpu(), now.cpu(), MachineCpu::totalTicks))
                .count(ResourceForm.DRIVER_CORES, Runtime.getRuntime().availableProcessors())
                .count(ResourceForm.DRIVER_BYTES, driverBytes());
        server(begin.server(), now.server(), driver, counted);
    }

    private void server(
            MachineReading before,
            MachineReading after,
            @Nullable Long driver,
            Repeat.Builder counted) {
        MachineCpu cpuBefore = before.cpu();
        MachineCpu cpuAfter = after.cpu();
        long nanos = after.monotonicNanos() - before.monotonicNanos();
        if (cpuBefore == null || cpuAfter == null || nanos <= 0) {
            counted.parts(ResourceForm.DISKS, disks(nanos, Map.of(), Map.of()));
            return;
        }
        counted.count(ResourceForm.COUNTED_NS, nanos)
                .count(
                        ResourceForm.MACHINE_BUSY_NS,
                        nanos(cpuBefore, cpuAfter, MachineCpu::busyTicks))
                .count(
                        ResourceForm.MACHINE_TOTAL_NS,
                        nanos(cpuBefore, cpuAfter, MachineCpu::totalTicks))
                .count(
                        ResourceForm.MACHINE_STEAL_NS,
                        nanos(cpuBefore, cpuAfter, MachineCpu::stealTicks))
                .count(ResourceForm.PROCESSES_CPU_NS, MachineMeter.processes(before, after))
                .count(
                        ResourceForm.THROTTLED_NS,
                        MachineMeter.throttled(before.group(), after.group()))
                .count(
                        ResourceForm.SERVER_CPU_NS,
                        Growth.of(
                                before.processes().serverCpuNanos(),
                                after.processes().serverCpuNanos()))
                .count(ResourceForm.DRIVER_THERE_NS, machine.here() ? driver : (Long) 0L)
                .parts(ResourceForm.DISKS, disks(nanos, before.disks(), after.disks()));
        SystemCounters old = before.system();
        SystemCounters fresh = after.system();
        if (old != null && fresh != null) {
            // Where the driver is on the server's machine, it speaks to the server by loopback.
            Long own =
                    machine.here() ? Growth.of(old.loopbackBytes(), fresh.loopbackBytes()) : null;
            counted.count(ResourceForm.AVAILABLE_BYTES, fresh.availableBytes())
                    .count(ResourceForm.PAGES, Growth.of(old.pages(), fresh.pages()))
                    .count(
                            ResourceForm.NET_RECEIVED,
                            network(Growth.of(old.receivedBytes(), fresh.receivedBytes()), own))
                    .count(
                            ResourceForm.NET_SENT,
                            network(Growth.of(old.sentBytes(), fresh.sentBytes()), own))
                    .count(
                            ResourceForm.LINK_BYTES_PER_S,
                            machine.here() ? null : fresh.linkBytesPerS());
        }
    }

    private static @Nullable Long nanos(
            MachineCpu before, MachineCpu after, ToLongFunction<MachineCpu> counter) {
        Long ticks = MachineCpu.growth(before, after, counter);
        return ticks == null ? null : (Long) (ticks * ProcessCpu.TICK_NANOS);
    }

    private static @Nullable Long sum(@Nullable Long one, long other) {
        return one == null ? null : (Long) (one + other);
    }

    /** Adds the known ones of two counters; null if neither is known. */
    private static @Nullable Long network(@Nullable Long others, @Nullable Long own) {
        return own == null ? others : sum(others == null ? (Long) 0L : others, own);
    }

    /** {@return what the driver holds in memory} */
    private static @Nullable Long driverBytes() {
        String text = HostFiles.HERE.value("proc/self/status", "VmRSS", ":");
        return text == null ? null : (Long) (KIB * Long.parseLong(text.replace(" kB", "")));
    }

    private List<Repeat> disks(
            long nanos, Map<String, DiskCounters> before, Map<String, DiskCounters> after) {
        List<Repeat> disks = new ArrayList<>();
        machine.devices().forEach((device, roles) -> {
            Repeat.Builder counted = Repeat.counted()
                    .name(ResourceForm.HOLDS, holds(device, roles))
                    .name(ResourceForm.DEVICE, device)
                    .name(ResourceForm.ROLES, roles);
            DiskCounters from = before.get(device);
            DiskCounters to = after.get(device);
            DiskCounters grown = from == null || to == null ? null : to.since(from);
            disks.add(grown == null ? counted.made() : disk(counted, grown, nanos));
        });
        return disks;
    }

    /** Where several devices hold the same, each has its name too. */
    private String holds(String device, List<String> roles) {
        if (roles.isEmpty()) {
            return device;
        }
        String text = String.join(", ", roles);
        long alike = machine.devices().values().stream().filter(roles::equals).count();
        return alike > 1 ? text + " on " + device : text;
    }

    private static Repeat disk(Repeat.Builder counted, DiskCounters grown, long nanos) {
        return counted.count(ResourceForm.COUNTED_NS, nanos)
                .count(ResourceForm.WEIGHTED_MS, grown.weightedMillis())
                .count(ResourceForm.READS, grown.reads())
                .count(ResourceForm.WRITES, grown.writes())
                .count(ResourceForm.READ_BYTES, grown.readBytes())
                .count(ResourceForm.WRITTEN_BYTES, grown.writtenBytes())
                .count(ResourceForm.BUSY_MS, grown.busyMillis())
                .made();
    }
}
