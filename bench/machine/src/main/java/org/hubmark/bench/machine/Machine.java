package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.UUID;

/** Tells what machine this is, by what the kernel says of it. */
public final class Machine {
    private Machine() {}

    /** Looks. */
    public static Environment inspect(List<VolumeDisclosure> volumes) {
        return inspect(HostFiles.HERE, volumes);
    }

    static Environment inspect(HostFiles host, List<VolumeDisclosure> volumes) {
        int usable = Runtime.getRuntime().availableProcessors();
        int online = MachineCpu.of(host).coreTicks().size();
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
                        container(host)),
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
        UUID sum = UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits(sum.getLeastSignificantBits());
    }

    /** {@return the mean clock of the cores now, or null where the kernel doesn't say} */
    public static @Nullable Double clockMhz() {
        return clockMhz(HostFiles.HERE);
    }

    static @Nullable Double clockMhz(HostFiles host) {
        Collection<Double> clocks = CpuInfo.clocks(host).values();
        if (clocks.isEmpty()) {
            clocks = CycleSource.frequencies(
                            host, MachineCpu.of(host).coreTicks().keySet())
                    .values();
        }
        OptionalDouble mean = clocks.stream().mapToDouble(Double::doubleValue).average();
        return mean.isPresent() ? (Double) mean.getAsDouble() : null;
    }

    /** What those who make containers tell the processes in them, or leave in files; null when it is nothing. */
    private static @Nullable String container(HostFiles host) {
        if (System.getenv("KUBERNETES_SERVICE_HOST") != null) {
            return "kubernetes";
        }
        String told = System.getenv("container");
        if (told != null && !told.isEmpty()) {
            return told;
        }
        if (host.exists(".dockerenv")) {
            return "docker";
        }
        return host.exists("run/.containerenv") ? "podman" : null;
    }

    private static @Nullable String unquoted(@Nullable String text) {
        return text == null ? null : text.replace("\"", "");
    }
}
