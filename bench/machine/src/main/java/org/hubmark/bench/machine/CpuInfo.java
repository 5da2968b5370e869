package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * What /proc/cpuinfo says, which has another form on each architecture: x86 has {@code processor} and
 * {@code cpu MHz} of each core, POWER {@code clock}, z/Architecture {@code cpu number} and {@code cpu MHz
 * dynamic}, ARM no clock at all and numbers in place of a name.
 */
final class CpuInfo {
    private static final String FILE = "proc/cpuinfo";

    /** ARM's numbers of its makers and of the cores that servers have (MIDR_EL1). */
    private static final Map<String, String> ARM_CORES = Map.ofEntries(
            Map.entry("0x41/0xd08", "ARM Cortex-A72"),
            Map.entry("0x41/0xd0c", "ARM Neoverse N1"),
            Map.entry("0x41/0xd40", "ARM Neoverse V1"),
            Map.entry("0x41/0xd49", "ARM Neoverse N2"),
            Map.entry("0x41/0xd4f", "ARM Neoverse V2"),
            Map.entry("0x41/0xd83", "ARM Neoverse V3AE"),
            Map.entry("0x41/0xd84", "ARM Neoverse V3"),
            Map.entry("0x41/0xd8e", "ARM Neoverse N3"),
            Map.entry("0xc0/0xac3", "Ampere-1"),
            Map.entry("0xc0/0xac4", "Ampere-1a"),
            Map.entry("0x48/0xd01", "HiSilicon TaiShan v110"));

    private CpuInfo() {}

    /** {@return MHz of each core by its number; none where the file doesn't say} */
    static Map<Integer, Double> clocks(HostFiles host) {
        Map<Integer, Double> clocks = new HashMap<>();
        int core = 0;
        for (String line : host.text(FILE).lines().toList()) {
            int colon = line.indexOf(':');
            String name = colon < 0 ? "" : line.substring(0, colon).strip();
            String value = line.substring(colon + 1).strip();
            switch (name) {
                case "processor", "cpu number" -> {
                    if (value.matches("\\d{1,6}")) {
                        core = Integer.parseInt(value);
                    }
                }
                case "cpu MHz", "cpu MHz dynamic", "clock" -> {
                    String number = value.replaceFirst("MHz$", "");
                    if (number.matches("\\d{1,9}(\\.\\d{1,9})?")) {
                        clocks.put(core, Double.valueOf(number));
                    }
                }
                default -> {
                    // Not of the clock.
                }
            }
        }
        return clocks;
    }

    /** {@return what processors these are; null where neither names nor numbers say it} */
    static @Nullable String model(HostFiles host) {
        for (String name : new String[] {"model name", "cpu"}) {
            String model = host.value(FILE, name, ":");
            if (model != null) {
                return model;
            }
        }
        String maker = host.value(FILE, "CPU implementer", ":");
        String part = host.value(FILE, "CPU part", ":");
        if (maker != null && part != null) {
            String numbers = maker + "/" + part;
            return ARM_CORES.getOrDefault(numbers, "ARM core " + numbers);
        }
        String machine = host.value(FILE, "machine", ":");
        String vendor = host.value(FILE, "vendor_id", ":");
        return machine == null ? null : (vendor == null ? "" : vendor) + " " + machine;
    }
}
