package org.hubmark.bench.measure.run;

import org.hubmark.bench.measure.hub.Program;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Request of a run.
 *
 * @param program that measures, and whose hubs are measured
 * @param scenarios each is measured once, then each again, in an order of its own each time
 * @param repeat how often each is measured
 * @param warmup load before each measured time, at least
 * @param warmupMax load before each measured time, at most: it ends when the load is steady
 * @param duration the measured time of each repeat;
 *     {@link org.hubmark.bench.measure.Measurement#UNTIL_FINISHED} for a load that ends by itself,
 *     which has no warm-up
 * @param ceilings whether what the parts of the way hold by themselves is measured as well, after
 *     all else
 * @param target what is known of a server that isn't ours
 * @param quiet whether nothing is said on standard error
 * @param settings for the results file
 * @param command for the results file
 * @param jitWarmUp load as fast as it goes, before the warm-up of each repeat: at a low rate a
 *     fresh server would take many minutes until its code is compiled; zero for none
 * @param firstRepeat the number of the first repeat: more than 1 where earlier ones were measured
 *     by themselves
 * @param seed of the order in which the scenarios are measured
 * @param sharedMachine whether others use the machine with the caller's knowledge: what they do is
 *     said then, and makes nothing invalid
 * @param knee whether to look, after the repeats, at which rate waiting sets in
 * @param latencyAt the latency at a rate beside; null for none
 * @param publish what is done so that the results can be published; null for nothing
 */
public record RunRequest(
        Program program,
        List<ScenarioRequest> scenarios,
        int repeat,
        Duration warmup,
        Duration warmupMax,
        Duration duration,
        boolean ceilings,
        TargetFacts target,
        boolean quiet,
        Map<String, Object> settings,
        String command,
        Duration jitWarmUp,
        int firstRepeat,
        long seed,
        boolean sharedMachine,
        boolean knee,
        @Nullable LatencyRequest latencyAt,
        @Nullable PublishRequest publish) {
    /** One whose repeats count from 1. */
    public RunRequest(
            Program program,
            List<ScenarioRequest> scenarios,
            int repeat,
            Duration warmup,
            Duration warmupMax,
            Duration duration,
            boolean ceilings,
            TargetFacts target,
            boolean quiet,
            Map<String, Object> settings,
            String command,
            long seed) {
        this(
                program,
                scenarios,
                repeat,
                warmup,
                warmupMax,
                duration,
                ceilings,
                target,
                quiet,
                settings,
                command,
                Duration.ZERO,
                1,
                seed,
                false,
                false,
                null,
                null);
    }

    /** {@return the same on a machine that others use or don't use} */
    public RunRequest shared(boolean shared) {
        return with(shared, knee, latencyAt, publish);
    }

    /** {@return the same, that looks at which rate waiting sets in, or doesn't} */
    public RunRequest sweeping(boolean sweeps) {
        return with(sharedMachine, sweeps, latencyAt, publish);
    }

    /** {@return the same with the latency at a rate beside; null for none} */
    public RunRequest beside(@Nullable LatencyRequest latency) {
        return with(sharedMachine, knee, latency, publish);
    }

    /** {@return the same with what is done so that the results can be published; null for nothing} */
    public RunRequest published(@Nullable PublishRequest publishing) {
        return with(sharedMachine, knee, latencyAt, publishing);
    }

    private RunRequest with(
            boolean shared,
            boolean sweeps,
            @Nullable LatencyRequest latency,
            @Nullable PublishRequest publishing) {
        return new RunRequest(
                program,
                scenarios,
                repeat,
                warmup,
                warmupMax,
                duration,
                ceilings,
                target,
                quiet,
                settings,
                command,
                jitWarmUp,
                firstRepeat,
                seed,
                shared,
                sweeps,
                latency,
                publishing);
    }

    /** Copies the list. */
    public RunRequest {
        scenarios = List.copyOf(scenarios);
    }
}
