package org.hubmark.bench.machine;

import org.hubmark.bench.machine.devices.BlockDevice;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.kernel.HostFiles;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads what the kernel counts of the devices of volumes. Flushes are those of the disks below, which is
 * where they are counted. One thread.
 */
public final class DiskReader {
    private final HostFiles host;

    /** The disks below each device. */
    private final Map<String, List<String>> disks = new HashMap<>();

    /** Looks once what lies below the devices of this machine. */
    public DiskReader(Collection<String> devices) {
        this(devices, HostFiles.HERE);
    }

    DiskReader(Collection<String> devices, HostFiles host) {
        this.host = host;
        for (String device : devices) {
            disks.put(
                    device,
                    VolumeStack.ofDevice(device, host).disks().stream()
                            .map(BlockDevice::name)
                            .toList());
        }
    }

    /** {@return the counters by the names of the devices, without those that count nothing} */
    public Map<String, DiskCounters> read() {
        Map<String, DiskCounters> all = new HashMap<>();
        if (disks.isEmpty()) {
            return all;
        }
        String diskstats = host.text(DiskCounters.FILE);
        disks.forEach((device, below) -> {
            DiskCounters counters = DiskCounters.parse(diskstats, device);
            if (counters != null
                    && !countsNothing(device)
                    && below.stream().noneMatch(this::countsNothing)) {
                all.put(device, withFlushes(counters, below, diskstats));
            }
        });
        return all;
    }

    /** An operator can stop the counting, and the line stays as it was. */
    private boolean countsNothing(String device) {
        return host.text("sys/class/block/" + device + "/queue/iostats").strip().equals("0");
    }

    private static DiskCounters withFlushes(
            DiskCounters counters, List<String> disks, String diskstats) {
        Map<DiskCounter, Long> values = new EnumMap<>(counters.values());
        for (DiskCounter flush : List.of(DiskCounter.FLUSHES, DiskCounter.FLUSH_MS)) {
            values.remove(flush);
            disks.stream()
                    .map(disk -> DiskCounters.parse(diskstats, disk))
                    .filter(Objects::nonNull)
                    .map(one -> one.get(flush))
                    .filter(Objects::nonNull)
                    .forEach(value -> values.merge(flush, value, Long::sum));
        }
        return new DiskCounters(values);
    }
}
