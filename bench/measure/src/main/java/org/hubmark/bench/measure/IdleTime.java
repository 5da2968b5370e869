package org.hubmark.bench.measure;

import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.DiskReader;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.measure.hub.HubCounters;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Publication;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what a machine does while our hub is started and has nothing to do: that is there under a
 * load too, and is not the load's.
 */
public final class IdleTime {
    private static final List<String> HUB_WRITES = List.of(
            "hubmark_log_writes_total", "hubmark_log_syncs_total", "hubmark_queue_writes_total");

    private IdleTime() {}

    /**
     * Waits until the hub has come to rest, and then for the time that is measured. Blocks.
     *
     * @param scenario whose hub it is
     * @param work that has connected, and does nothing
     */
    public static Publication.Idle measure(
            String scenario,
            Workload work,
            Instruments instruments,
            List<VolumeDisclosure> volumes,
            int logicalCores,
            Duration time)
            throws IOException, InterruptedException {
        Rest rest = Rest.await(work, instruments);
        List<Counted> devices = devices(volumes);
        DiskReader reader = new DiskReader(devices.stream().map(Counted::device).toList());
        Map<String, DiskCounters> before = reader.read();
        Snapshot from = instruments.read(work);
        instruments.time().sleep(time);
        Snapshot to = instruments.read(work);
        Window window = new Window(from, to, logicalCores);
        return new Publication.Idle(
                scenario,
                window.seconds(),
                rest != null && rest.reached(),
                window.get(Figure.FOREIGN_CPU_PERCENT),
                window.get(Figure.STEAL_PERCENT),
                window.serverCpuPercent(),
                hubWrites(from.hub(), to.hub()),
                grown(devices, before, reader.read()),
                List.of());
    }

    /** A device that the kernel counts writes of, with the volumes on it. */
    private record Counted(String device, List<String> roles) {}

    private static List<Counted> devices(List<VolumeDisclosure> volumes) {
        Map<String, Counted> devices = new LinkedHashMap<>();
        for (VolumeDisclosure volume : volumes) {
            String device = volume.device();
            if (device != null && !Boolean.FALSE.equals(volume.countsWrites())) {
                devices.computeIfAbsent(device, name -> new Counted(name, new ArrayList<>()))
                        .roles()
                        .add(volume.role());
            }
        }
        return List.copyOf(devices.values());
    }

    private static List<Publication.Device> grown(
            List<Counted> devices,
            Map<String, DiskCounters> before,
            Map<String, DiskCounters> after) {
        List<Publication.Device> grown = new ArrayList<>();
        for (Counted one : devices) {
            DiskCounters then = before.get(one.device());
            DiskCounters now = after.get(one.device());
            DiskCounters disk = then == null || now == null ? null : now.since(then);
            if (disk != null) {
                grown.add(new Publication.Device(
                        one.device(),
                        one.roles(),
                        disk.writes(),
                        disk.writtenBytes(),
                        disk.flushes() == null ? null : (Long) disk.flushes().count()));
            }
        }
        return grown;
    }

    private static @Nullable Double hubWrites(
            @Nullable HubCounters before, @Nullable HubCounters after) {
        if (before == null || after == null) {
            return null;
        }
        double sum = 0;
        for (String counter : HUB_WRITES) {
            Double grown = after.since(before, counter);
            sum += grown == null ? 0 : grown;
        }
        return sum;
    }
}
