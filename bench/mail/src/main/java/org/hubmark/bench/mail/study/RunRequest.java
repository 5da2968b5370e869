package org.hubmark.bench.mail.study;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.meter.Measurement.LoadTimes;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Request of a run.
 *
 * @param program that measures, and whose hubs are measured
 * @param scenarios each is measured once, then each again, in an order of its own each time
 * @param target what is known of a server that isn't ours
 * @param sharedMachine whether others use the machine with the caller's knowledge: what they do is said
 *     then, and makes nothing invalid
 * @param extent of a matrix, whose scenarios stand for themselves: one that can't be measured does not end
 *     the others, and effects are told of them. Settings with which an earlier run in the same folder may
 *     differ, since they say how much is measured; null for run and load
 */
public record RunRequest(
        Program program,
        List<ScenarioRequest> scenarios,
        Repeats repeats,
        LoadTimes times,
        TargetFacts target,
        boolean sharedMachine,
        Extras extras,
        @Nullable Set<String> extent) {
    /** Copies the collections. */
    public RunRequest {
        scenarios = List.copyOf(scenarios);
        extent = extent == null ? null : Set.copyOf(extent);
    }

    /** {@return whether its scenarios are cells of a matrix} */
    boolean isMatrix() {
        return extent != null;
    }

    /**
     * {@return whether anything of a scenario is still to be measured}
     *
     * @param earlier what was measured before; null where nothing was
     */
    public boolean isUnfinished(ScenarioRequest scenario, @Nullable Results earlier) {
        Scenario known =
                earlier == null ? null : earlier.scenario(scenario.id()).orElse(null);
        return known == null
                || kept(known) < repeats.count
                || lacksLatency(scenario, known)
                || lacksCeiling(scenario, known);
    }

    /** {@return how many repeats of a scenario there are; none where it is not known} */
    int kept(@Nullable Scenario known) {
        return known == null ? 0 : Math.min(known.repeats().size(), repeats.count);
    }

    /** {@return whether the latency at a lower rate is still to be measured} */
    boolean lacksLatency(ScenarioRequest scenario, @Nullable Scenario known) {
        // A rate that was asked for shows its latency by itself.
        return extras.latencyPercent > 0
                && scenario.hub() != null
                && !(scenario.source().pace() instanceof Pace.OpenLoop)
                && (known == null || known.latencyAt() == null);
    }

    /** {@return whether what the log device holds by itself is still to be measured, and can be} */
    boolean lacksCeiling(ScenarioRequest scenario, Scenario known) {
        // Where messages did not wait for syncs, it isn't the device that would be asked. What an
        // emulated one
        // holds its profile says.
        List<LogGroups> groups = known.groups();
        return extras.ceilings
                && scenario.hub() != null
                && known.conditions().get(Condition.DEVICE_PROFILE) == null
                && groups != null
                && !groups.isEmpty()
                && Double.isNaN(known.row().number(MailDocument.LOG_DEVICE));
    }

    /**
     * How often each scenario is measured: each repeat is a block in which everything is measured once, in a random
     * order of its own, so that neither what drifts on the machine nor what a measurement leaves behind for the next
     * one always meets the same.
     *
     * @param seed of the order in which the scenarios are measured
     */
    public record Repeats(int count, long seed) {
        /** {@return all, in the order of a repeat, which counts from 1} */
        <T> List<T> order(List<T> all, int repeat) {
            Random random = new Random(seed);
            List<T> order = new ArrayList<>(all);
            for (int block = 1; block <= repeat; block++) {
                Collections.shuffle(order, random);
            }
            return order;
        }
    }

    /**
     * What is measured beside the repeats.
     *
     * @param ceilings whether what the log device holds by itself is measured as well, after all else
     * @param latencyPercent of the median rate of the repeats, at which the latency is measured too, since neither
     *     a closed loop nor a server at its limit shows it; 0 for none
     * @param publish whether the results are to be published
     */
    public record Extras(boolean ceilings, double latencyPercent, boolean publish) {
        /** Nothing is. */
        public static final Extras NONE = new Extras(false, 0, false);
    }
}
