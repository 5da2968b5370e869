package org.hubmark.bench.run;

import org.hubmark.bench.measure.ServerCpu;
import org.hubmark.bench.results.Results;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What can be known of a server that isn't ours.
 *
 * @param cpu where its CPU time comes from; null when it isn't known
 * @param volumes that it writes to; of role log
 */
public record TargetFacts(@Nullable ServerCpu cpu, List<Results.Volume> volumes) {
    /** Nothing. */
    public static final TargetFacts UNKNOWN = new TargetFacts(null, List.of());

    /** Copies the list. */
    public TargetFacts {
        volumes = List.copyOf(volumes);
    }
}
