package org.hubmark.bench.measure.run;

import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.volumes.DeviceFlushes;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.measure.watch.WatchedMachine;
import org.hubmark.bench.results.Safety;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Facts about a server that is not ours.
 *
 * @param cpu where its CPU time comes from, on this machine; null when it isn't known
 * @param volumes on this machine that it writes to
 * @param watched its machine where that is another one whose counters can be read; closed with this
 * @param flushes of the device of that volume; null where they aren't counted
 * @param safety by the evidence that there is
 */
public record TargetFacts(
        @Nullable ServerCpu cpu,
        List<VolumeDisclosure> volumes,
        @Nullable WatchedMachine watched,
        @Nullable DeviceFlushes flushes,
        Safety safety)
        implements AutoCloseable {
    /** Nothing. */
    public static final TargetFacts UNKNOWN =
            new TargetFacts(null, List.of(), null, null, Safety.UNKNOWN);

    /** Copies the list. */
    public TargetFacts {
        volumes = List.copyOf(volumes);
    }

    /** {@return what is known of a server on another machine} */
    public static TargetFacts elsewhere(WatchedMachine watched, Safety safety) {
        return new TargetFacts(null, List.of(), watched, null, safety);
    }

    @Override
    public void close() {
        if (watched != null) {
            watched.close();
        }
    }
}
