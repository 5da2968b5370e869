package org.hubmark.bench.machine;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.hub.volumes.BlockDevice;
import org.hubmark.hub.volumes.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Errors that a machine has reported until one moment: the kernel's log, the counters of disks, arrays and
 * memory, and what disks say of themselves (SMART, the health log of NVMe). Two moments have what came
 * between them. What can't be read is not there. Immutable.
 */
public final class ReportedErrors {
    /** Source of the lines of the kernel. */
    public static final String KERNEL_LOG = "kernel log";

    /** The kernel's levels: 3 is an error, 4 a warning. */
    private static final int ERROR_LEVEL = 3;

    private static final int WARNING_LEVEL = 4;
    private static final int LEVELS = 8;
    private static final int HEXADECIMAL = 16;

    /** Of {@code dmesg -r}: level, seconds since the start, text. */
    private static final Pattern LINE = Pattern.compile("<(\\d+)>\\[ *(\\d+\\.\\d+)\\] (.*)");

    private static final Pattern BAD =
            Pattern.compile("(?i)error|fail|time-?out|timed out|reset|corrupt|offline");

    /** Of {@code smartctl -j -A}: sectors that are lost, or about to be (5, 187, 197, 198), and bad transfers (199). */
    private static final Map<String, Pattern> SMART = Map.of(
            "SMART 5", attribute(5),
            "SMART 187", attribute(187),
            "SMART 197", attribute(197),
            "SMART 198", attribute(198),
            "SMART 199", attribute(199),
            "NVMe media_errors", Pattern.compile("\"media_errors\"\\s*:\\s*(\\d+)"),
            "NVMe critical_warning", Pattern.compile("\"critical_warning\"\\s*:\\s*(\\d+)"));

    private final @Nullable List<Line> log;
    private final Set<String> devices;
    private final Map<String, Long> counters;

    private record Line(int level, double seconds, String text) {}

    /**
     * Errors from one source.
     *
     * @param lines of the kernel; none for a counter
     */
    public record Found(String source, long count, List<String> lines) {
        /** Copies. */
        public Found {
            lines = List.copyOf(lines);
        }
    }

    private ReportedErrors(
            @Nullable List<Line> log, Set<String> devices, Map<String, Long> counters) {
        this.log = log;
        this.devices = devices;
        this.counters = counters;
    }

    private static Pattern attribute(int id) {
        return Pattern.compile(
                "\"id\"\\s*:\\s*" + id + ",.*?\"raw\"\\s*:\\s*\\{\\s*\"value\"\\s*:\\s*(\\d+)",
                Pattern.DOTALL);
    }

    /** {@return what there is now} The disks are those below some folders. */
    public static ReportedErrors look(Collection<Path> folders) throws IOException {
        Set<String> devices = new TreeSet<>();
        for (Path folder : folders) {
            VolumeStack stack = VolumeStack.of(folder);
            stack.devices().stream().map(BlockDevice::name).forEach(devices::add);
            stack.disks().stream().map(BlockDevice::name).forEach(devices::add);
            for (VolumeStack.Layer layer : stack.layers()) {
                devices.add(layer.device().name());
            }
        }
        return look(HostFiles.HERE, devices, ReportedErrors::run);
    }

    /** {@return the output of a command, whatever it exits with; null where it isn't there or may not look} */
    private static @Nullable String run(List<String> command) {
        try {
            return SystemTool.exists(command.getFirst())
                    ? SystemTool.run(
                            List.of("sh", "-c", String.join(" ", command) + " 2>/dev/null || true"))
                    : null;
        } catch (IOException e) {
            return null;
        }
    }

    static ReportedErrors look(
            HostFiles host,
            Collection<String> devices,
            Function<List<String>, @Nullable String> tool) {
        Map<String, Long> counters = new TreeMap<>();
        for (String device : devices) {
            for (String name : List.of("ioerr_cnt", "iotmo_cnt")) {
                put(counters, device + " " + name, count(host, disk(device) + "device/" + name));
            }
            put(
                    counters,
                    device + " ext4 errors_count",
                    count(host, "sys/fs/ext4/" + device + "/errors_count"));
            sum(host, counters, device + " md errors", disk(device) + "md/", "dev-*", "errors");
            String smart = host.exists(disk(device) + "size")
                    ? tool.apply(List.of("smartctl", "-j", "-A", "/dev/" + device))
                    : null;
            SMART.forEach((name, pattern) -> {
                Matcher found = pattern.matcher(smart == null ? "" : smart);
                put(
                        counters,
                        device + " " + name,
                        found.find() ? Long.valueOf(found.group(1)) : null);
            });
        }
        for (String name : List.of("ce_count", "ue_count")) {
            sum(host, counters, "memory " + name, "sys/devices/system/edac/mc/", "mc*", name);
        }
        return new ReportedErrors(
                lines(tool.apply(List.of("dmesg", "-r"))), new TreeSet<>(devices), counters);
    }

    private static String disk(String device) {
        return "sys/class/block/" + device + "/";
    }

    private static void sum(
            HostFiles host,
            Map<String, Long> counters,
            String source,
            String folder,
            String parts,
            String file) {
        Long sum = null;
        for (String part : host.names(folder, parts)) {
            Long one = count(host, folder + part + "/" + file);
            sum = one == null ? sum : (Long) (one + (sum == null ? 0 : sum));
        }
        put(counters, source, sum);
    }

    private static void put(Map<String, Long> counters, String source, @Nullable Long count) {
        if (count != null) {
            counters.put(source, count);
        }
    }

    /** {@return the number in a file, which may be hexadecimal; null where there is none} */
    private static @Nullable Long count(HostFiles host, String file) {
        String line = host.line(file);
        return line != null && line.matches("0x[0-9a-f]{1,15}")
                ? Long.valueOf(line.substring(2), HEXADECIMAL)
                : host.number(file);
    }

    /** {@return the lines of the kernel's log; null where it may not be read, which is never empty} */
    private static @Nullable List<Line> lines(@Nullable String dmesg) {
        List<Line> lines = new ArrayList<>();
        for (String line : (dmesg == null ? "" : dmesg).lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                lines.add(new Line(
                        Integer.parseInt(matcher.group(1)) % LEVELS,
                        Double.parseDouble(matcher.group(2)),
                        matcher.group(3)));
            }
        }
        return lines.isEmpty() ? null : lines;
    }

    /** {@return what has come since an earlier moment, of each source that was read at both} */
    public List<Found> since(ReportedErrors earlier) {
        List<Found> all = new ArrayList<>();
        if (log != null && earlier.log != null) {
            double from = earlier.log.getLast().seconds;
            List<String> bad = log.stream()
                    .filter(line -> line.seconds > from && isBad(line))
                    .map(Line::text)
                    .toList();
            all.add(new Found(KERNEL_LOG, bad.size(), bad));
        }
        counters.forEach((source, count) -> {
            Long before = earlier.counters.get(source);
            if (before != null) {
                all.add(new Found(source, Math.max(0, count - before), List.of()));
            }
        });
        return all;
    }

    /** {@return whether it is an error, or a warning of one of the devices that tells of one} */
    private boolean isBad(Line line) {
        return line.level <= ERROR_LEVEL
                || (line.level == WARNING_LEVEL
                        && BAD.matcher(line.text).find()
                        && devices.stream()
                                .anyMatch(device -> line.text.matches(
                                        ".*\\b" + Pattern.quote(device) + "\\b.*")));
    }
}
