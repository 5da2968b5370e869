package org.hubmark.bench.measure.builds;

import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.measure.hub.Program;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Request to compare builds.
 *
 * @param program that measures
 */
public record BuildsRequest(
        Program program, Sources sources, Subject subject, Load load, Hubs hubs, Rounds rounds) {
    /** What is held would pile up over the rounds, and make each slower than the last. */
    public BuildsRequest {
        if (hubs.nextHop == DeliveryMode.HOLD || subject == Subject.START) {
            hubs = new Hubs(hubs.nextHop, hubs.arguments, true, hubs.folder);
        }
    }

    /**
     * Where the builds come from.
     *
     * @param root of the sources
     * @param refs of the builds, two or more, the first of them compared with each of the others
     */
    public record Sources(Path root, List<String> refs) {
        /** Copies. */
        public Sources {
            refs = List.copyOf(refs);
        }
    }

    /**
     * What the hubs are sent.
     *
     * @param cases each compared by itself
     * @param plan of all cases; target and transfer are filled in
     * @param firstMessages of {@link Subject#START}: so many are sent after the first
     */
    public record Load(List<LoadCase> cases, LoadPlan plan, long firstMessages) {
        /** Copies. */
        public Load {
            cases = List.copyOf(cases);
        }
    }

    /**
     * How every hub is started.
     *
     * @param arguments without addresses, volumes and the next hop; only such as every build knows
     * @param fresh whether each round gets hubs of its own, each with a warm-up
     * @param folder gets the volumes; what is made there is removed at the end
     */
    public record Hubs(DeliveryMode nextHop, List<String> arguments, boolean fresh, Path folder) {
        /** Copies. */
        public Hubs {
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * How the builds take turns.
     *
     * @param count of the rounds, in each of which every build has its turn
     * @param duration of the load of a round
     * @param warmup load that each hub gets before it is first counted
     * @param seed of messages and of the order within the rounds
     */
    public record Rounds(int count, Duration duration, Duration warmup, long seed) {}
}
