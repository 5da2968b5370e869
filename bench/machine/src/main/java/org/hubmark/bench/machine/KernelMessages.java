package org.hubmark.bench.machine;

import org.hubmark.bench.machine.devices.BlockDevice;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kernel's log until one moment. Two moments have the warnings and errors about some devices that came between
 * them; what they mean is read in {@code dmesg}. Immutable.
 *
 * @param lines never empty
 */
public record KernelMessages(List<Line> lines) {
    /** The kernel's levels: 3 is an error, 4 a warning. */
    private static final int WARNING_LEVEL = 4;

    private static final int LEVELS = 8;

    /** Of {@code dmesg -r}: level, seconds since the start, text. */
    private static final Pattern LINE = Pattern.compile("<(\\d+)>\\[ *(\\d+\\.\\d+)\\] (.*)");

    /** One message. */
    public record Line(int level, double seconds, String text) {}

    /** Copies. */
    public KernelMessages {
        lines = List.copyOf(lines);
    }

    /** {@return those that there are now; null where the log may not be read} */
    public static @Nullable KernelMessages look() {
        try {
            return SystemTool.exists("dmesg")
                    ? of(SystemTool.run(List.of("sh", "-c", "dmesg -r 2>/dev/null || true")))
                    : null;
        } catch (IOException e) {
            return null;
        }
    }

    static @Nullable KernelMessages of(String dmesg) {
        List<Line> lines = new ArrayList<>();
        for (String line : dmesg.lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                lines.add(new Line(
                        Integer.parseInt(matcher.group(1)) % LEVELS,
                        Double.parseDouble(matcher.group(2)),
                        matcher.group(3)));
            }
        }
        return lines.isEmpty() ? null : new KernelMessages(lines);
    }

    /** {@return the names of the devices below some folders} */
    public static Set<String> devices(Collection<Path> folders) throws IOException {
        Set<String> devices = new TreeSet<>();
        for (Path folder : folders) {
            VolumeStack stack = VolumeStack.of(folder);
            stack.devices().stream().map(BlockDevice::name).forEach(devices::add);
            stack.disks().stream().map(BlockDevice::name).forEach(devices::add);
            stack.layers().forEach(layer -> devices.add(layer.device().name()));
        }
        return devices;
    }

    /** {@return how many warnings and errors that name one of the devices have come since an earlier moment} */
    public long warnings(KernelMessages earlier, Collection<String> devices) {
        double from = earlier.lines.getLast().seconds;
        return lines.stream()
                .filter(line -> line.seconds > from && line.level <= WARNING_LEVEL)
                .filter(line -> devices.stream()
                        .anyMatch(device ->
                                line.text.matches(".*\\b" + Pattern.quote(device) + "\\b.*")))
                .count();
    }
}
