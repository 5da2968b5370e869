package org.hubmark.bench.users;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.MachineMeter.Keyed;
import org.hubmark.bench.kit.check.Standstill;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.DiskCounter;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.watch.RemoteMachine;
import org.hubmark.bench.users.result.ResourceForm;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is spent between two moments, on the server's machine and by the driver on this one. Of a server
 * on a machine that can't be read it tells nothing. One thread.
 */
final class ResourceMeter {
    private static final List<Keyed> DRIVER = List.of(
            new Keyed(ResourceForm.DRIVER_CPU_NS, MachineCounter.READER_NS),
            new Keyed(ResourceForm.DRIVER_TICKS, MachineCounter.TOTAL_TICKS));

    private static final List<Keyed> PAGING =
            List.of(new Keyed(ResourceForm.PAGES, MachineCounter.PAGES));

    private static final List<DiskCounter> DISK = List.of(
            DiskCounter.WEIGHTED_MS,
            DiskCounter.READS,
            DiskCounter.WRITES,
            DiskCounter.READ_BYTES,
            DiskCounter.WRITTEN_BYTES,
            DiskCounter.BUSY_MS);

    private final ServerMachine machine;
    private final LocalMachine drivers = new LocalMachine(null, null, List.of());
    private final Standstill standstill = new Standstill();
    private @Nullable Reading from;
    private @Nullable String lost;

    /**
     * Counters of one moment.
     *
     * @param nanos by this machine's clock, right before that of the server's was asked
     * @param roundTripNanos until its answer was here
     * @param driver of this machine
     */
    private record Reading(
            long nanos, long roundTripNanos, MachineReading driver, MachineReading server) {}

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
        return machine.counters() instanceof RemoteMachine watched ? watched.lost() : lost;
    }

    private Reading read() {
        long nanos = System.nanoTime();
        MachineReading server = read(machine.counters());
        long roundTripNanos = System.nanoTime() - nanos;
        return new Reading(nanos, roundTripNanos, machine.here() ? server : read(drivers), server);
    }

    private MachineReading read(@Nullable MachineSource counters) {
        try {
            return counters == null ? MachineReading.UNKNOWN : counters.read();
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
        if (machine.counters() instanceof RemoteMachine watched) {
            watched.measured(
                    now.nanos() - begin.nanos(),
                    begin.server(),
                    now.server(),
                    Math.max(begin.roundTripNanos(), now.roundTripNanos()));
        }
        counted.count(MachineMeter.STANDSTILL_NS, standstill.nanos());
        MachineMeter.count(DRIVER, begin.driver(), now.driver(), counted);
        server(begin.server(), now.server(), counted);
    }

    private void server(MachineReading before, MachineReading after, Repeat.Builder counted) {
        long nanos = after.monotonicNanos() - before.monotonicNanos();
        if (before.cpu() == null || after.cpu() == null || nanos <= 0) {
            counted.parts(ResourceForm.DISKS, disks(nanos, Map.of(), Map.of()));
            return;
        }
        counted.count(MachineMeter.METERED_NS, nanos);
        MachineMeter.count(before, after, counted);
        if (!machine.here()) {
            // What reads its counters there is not the driver.
            counted.count(MachineMeter.TOOL_NS, 0);
        }
        MachineMeter.count(PAGING, before, after, counted);
        // Where the driver is on the server's machine, it speaks to the server by loopback.
        Long own = machine.here() ? MachineCounter.LOOPBACK_BYTES.growth(before, after) : null;
        Long received = MachineCounter.RECEIVED_BYTES.growth(before, after);
        Long sent = MachineCounter.SENT_BYTES.growth(before, after);
        counted.count(ResourceForm.NET_RECEIVED, network(received, own))
                .count(ResourceForm.NET_SENT, network(sent, own))
                .count(ResourceForm.AVAILABLE_BYTES, after.get(MachineCounter.AVAILABLE_BYTES))
                .parts(ResourceForm.DISKS, disks(nanos, before.disks(), after.disks()));
    }

    /** Adds the known ones of two counters; null if neither is known. */
    private static @Nullable Long network(@Nullable Long others, @Nullable Long own) {
        if (own == null || others == null) {
            return own == null ? others : own;
        }
        return others + own;
    }

    private List<Repeat> disks(
            long nanos, Map<String, DiskCounters> before, Map<String, DiskCounters> after) {
        List<Repeat> disks = new ArrayList<>();
        machine.devices().forEach((device, roles) -> {
            Repeat.Builder counted = Repeat.counted()
                    .name(ResourceForm.HOLDS, String.join(", ", roles))
                    .name(ResourceForm.DEVICE, device)
                    .name(ResourceForm.ROLES, roles);
            DiskCounters from = before.get(device);
            DiskCounters to = after.get(device);
            DiskCounters grown = from == null || to == null ? null : to.growth(from);
            if (grown != null) {
                counted.count(MachineMeter.METERED_NS, nanos);
                MachineMeter.count(grown, DISK, counted);
            }
            disks.add(counted.made());
        });
        return disks;
    }
}
