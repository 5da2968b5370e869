package org.hubmark.bench.mail.study;

import org.hubmark.bench.machine.watch.TargetFacts;

import org.hubmark.bench.mail.meter.Measurement.LoadTimes;
import org.hubmark.bench.hub.Program;
import org.jspecify.annotations.Nullable;

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
     * What is measured beside the repeats.
     *
     * @param ceilings whether what the log device holds by itself is measured as well, after all else
     * @param latencyAt the latency at a rate beside; null for none
     * @param publish what is done so that the results can be published; null for nothing
     */
    public record Extras(
            boolean ceilings,
            @Nullable LatencyRequest latencyAt,
            @Nullable PublishRequest publish) {
        /** Nothing is. */
        public static final Extras NONE = new Extras(false, null, null);
    }
}
