package org.hubmark.bench.measure.watch;

import org.hubmark.bench.machine.BusyCycles;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.measure.hub.HubCounters;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A machine that Prometheus' node_exporter tells of (its version 1 and later). It knows machines and
 * devices, and no processes. One thread.
 */
public final class NodeExporter implements MachineSource {
    private static final String OPTION = "--target-node-exporter ";
    private static final String CPU = "node_cpu_seconds_total";
    private static final String TIME = "node_time_seconds";
    private static final String FREQUENCY = "node_cpu_scaling_frequency_hertz";
    /** Ticks of the kernel, of which the exporter makes seconds. */
    private static final double TICKS_PER_SECOND = 100;

    private final HttpText http;
    private final List<String> devices;
    private Map<String, Double> busySeconds = Map.of();
    private double megacycles;
    private double cycleTicks;

    private NodeExporter(HttpText http, List<String> devices) {
        this.http = http;
        this.devices = devices;
    }

    /**
     * Asks for the first time.
     *
     * @param url of its metrics
     * @param volume a folder on the device whose writes stand in the log columns; null for none
     * @throws UserError when it can't be reached, or is something else, or does not know the folder
     */
    public static WatchedMachine open(URI url, @Nullable String volume) {
        HttpText http = new HttpText(url, null);
        try {
            HubCounters metrics = ask(http);
            if (metrics.get(CPU) == null || metrics.get(TIME) == null) {
                throw UserError.failed(
                        OPTION + url + " is no node_exporter: it has no " + CPU + " or no " + TIME);
            }
            List<Volume> volumes = volume == null ? List.of() : List.of(volume(metrics, volume));
            boolean clock = metrics.get(FREQUENCY) != null;
            return WatchedMachine.of(
                    new NodeExporter(
                            http,
                            volumes.stream()
                                    .map(Volume::device)
                                    .flatMap(Stream::ofNullable)
                                    .toList()),
                    new WatchedMachine.About(
                            "node_exporter",
                            url.toString(),
                            false,
                            machine(metrics, volumes),
                            clock
                                    ? "CPU time x the clock of the busy cores, sampled once a second"
                                            + " by node_exporter"
                                    : null,
                            0));
        } catch (IOException | IllegalArgumentException e) {
            String reason = e instanceof IOException io
                    ? FileErrors.reason(io)
                    : String.valueOf(e.getMessage());
            throw UserError.failed(OPTION + url + " can't be read (" + reason + ")");
        }
    }

    private static HubCounters ask(HttpText http) throws IOException {
        HttpText.Answer answer = http.get();
        if (answer.status() != 200) {
            throw new IOException("it answers " + answer.status());
        }
        return HubCounters.parse(answer.body());
    }

    private static Environment machine(HubCounters metrics, List<Volume> volumes) {
        Double memory = metrics.get("node_memory_MemTotal_bytes");
        return new Environment(
                label(metrics, "node_cpu_info", "model_name"),
                cores(metrics).size(),
                null,
                null,
                null,
                memory == null ? null : (Long) Math.round(memory),
                label(metrics, "node_os_info", "pretty_name"),
                label(metrics, "node_uname_info", "release"),
                null,
                null,
                volumes,
                null);
    }

