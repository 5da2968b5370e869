package org.hubmark.bench.measure;

import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.Growth;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.measure.hub.HubCounters;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Publication;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
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
            List<Volume> volumes,
            int logicalCores,
            Duration time)
            throws IOException, InterruptedException {
        Rest rest = Rest.await(work, instruments);
        List<Counted> devices = devices(volumes);
        List<Counts> before = counts(devices);
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
                grown(devices, before, counts(devices)));
    }

    /** A device that the kernel counts writes of, with the volumes on it. */
    private record Counted(String device, Path folder, List<String> roles) {}

    /** What it had done by then. */
    private record Counts(
            @Nullable DiskCounters disk, @Nullable Long flushes) {}

    private static List<Counted> devices(List<Volume> volumes) {
        Map<String, Counted> devices = new LinkedHashMap<>();
        for (Volume volume : volumes) {
            String device = volume.device();
            if (device != null && !Boolean.FALSE.equals(volume.countsWrites())) {
                devices.computeIfAbsent(
                                device,
                                name -> new Counted(
                                        name, Path.of(volume.path()), new ArrayList<>()))
                        .roles()
                        .add(volume.role());
            }
        }
        return List.copyOf(devices.values());
    }

    private static List<Counts> counts(List<Counted> devices) throws IOException {
        List<Counts> counts = new ArrayList<>();
        for (Counted one : devices) {
            counts.add(new Counts(
                    DiskCounters.of(HostFiles.HERE, one.device()), Volumes.flushes(one.folder())));
        }
        return counts;
    }

    private static List<Publication.Device> grown(
            List<Counted> devices, List<Counts> before, List<Counts> after) {
        List<Publication.Device> grown = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            Counts then = before.get(i);
            Counts now = after.get(i);
            DiskCounters disk = then.disk() == null || now.disk() == null
                    ? null
                    : now.disk().since(then.disk());
            if (disk != null) {
                grown.add(new Publication.Device(
                        devices.get(i).device(),
                        devices.get(i).roles(),
                        disk.writes(),
                        disk.writtenBytes(),
                        Growth.of(then.flushes(), now.flushes())));
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
