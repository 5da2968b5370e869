package org.hubmark.bench.machine;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Tells what machine this is, by what the kernel says of it. */
public final class Machine {
    private static final int ID_BYTES = 8;

    private Machine() {}

    /** Looks. */
    public static Environment inspect(List<VolumeDisclosure> volumes) {
        return inspect(HostFiles.HERE, volumes);
    }

    static Environment inspect(HostFiles host, List<VolumeDisclosure> volumes) {
        int usable = Runtime.getRuntime().availableProcessors();
        String container = containerBySettings();
        int online = MachineCpu.cores(host.text("proc/stat"));
        Map<Integer, Double> clocks = CpuInfo.clocks(host);
        Double clock = clockMhz(host);
        return new Environment(
                new Environment.Processor(
                        CpuInfo.model(host),
                        online == 0 ? usable : online,
                        usable,
                        clock,
                        clock == null
                                ? null
                                : (clocks.isEmpty() ? "cpufreq" : "/proc/cpuinfo")
                                        + ", mean of the cores at the start"),
                host.bytes("proc/meminfo", "MemTotal"),
                new Environment.Software(
                        unquoted(host.value("etc/os-release", "PRETTY_NAME", "=")),
                        host.line("proc/sys/kernel/osrelease"),
                        System.getProperty("java.vm.vendor") + " " + Runtime.version(),
                        container == null ? containerByFiles(host) : container),
                volumes,
                null);
    }

    /** {@return what tells this machine from others, and nobody which one it is: 16 hexadecimal digits} */
    public static String id() {
        return id(HostFiles.HERE);
    }

    static String id(HostFiles host) {
        String own = host.line("etc/machine-id");
        // Machines made of one image may have one identity; a container has a host name of its own.
        String all = own + " " + host.line("proc/sys/kernel/hostname") + " " + CpuInfo.model(host);
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256")
                    .digest(all.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** {@return the mean clock of the cores now, or null where the kernel doesn't say} */
    public static @Nullable Double clockMhz() {
        return clockMhz(HostFiles.HERE);
    }

    static @Nullable Double clockMhz(HostFiles host) {
        Collection<Double> clocks = CpuInfo.clocks(host).values();
        if (clocks.isEmpty()) {
            clocks =
                    CycleSource.frequencies(host, CoreTicks.busy(host).keySet()).values();
        }
        OptionalDouble mean = clocks.stream().mapToDouble(Double::doubleValue).average();
        return mean.isPresent() ? (Double) mean.getAsDouble() : null;
    }

    /** What those who make containers tell the processes in them; null when it is nothing. */
    private static @Nullable String containerBySettings() {
        if (System.getenv("KUBERNETES_SERVICE_HOST") != null) {
            return "kubernetes";
        }
        String first = System.getenv("container");
        return first == null || first.isEmpty() ? null : first;
    }

    /** What they leave in files; null when there is none of them. */
    private static @Nullable String containerByFiles(HostFiles host) {
        if (host.exists(".dockerenv")) {
            return "docker";
        }
        if (host.exists("run/.containerenv")) {
            return "podman";
        }
        String groups = host.text("proc/1/cgroup");
        for (String kind : List.of("docker", "lxc", "kubepods", "containerd")) {
            if (groups.contains(kind)) {
                return kind;
            }
        }
        return null;
    }

    private static @Nullable String unquoted(@Nullable String text) {
        return text == null ? null : text.replace("\"", "");
    }
}
