package org.hubmark.bench.machine;

import org.hubmark.bench.machine.volumes.Volume;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A machine: the one that the driver ran on, which is the server's too unless a target was given, or
 * that of a target elsewhere.
 *
 * @param cpuModel as the kernel names it
 * @param logicalCores of the machine that are online, over which the kernel counts its CPU time
 * @param usableCores that this process may use, by affinity, cpuset and quota; null in earlier files
 * @param cpuClockMhz the mean of the cores' clocks at the start
 * @param cpuClockSource where the clock comes from
 * @param memoryBytes of the machine
 * @param os name and version of the distribution
 * @param kernel release
 * @param jdk vendor and version; null where nothing of ours runs on it
 * @param container what kind of container this runs in, or null for none that is known
 * @param volumes of our own hub, or as far as they are known of a target
 * @param disclosure what else one has to know to repeat what was measured; null in earlier files, and
 *     where nobody looked
 */
public record Environment(
        @Nullable String cpuModel,
        int logicalCores,
        @Nullable Integer usableCores,
        @Nullable Double cpuClockMhz,
        @Nullable String cpuClockSource,
        @Nullable Long memoryBytes,
        @Nullable String os,
        @Nullable String kernel,
        @Nullable String jdk,
        @Nullable String container,
        List<Volume> volumes,
        @Nullable Disclosure disclosure) {
    /** Copies the list. */
    public Environment {
        volumes = List.copyOf(volumes);
    }

    /** {@return the same with other volumes} */
    public Environment with(List<Volume> others) {
        return with(others, disclosure);
    }

    /** {@return the same with all that can be told of machine, JVMs and network} */
    public Environment with(Disclosure told) {
        return with(volumes, told);
    }

    private Environment with(List<Volume> others, @Nullable Disclosure told) {
        return new Environment(
                cpuModel,
                logicalCores,
                usableCores,
                cpuClockMhz,
                cpuClockSource,
                memoryBytes,
                os,
                kernel,
                jdk,
                container,
                others,
                told);
    }

    /** {@return what has to be known of the machine to read figures measured on it, in sentences} */
    public List<String> notes() {
        Integer usable = usableCores;
        return usable == null || usable == logicalCores
                ? List.of()
                : List.of("the driver and a hub of its own may use " + usable + " of the machine's "
                        + logicalCores + " cores (affinity, cpuset or quota); figures of the whole"
                        + " machine are of all " + logicalCores);
    }
}
