package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What decides how fast the cores are. What the kernel doesn't say is null.
 *
 * @param hypervisor that this machine runs under, or none
 * @param microcode revision
 * @param mitigations of hardware vulnerabilities, by name, as the kernel says
 * @param smt whether two threads share a core: on, off, notsupported, ...
 * @param governor of the clock; several where cores differ
 * @param scalingDriver that sets the clock
 * @param boost whether the clock may go above the nominal one
 * @param numaNodes cores of each, by number
 * @param isolatedCores that the scheduler leaves alone
 */
public record ProcessorSettings(
        @Nullable String hypervisor,
        @Nullable String microcode,
        Map<String, String> mitigations,
        @Nullable String smt,
        @Nullable String governor,
        @Nullable String scalingDriver,
        @Nullable Boolean boost,
        Map<String, String> numaNodes,
        @Nullable String isolatedCores) {
    private static final String CPU = "sys/devices/system/cpu/";
    private static final String NODE = "sys/devices/system/node/";

    /** Whose firmware says that a machine is virtual, but for what Amazon calls metal. */
    private static final Set<String> VIRTUAL_MAKERS =
            Set.of("Amazon EC2", "Google", "KVM", "QEMU", "VMware, Inc.", "Xen");

    private static final String VULNERABILITIES = CPU + "vulnerabilities";

    /** Copies the maps; their order is that of the names. */
    public ProcessorSettings {
        mitigations = ordered(mitigations);
        numaNodes = ordered(numaNodes);
    }

    private static Map<String, String> ordered(Map<String, String> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }

    static ProcessorSettings of(HostFiles host) {
        Map<String, String> mitigations = new TreeMap<>();
        for (String name : host.names(VULNERABILITIES, "*")) {
            String said = host.line(VULNERABILITIES + "/" + name);
            if (said != null) {
                mitigations.put(name, said);
            }
        }
        Map<String, String> nodes = new TreeMap<>();
        for (String name : host.names(NODE, "node[0-9]*")) {
            String cores = host.line(NODE + name + "/cpulist");
            nodes.put(name.substring("node".length()), cores == null ? "none" : cores);
        }
        return new ProcessorSettings(
                hypervisor(host),
                host.value("proc/cpuinfo", "microcode", ":"),
                mitigations,
                host.line(CPU + "smt/control"),
                governor(host),
                host.line(CPU + "cpu0/cpufreq/scaling_driver"),
                boost(host),
                nodes,
                host.line(CPU + "isolated"));
    }

    /**
     * An x86 machine has a flag for it; who it is only firmware and Xen tell. On others z/Architecture tells
     * by its system information, ARM by the device tree or its firmware, whose maker may make both.
     */
    private static @Nullable String hypervisor(HostFiles host) {
        String flags = host.value("proc/cpuinfo", "flags", ":");
        if (flags != null && !(" " + flags + " ").contains(" hypervisor ")) {
            return "none";
        }
        String type = host.line("sys/hypervisor/type");
        String program = host.value("proc/sysinfo", "VM00 Control Program", ":");
        if (program != null) {
            return program;
        }
        String maker = host.line("sys/class/dmi/id/sys_vendor");
        String product = host.line("sys/class/dmi/id/product_name");
        if (flags == null && type != null) {
            return type;
        }
        if (flags == null) {
            String tree = host.text("proc/device-tree/hypervisor/compatible").replace("\0", "");
            boolean isVirtual = maker != null
                    && product != null
                    && VIRTUAL_MAKERS.contains(maker)
                    && !product.endsWith(".metal");
            return isVirtual ? maker + " " + product : tree.isEmpty() ? null : tree;
        }
        if (type == null && maker == null && product == null) {
            return "a processor without a name";
        }
        String firmware = ((maker == null ? "" : maker) + " " + (product == null ? "" : product));
        return ((type == null ? "" : type + " ") + firmware).strip();
    }

    private static @Nullable String governor(HostFiles host) {
        TreeSet<String> governors = new TreeSet<>();
        for (String core : host.names(CPU, "cpu[0-9]*")) {
            String governor = host.line(CPU + core + "/cpufreq/scaling_governor");
            if (governor != null) {
                governors.add(governor);
            }
        }
        return governors.isEmpty() ? null : String.join(", ", governors);
    }

    private static @Nullable Boolean boost(HostFiles host) {
        Long allowed = host.number(CPU + "cpufreq/boost");
        Long forbidden = host.number(CPU + "intel_pstate/no_turbo");
        if (allowed != null) {
            return allowed != 0;
        }
        return forbidden == null ? null : (Boolean) (forbidden == 0);
    }
}
