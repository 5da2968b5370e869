package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
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
            return "ARM core " + maker + "/" + part;
        }
        String machine = host.value(FILE, "machine", ":");
        String vendor = host.value(FILE, "vendor_id", ":");
        return machine == null ? null : (vendor == null ? "" : vendor) + " " + machine;
    }
}
