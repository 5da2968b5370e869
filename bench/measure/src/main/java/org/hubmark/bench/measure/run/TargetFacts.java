package org.hubmark.bench.measure.run;

import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.volumes.Volume;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What can be known of a server that isn't ours.
 *
 * @param cpu where its CPU time comes from; null when it isn't known
 * @param volumes that it writes to; of role log
 */
public record TargetFacts(@Nullable ServerCpu cpu, List<Volume> volumes) {
    /** Nothing. */
    public static final TargetFacts UNKNOWN = new TargetFacts(null, List.of());

    /** Copies the list. */
    public TargetFacts {
        volumes = List.copyOf(volumes);
    }
}
