package org.hubmark.bench.machine;

import org.hubmark.bench.machine.devices.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what the kernel counts of the devices of volumes. A name of several, joined by a plus, is of
 * their sum. Flushes are those of the disks below, which is where they are counted. One thread.
 */
public final class DiskReader {
    private final HostFiles host;
    private final Map<String, VolumeStack> stacks = new LinkedHashMap<>();

    /** Looks once what lies below the devices of this machine. */
    public DiskReader(Collection<String> devices) {
        this(devices, HostFiles.HERE, VolumeStack.Machine.HERE);
    }

    DiskReader(Collection<String> devices, HostFiles host, VolumeStack.Machine machine) {
        this.host = host;
        for (String device : devices) {
            stacks.put(device, VolumeStack.ofDevices(device, machine));
        }
    }

    /** {@return the counters by the names of the devices, without those that count nothing} */
    public Map<String, DiskCounters> read() throws IOException {
        Map<String, DiskCounters> all = new HashMap<>();
        if (stacks.isEmpty()) {
            return all;
        }
        String diskstats = host.text(DiskCounters.FILE);
        for (Map.Entry<String, VolumeStack> one : stacks.entrySet()) {
            DiskCounters counters = sum(diskstats, one.getKey());
            if (counters != null) {
                List<String> disks = one.getValue().flushLines(diskstats);
                all.put(one.getKey(), withFlushes(counters, disks, diskstats));
            }
        }
        return all;
    }

    private static @Nullable DiskCounters sum(String diskstats, String names) {
        DiskCounters sum = null;
        int count = 0;
        for (String name : names.split("\\+", -1)) {
            DiskCounters one = DiskCounters.parse(diskstats, name);
            if (one == null) {
                return null;
            }
            sum = sum == null ? one : sum.plus(one, count / (count + 1.0));
            count++;
        }
        return sum;
    }

    private static DiskCounters withFlushes(
            DiskCounters counters, List<String> disks, String diskstats) {
        Map<DiskCounter, Long> values = new EnumMap<>(counters.values());
        for (DiskCounter flush : List.of(DiskCounter.FLUSHES, DiskCounter.FLUSH_MS)) {
            values.remove(flush);
            for (String disk : disks) {
                DiskCounters one = DiskCounters.parse(diskstats, disk);
                Long value = one == null ? null : one.get(flush);
                if (value != null) {
                    values.merge(flush, value, Long::sum);
                }
            }
        }
        return new DiskCounters(values);
    }
}
