package org.hubmark.bench.users;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.MachineMeter.Keyed;
import org.hubmark.bench.kit.check.Standstill;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.users.result.ResourceForm;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is spent between two moments, on the server's machine and by the driver on this one. Of a server
 * on a machine that can't be read it tells nothing. One thread.
 */
final class ResourceMeter {
    private static final List<Keyed> DRIVER = List.of(
            new Keyed(ResourceForm.DRIVER_CPU_NS, MachineCounter.READER_NS),
            new Keyed(ResourceForm.DRIVER_TICKS, MachineCounter.TOTAL_TICKS));

    private static final List<Keyed> SERVER = List.of(
            new Keyed(ResourceForm.PAGES, MachineCounter.PAGES),
            new Keyed(ResourceForm.NET_RECEIVED, MachineCounter.RECEIVED_BYTES),
            new Keyed(ResourceForm.NET_SENT, MachineCounter.SENT_BYTES));

    private static final List<DiskCounter> DISK = List.of(
            DiskCounter.WEIGHTED_MS, DiskCounter.READS, DiskCounter.WRITES, DiskCounter.BUSY_MS);

    private final ServerMachine machine;
    private final LocalMachine drivers = new LocalMachine(null, null, List.of());
    private final Standstill standstill = new Standstill();
    private @Nullable Reading from;

    /** Counters of one moment, of the driver's machine and of the server's. */
    private record Reading(MachineReading driver, MachineReading server) {}

    ResourceMeter(ServerMachine machine) {
        this.machine = machine;
    }

    /** What counts begins now. */
    void begin() {
        from = read();
        standstill.begin();
    }

    private Reading read() {
        MachineReading server = read(machine.counters());
        return new Reading(machine.here() ? server : read(drivers), server);
    }

    private static MachineReading read(@Nullable MachineSource counters) {
        try {
            return counters == null ? MachineReading.UNKNOWN : counters.read();
        } catch (IOException e) {
            return MachineReading.UNKNOWN;
        }
    }

    /** Takes down what was spent since the begin, once; nothing without one. */
    void end(Repeat.Builder counted) {
        Reading begin = from;
        if (begin == null) {
            return;
        }
        from = null;
        standstill.close();
        Reading now = read();
        counted.count(MachineMeter.STANDSTILL_NS, standstill.nanos());
        MachineMeter.count(DRIVER, begin.driver(), now.driver(), counted);
        MachineReading before = begin.server();
        MachineReading after = now.server();
        boolean isKnown = before.cpu() != null && after.cpu() != null;
        long nanos = after.monotonicNanos() - before.monotonicNanos();
        if (isKnown) {
            counted.count(MachineMeter.METERED_NS, nanos);
            MachineMeter.count(before, after, counted);
            MachineMeter.count(SERVER, before, after, counted);
            counted.count(ResourceForm.AVAILABLE_BYTES, after.get(MachineCounter.AVAILABLE_BYTES));
        }
        if (isKnown && !machine.here()) {
            // What reads its counters there is not the driver.
            counted.count(MachineMeter.TOOL_NS, 0);
        }
        List<Repeat> disks = new ArrayList<>();
        machine.devices().forEach((device, roles) -> {
            Repeat.Builder disk = Repeat.counted()
                    .name(ResourceForm.HOLDS, String.join(", ", roles))
                    .name(ResourceForm.DEVICE, device);
            DiskCounters first = before.disks().get(device);
            DiskCounters last = after.disks().get(device);
            DiskCounters grown = first == null || last == null ? null : last.growth(first);
            if (grown != null) {
                disk.count(MachineMeter.METERED_NS, nanos);
                MachineMeter.count(grown, DISK, disk);
            }
            disks.add(disk.made());
        });
        counted.parts(ResourceForm.DISKS, disks);
    }
}
