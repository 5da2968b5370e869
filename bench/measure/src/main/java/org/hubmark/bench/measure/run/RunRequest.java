package org.hubmark.bench.measure.run;

import org.hubmark.bench.measure.hub.Program;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * Request of a run.
 *
 * @param program that measures, and whose hubs are measured
 * @param scenarios each is measured once, then each again, in an order of its own each time
 * @param target what is known of a server that isn't ours
 * @param sharedMachine whether others use the machine with the caller's knowledge: what they do is said
 *     then, and makes nothing invalid
 */
public record RunRequest(
        Program program,
        List<ScenarioRequest> scenarios,
        Repeats repeats,
        LoadTimes times,
        TargetFacts target,
        boolean sharedMachine,
        Extras extras) {
    /** Copies the list. */
    public RunRequest {
        scenarios = List.copyOf(scenarios);
    }

    /**
     * How often each scenario is measured.
     *
     * @param first the number of the first repeat: more than 1 where earlier ones were measured by
     *     themselves
     * @param seed of the order in which the scenarios are measured
     */
    public record Repeats(int first, int count, long seed) {
        /** Those that count from 1. */
        public Repeats(int count, long seed) {
            this(1, count, seed);
        }

        /** {@return the number of the last one} */
        public int last() {
            return first + count - 1;
        }
    }

    /**
     * How long the load of a repeat takes.
     *
     * @param jitWarmUp load as fast as it goes, before the warm-up of each repeat: at a low rate a fresh
     *     server would take many minutes until its code is compiled; zero for none
     * @param warmup load before each measured time, at least
     * @param warmupMax load before each measured time, at most: it ends when the load is steady
     * @param duration the measured time of each repeat; {@link
     *     org.hubmark.bench.measure.Measurement#UNTIL_FINISHED} for a load that ends by itself, which
     *     has no warm-up
     */
    public record LoadTimes(
            Duration jitWarmUp, Duration warmup, Duration warmupMax, Duration duration) {
        /** Those without a load before all else. */
        public LoadTimes(Duration warmup, Duration warmupMax, Duration duration) {
            this(Duration.ZERO, warmup, warmupMax, duration);
        }
    }

    /**
     * What is measured beside the repeats.
     *
     * @param ceilings whether what the parts of the way hold by themselves is measured as well, after all
     *     else
     * @param knee whether to look, after the repeats, at which rate waiting sets in
     * @param latencyAt the latency at a rate beside; null for none
     * @param publish what is done so that the results can be published; null for nothing
     */
    public record Extras(
            boolean ceilings,
            boolean knee,
            @Nullable LatencyRequest latencyAt,
            @Nullable PublishRequest publish) {
        /** Nothing is. */
        public static final Extras NONE = new Extras(false, false, null, null);
    }
}
