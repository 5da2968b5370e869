package org.hubmark.bench.users;

import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.users.result.Resources;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What this machine spends between two moments, on the server that runs on it and on the driver. Of a
 * server elsewhere it knows nothing, and tells of the driver alone. One thread.
 */
final class ResourceMeter {
    private static final long OWN_ID = ProcessHandle.current().pid();
    private static final double KB_PER_MB = 1024;
    private static final double PERCENT = 100;
    /** Fields of a line of /proc/net/dev, behind the name. */
    private static final int RECEIVED = 0;

    private static final int SENT = 8;

    private final boolean here;
    private final List<Long> servers;
    private final Map<String, List<String>> devices;
    private @Nullable Reading from;

    /** Counters of one moment. */
    private record Reading(
            long nanos,
            MachineCpu cpu,
            @Nullable Long serverNanos,
            long driverNanos,
            @Nullable Double availableMb,
            long pages,
            long receivedBytes,
            long sentBytes,
            Map<String, DiskCounters> disks) {}

    /**
     * Prepares.
     *
     * @param here whether the server is on this machine
     * @param servers its process ids, where they are known
     * @param devices whose counters count, with what they hold
     */
    ResourceMeter(boolean here, List<Long> servers, Map<String, List<String>> devices) {
        this.here = here;
        this.servers = List.copyOf(servers);
        this.devices = Map.copyOf(devices);
    }

    /** What counts begins now. */
    void begin() {
        from = read();
    }

    private Reading read() {
        Map<String, DiskCounters> disks = new HashMap<>();
        for (String device : devices.keySet()) {
            DiskCounters counters = DiskCounters.of(HostFiles.HERE, device);
            if (counters != null) {
                disks.put(device, counters);
            }
        }
        Long own = ProcessCpu.nanos(OWN_ID);
        return new Reading(
                System.nanoTime(),
                MachineCpu.of(HostFiles.HERE),
                serverNanos(),
                own == null ? 0 : own,
                megabytes("proc/meminfo", "MemAvailable"),
                pages("pgmajfault") + pages("pswpout"),
                network(RECEIVED),
                network(SENT),
                disks);
    }

    private @Nullable Long serverNanos() {
        long sum = 0;
        for (long server : servers) {
            Long nanos = ProcessCpu.nanos(server);
            if (nanos == null) {
                return null;
            }
            sum += nanos;
        }
        return servers.isEmpty() ? null : (Long) sum;
    }

    private static long pages(String name) {
        String value = HostFiles.HERE.value("proc/vmstat", name, " ");
        return value == null ? 0 : Long.parseLong(value);
    }

    /** All interfaces: of a server on this machine, loopback above all. */
    private static long network(int field) {
        long bytes = 0;
        for (String line : HostFiles.HERE.text("proc/net/dev").lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String[] fields = line.substring(colon + 1).strip().split("\\s+", -1);
                bytes += Long.parseLong(fields[field]);
            }
        }
        return bytes;
    }

    private static @Nullable Double megabytes(String file, String name) {
        String text = HostFiles.HERE.value(file, name, ":");
        return text == null ? null : Long.parseLong(text.replace(" kB", "")) / KB_PER_MB;
    }

    /** {@return what was spent since the begin; null without one} */
    @Nullable
    Resources end() {
        Reading begin = from;
        if (begin == null) {
            return null;
        }
        Reading now = read();
        double seconds = (now.nanos() - begin.nanos()) / 1e9;
        double ticks = now.cpu().totalTicks() - begin.cpu().totalTicks();
        double coreNanos = ticks * ProcessCpu.TICK_NANOS;
        double driver = now.driverNanos() - begin.driverNanos();
        double busy = (now.cpu().busyTicks() - begin.cpu().busyTicks()) * ProcessCpu.TICK_NANOS;
        boolean counted = coreNanos > 0;
        Long before = begin.serverNanos();
        Long after = now.serverNanos();
        return new Resources(
                here ? "this machine" : "this machine, which has the driver alone",
                here && counted
                        ? (Double) (PERCENT * Math.max(0, busy - driver) / coreNanos)
                        : null,
                before != null && after != null && counted
                        ? (Double) (PERCENT * (after - before) / coreNanos)
                        : null,
                here ? now.availableMb() : null,
                here ? (Double) ((now.pages() - begin.pages()) / seconds) : null,
                here ? (Double) ((now.receivedBytes() - begin.receivedBytes()) / seconds) : null,
                here ? (Double) ((now.sentBytes() - begin.sentBytes()) / seconds) : null,
                counted ? (Double) (PERCENT * driver / coreNanos) : null,
                megabytes("proc/self/status", "VmRSS"),
                devices.keySet().stream()
                        .sorted()
                        .map(device -> disk(device, begin, now, seconds))
                        .toList());
    }

    private Resources.Disk disk(String device, Reading begin, Reading now, double seconds) {
        List<String> roles = devices.getOrDefault(device, List.of());
        DiskCounters from = begin.disks().get(device);
        DiskCounters to = now.disks().get(device);
        if (from == null || to == null) {
            return new Resources.Disk(device, roles, null, null, null, null, null, null);
        }
        double millis = seconds * 1e3;
        return new Resources.Disk(
                device,
                roles,
                (to.weightedMillis() - from.weightedMillis()) / millis,
                (to.reads() - from.reads()) / seconds,
                (to.writes() - from.writes()) / seconds,
                (to.readBytes() - from.readBytes()) / seconds,
                (to.writtenBytes() - from.writtenBytes()) / seconds,
                PERCENT * (to.busyMillis() - from.busyMillis()) / millis);
    }
}
