package org.hubmark.bench.measure.run;

import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.volumes.DeviceFlushes;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.results.Safety;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What can be known of a server that isn't ours.
 *
 * @param cpu where its CPU time comes from; null when it isn't known
 * @param volumes that it writes to; of role log
 * @param flushes of the device of that volume; null where they aren't counted
 * @param safety by the evidence that there is
 */
public record TargetFacts(
        @Nullable ServerCpu cpu,
        List<Volume> volumes,
        @Nullable DeviceFlushes flushes,
        Safety safety) {
    /** Nothing. */
    public static final TargetFacts UNKNOWN =
            new TargetFacts(null, List.of(), null, Safety.UNKNOWN);

    /** Copies the list. */
    public TargetFacts {
        volumes = List.copyOf(volumes);
    }
}
