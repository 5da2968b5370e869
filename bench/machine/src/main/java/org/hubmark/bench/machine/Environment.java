package org.hubmark.bench.machine;

import org.hubmark.bench.machine.volumes.Volume;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The machine that the driver ran on, which is the server's too unless a target was given.
 *
 * @param cpuModel as the kernel names it
 * @param logicalCores that this process may use
 * @param cpuClockMhz the mean of the cores' clocks at the start
 * @param cpuClockSource where the clock comes from
 * @param memoryBytes of the machine
 * @param os name and version of the distribution
 * @param kernel release
 * @param jdk vendor and version
 * @param container what kind of container this runs in, or null for none that is known
 * @param volumes of our own hub; empty with a target
 */
public record Environment(
        @Nullable String cpuModel,
        int logicalCores,
        @Nullable Double cpuClockMhz,
        @Nullable String cpuClockSource,
        @Nullable Long memoryBytes,
        @Nullable String os,
        @Nullable String kernel,
        String jdk,
        @Nullable String container,
        List<Volume> volumes) {
    /** Copies the list. */
    public Environment {
        volumes = List.copyOf(volumes);
    }

    /** {@return the same with other volumes} */
    public Environment with(List<Volume> others) {
        return new Environment(
                cpuModel,
                logicalCores,
                cpuClockMhz,
                cpuClockSource,
                memoryBytes,
                os,
                kernel,
                jdk,
                container,
                others);
    }
}
