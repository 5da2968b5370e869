package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * What /proc/cpuinfo says: x86 has {@code processor} and {@code cpu MHz} of each core, ARM no clock at all and
 * numbers in place of a name. Of other architectures nothing is told.
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
            if (name.equals("processor") && value.matches("\\d{1,6}")) {
                core = Integer.parseInt(value);
            } else if (name.equals("cpu MHz") && value.matches("\\d{1,9}(\\.\\d{1,9})?")) {
                clocks.put(core, Double.valueOf(value));
            }
        }
        return clocks;
    }

    /** {@return what processors these are; null where neither names nor numbers say it} */
    static @Nullable String model(HostFiles host) {
        String model = host.value(FILE, "model name", ":");
        String maker = host.value(FILE, "CPU implementer", ":");
        String part = host.value(FILE, "CPU part", ":");
        return model != null || maker == null || part == null
                ? model
                : "ARM core " + maker + "/" + part;
    }
}
