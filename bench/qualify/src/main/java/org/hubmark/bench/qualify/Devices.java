package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.qualify.result.PhaseResult.DeviceFigures;
import org.hubmark.hub.volumes.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The devices under the volumes, and what the kernel counts of them. Two spellings of a folder, or two
 * folders of one file system, are one device. One thread.
 */
final class Devices {
    private final Map<String, Set<String>> roles = new TreeMap<>();
    private Map<String, DiskCounters> before = Map.of();
    private long beganNanos;

    Devices(List<Path> databaseVolumes, List<Path> logVolumes) throws IOException {
        for (Path volume : databaseVolumes) {
            add(volume, "database");
        }
        for (Path volume : logVolumes) {
            add(volume, "log");
        }
    }

    private void add(Path volume, String role) throws IOException {
        String device = VolumeStack.of(volume).deviceName();
        if (device != null) {
            roles.computeIfAbsent(device, unused -> new TreeSet<>()).add(role);
        }
    }

    /** What counts begins now. */
    void begin() {
        before = read();
        beganNanos = System.nanoTime();
    }

    private Map<String, DiskCounters> read() {
        Map<String, DiskCounters> all = new HashMap<>();
        for (String device : roles.keySet()) {
            DiskCounters counters = DiskCounters.of(HostFiles.HERE, device);
            if (counters != null) {
                all.put(device, counters);
            }
        }
        return all;
    }

    /** {@return what was done since the begin} */
    List<DeviceFigures> figures() {
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        Map<String, DiskCounters> now = read();
        List<DeviceFigures> figures = new ArrayList<>();
        roles.forEach((device, its) -> {
            DiskCounters from = before.get(device);
            DiskCounters to = now.get(device);
            figures.add(
                    from == null || to == null
                            ? new DeviceFigures(
                                    device,
                                    List.copyOf(its),
                                    null,
                                    null,
                                    null,
                                    null,
                                    null,
                                    null,
                                    null)
                            : figures(device, List.copyOf(its), from, to, seconds));
        });
        return figures;
    }

    private static DeviceFigures figures(
            String device, List<String> roles, DiskCounters from, DiskCounters to, double seconds) {
        double reads = to.reads() - from.reads();
        double writes = to.writes() - from.writes();
        return new DeviceFigures(
                device,
                roles,
                reads / seconds,
                writes / seconds,
                over(to.readMillis() - from.readMillis(), reads),
                to.timed() ? over(to.writeMillis() - from.writeMillis(), writes) : null,
                over(to.readBytes() - from.readBytes(), reads),
                over(to.writtenBytes() - from.writtenBytes(), writes),
                (to.busyMillis() - from.busyMillis()) / seconds / 10);
    }

    private static @Nullable Double over(long dividend, double divisor) {
        return divisor == 0 ? null : dividend / divisor;
    }
}
