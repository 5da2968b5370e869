package org.hubmark.bench.qualify;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The phases of a test, in the order in which they run. */
public enum Phase {
    PERFORMANCE,
    STRESS,
    BACKUP,
    RECOVERY,
    CHECKSUM;

    /** {@return its name on the command line and in files} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the phase of that name}
     *
     * @throws IllegalArgumentException naming those that there are
     */
    public static Phase named(String label) {
        return Arrays.stream(values())
                .filter(phase -> phase.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + label + "' is not a phase ("
                        + Arrays.stream(values())
                                .map(Phase::label)
                                .collect(Collectors.joining(", "))
                        + ")"));
    }
}
