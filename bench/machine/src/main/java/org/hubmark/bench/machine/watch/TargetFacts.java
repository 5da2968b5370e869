package org.hubmark.bench.machine.watch;

import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Facts about a server that is not ours.
 *
 * @param cpu where its CPU time comes from, on this machine; null when it isn't known
 * @param volumes on this machine that it writes to
 * @param watched its machine where that is another one whose counters can be read; closed with this
 */
public record TargetFacts(
        @Nullable ServerCpu cpu,
        List<VolumeDisclosure> volumes,
        @Nullable RemoteMachine watched) implements AutoCloseable {
    /** Nothing. */
    public static final TargetFacts UNKNOWN = new TargetFacts(null, List.of(), null);

    /** Copies the list. */
    public TargetFacts {
        volumes = List.copyOf(volumes);
    }

    /** {@return what is known of a server on another machine} */
    public static TargetFacts elsewhere(RemoteMachine watched) {
        return new TargetFacts(null, List.of(), watched);
    }

    @Override
    public void close() {
        if (watched != null) {
            watched.close();
        }
    }
}
