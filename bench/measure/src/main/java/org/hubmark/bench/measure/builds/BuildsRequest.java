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
 * @param root of the sources
 * @param refs of the builds, two or more, the first of them compared with each of the others
 * @param subject a warm hub, or its start
 * @param cases each compared by itself
 * @param load of all cases; target and transfer are filled in
 * @param nextHop of all hubs
 * @param serveArguments of all hubs, without addresses, volumes and the next hop; only such as
 *     every build knows
 * @param rounds counted, in each of which every build has its turn
 * @param duration of the load of a round
 * @param warmup load that each hub gets before it is first counted
 * @param firstMessages of {@link Subject#START}: so many are sent after the first
 * @param fresh whether each round gets hubs of its own, each with a warm-up
 * @param seed of messages and of the order within the rounds
 * @param folder gets the volumes; what is made there is removed at the end
 */
public record BuildsRequest(
        Program program,
        Path root,
        List<String> refs,
        Subject subject,
        List<LoadCase> cases,
        LoadPlan load,
        DeliveryMode nextHop,
        List<String> serveArguments,
        int rounds,
        Duration duration,
        Duration warmup,
        long firstMessages,
        boolean fresh,
        long seed,
        Path folder) {
    /** Copies. What is held would pile up over the rounds, and make each slower than the last. */
    public BuildsRequest {
        refs = List.copyOf(refs);
        cases = List.copyOf(cases);
        serveArguments = List.copyOf(serveArguments);
        fresh = fresh || nextHop == DeliveryMode.HOLD || subject == Subject.START;
    }
}