    /** The file system whose mount point is the longest of those above the folder. */
    private static Volume volume(HubCounters metrics, String folder) {
        Path path = Path.of(folder);
        String best = null;
        int depth = -1;
        for (String sample : metrics.labelled("node_filesystem_size_bytes")) {
            Path point = Path.of(String.valueOf(label(sample, "mountpoint")));
            if (path.startsWith(point) && point.getNameCount() > depth) {
                best = sample;
                depth = point.getNameCount();
            }
        }
        String source = best == null ? null : label(best, "device");
        String device = source == null ? null : String.valueOf(Path.of(source).getFileName());
        if (best == null
                || device == null
                || metrics.get("node_disk_writes_completed_total{device=\"" + device + "\"}")
                        == null) {
            throw UserError.usage("--target-volume " + folder
                    + " lies on no device whose writes that node_exporter counts");
        }
        return new Volume(
                "log",
                folder,
                device,
                label(best, "fstype"),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** {@return the value of a label of the first sample of that name; null when there is none} */
    private static @Nullable String label(HubCounters metrics, String name, String label) {
        List<String> samples = metrics.labelled(name);
        return samples.isEmpty() ? null : label(samples.getFirst(), label);
    }

    private static @Nullable String label(String sample, String label) {
        int start =
                Math.max(sample.indexOf("{" + label + "=\""), sample.indexOf("," + label + "=\""));
        if (start < 0) {
            return null;
        }
        int from = start + label.length() + 3;
        return sample.substring(from, sample.indexOf('"', from));
    }

    private static Set<String> cores(HubCounters metrics) {
        Set<String> cores = new HashSet<>();
        for (String sample : metrics.labelled(CPU)) {
            cores.add(String.valueOf(label(sample, "cpu")));
        }
        return cores;
    }

    @Override
    public MachineReading read() throws IOException {
        HubCounters metrics = ask(http);
        Double time = metrics.get(TIME);
        if (time == null || metrics.get(CPU) == null) {
            throw new IOException("it has no " + CPU + " or no " + TIME);
        }
        Map<String, DiskCounters> disks = new HashMap<>();
        for (String device : devices) {
            disks.put(device, disk(metrics, device));
        }
        Double own = metrics.get("process_cpu_seconds_total");
        long nanos = Math.round(time * 1e9);
        return new MachineReading(
                nanos,
                nanos / 1_000_000,
                cpu(metrics),
                cores(metrics).size(),
                null,
                Map.of(),
                null,
                cycles(metrics),
                disks,
                null,
                null,
                own == null ? null : (Long) Math.round(own * 1e9));
    }

    /** Guest time is contained in user time, as the kernel has it. */
    private static MachineCpu cpu(HubCounters metrics) {
        double total = 0;
        double idle = 0;
        double steal = 0;
        double interrupts = 0;
        for (String sample : metrics.labelled(CPU)) {
            double seconds = value(metrics, sample);
            total += seconds;
            switch (String.valueOf(label(sample, "mode"))) {
                case "idle", "iowait" -> idle += seconds;
                case "steal" -> steal += seconds;
                case "irq", "softirq" -> interrupts += seconds;
                default -> {
                    // Busy all the same.
                }
            }
        }
        Map<Integer, Long> cores = new HashMap<>();
        busySeconds(metrics)
                .forEach((core, seconds) -> cores.put(Integer.valueOf(core), ticks(seconds)));
        return new MachineCpu(
                ticks(total - idle), ticks(total), ticks(steal), ticks(interrupts), cores);
    }

    private static DiskCounters disk(HubCounters metrics, String device) {
        Double flushes = metrics.get(disk("flush_requests_total", device));
        Double flushTime = metrics.get(disk("flush_requests_time_seconds_total", device));
        return new DiskCounters(
                Math.round(value(metrics, disk("reads_completed_total", device))),
                Math.round(value(metrics, disk("read_bytes_total", device))),
                Math.round(1e3 * value(metrics, disk("read_time_seconds_total", device))),
                Math.round(value(metrics, disk("writes_completed_total", device))),
                Math.round(value(metrics, disk("written_bytes_total", device))),
                Math.round(1e3 * value(metrics, disk("write_time_seconds_total", device))),
                Math.round(1e3 * value(metrics, disk("io_time_seconds_total", device))),
                Math.round(1e3 * value(metrics, disk("io_time_weighted_seconds_total", device))),
                flushes == null ? null : (Long) Math.round(flushes),
                flushTime == null ? null : (Long) Math.round(1e3 * flushTime));
    }

    private static String disk(String name, String device) {
        return "node_disk_" + name + "{device=\"" + device + "\"}";
    }

    /** As of this machine: each core's clock counts for as long as it was busy since the last look. */
    private @Nullable BusyCycles cycles(HubCounters metrics) {
        Map<String, Double> now = busySeconds(metrics);
        boolean known = false;
        for (Map.Entry<String, Double> core : now.entrySet()) {
            Double hertz = metrics.get(FREQUENCY + "{cpu=\"" + core.getKey() + "\"}");
            known |= hertz != null;
            double seconds =
                    core.getValue() - busySeconds.getOrDefault(core.getKey(), core.getValue());
            if (hertz != null && seconds > 0) {
                megacycles += hertz / 1e6 * seconds;
                cycleTicks += seconds * TICKS_PER_SECOND;
            }
        }
        busySeconds = now;
        return known ? new BusyCycles(megacycles, cycleTicks) : null;
    }

    /** {@return busy time of each core by its number, without what a hypervisor took} */
    private static Map<String, Double> busySeconds(HubCounters metrics) {
        Map<String, Double> cores = new HashMap<>();
        for (String sample : metrics.labelled(CPU)) {
            String mode = String.valueOf(label(sample, "mode"));
            if (!mode.equals("idle") && !mode.equals("iowait") && !mode.equals("steal")) {
                cores.merge(
                        String.valueOf(label(sample, "cpu")), value(metrics, sample), Double::sum);
            }
        }
        return cores;
    }

    private static double value(HubCounters metrics, String sample) {
        Double value = metrics.get(sample);
        return value == null ? 0 : value;
    }

    private static long ticks(double seconds) {
        return Math.round(seconds * TICKS_PER_SECOND);
    }
}
