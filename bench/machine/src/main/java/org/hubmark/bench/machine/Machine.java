package org.hubmark.bench.machine;

import org.hubmark.bench.machine.volumes.Volume;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tells what machine this is, by what the kernel says of it. */
public final class Machine {
    private Machine() {}

    /** Looks. */
    public static Environment inspect(List<Volume> volumes) throws IOException {
        String cpuinfo = text("/proc/cpuinfo");
        Double clock = clockMhz(cpuinfo);
        String model = value(cpuinfo, "model name", ":");
        return new Environment(
                model,
                Runtime.getRuntime().availableProcessors(),
                clock,
                clock == null ? null : "/proc/cpuinfo, mean of the cores at the start",
                memoryBytes(text("/proc/meminfo")),
                unquoted(value(text("/etc/os-release"), "PRETTY_NAME", "=")),
                System.getProperty("os.version"),
                System.getProperty("java.vm.vendor") + " " + Runtime.version(),
                container(),
                volumes);
    }

    /** {@return the mean clock of the cores now, or null where the kernel doesn't say} */
    public static @Nullable Double clockMhz() {
        try {
            return clockMhz(text("/proc/cpuinfo"));
        } catch (IOException e) {
            return null;
        }
    }

    static @Nullable Double clockMhz(String cpuinfo) {
        double sum = 0;
        int cores = 0;
        for (String line : cpuinfo.lines().toList()) {
            if (line.startsWith("cpu MHz")) {
                sum += Double.parseDouble(line.substring(line.indexOf(':') + 1).trim());
                cores++;
            }
        }
        return cores == 0 ? null : sum / cores;
    }

    static @Nullable Long memoryBytes(String meminfo) {
        String total = value(meminfo, "MemTotal", ":");
        return total == null ? null : Long.parseLong(total.replace(" kB", "")) * 1024;
    }

    /** Files that the makers of containers leave; null when there is none of them. */
    private static @Nullable String container() throws IOException {
        if (Files.exists(Path.of("/.dockerenv"))) {
            return "docker";
        }
        if (Files.exists(Path.of("/run/.containerenv"))) {
            return "podman";
        }
        if (System.getenv("KUBERNETES_SERVICE_HOST") != null) {
            return "kubernetes";
        }
        String first = System.getenv("container");
        if (first != null && !first.isEmpty()) {
            return first;
        }
        String groups = text("/proc/1/cgroup");
        for (String kind : List.of("docker", "lxc", "kubepods", "containerd")) {
            if (groups.contains(kind)) {
                return kind;
            }
        }
        return null;
    }

    private static @Nullable String value(String text, String name, String separator) {
        for (String line : text.lines().toList()) {
            if (line.startsWith(name)) {
                return line.substring(line.indexOf(separator) + 1).trim();
            }
        }
        return null;
    }

    private static @Nullable String unquoted(@Nullable String text) {
        return text == null ? null : text.replace("\"", "");
    }

    private static String text(String file) throws IOException {
        Path path = Path.of(file);
        return Files.isReadable(path) ? Files.readString(path) : "";
    }
}
