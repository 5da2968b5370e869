package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.RawFile;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.statistics.Percentile;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a run found, as results.json has it and {@link MailDocument} writes it. Names in the file are the
 * component names in snake case. What isn't known is null, never 0. Sizes in KB and MB are decimal (1000).
 *
 * @param provenance with the driver's machine, which is the server's too unless that has one of its own
 * @param scenarios one for each message size, in the order asked for
 * @param costModels fitted to the scenarios; empty where they don't differ in size enough
 * @param effects of the factors of a matrix; empty for a run
 * @param publish whether the rules of docs/run-rules.md were kept; null where nobody asked
 * @param rawFiles what was written while it was measured; empty where they are not known
 * @param serverEnvironment the server's machine, where its counters were read from elsewhere; else null
 * @param targetWatch how these were read; else null
 */
public record Results(
        @JsonUnwrapped Provenance provenance,
        List<Scenario> scenarios,
        List<CostModel> costModels,
        List<FactorEffect> effects,
        @Nullable Publication publish,
        List<RawFile> rawFiles,
        @Nullable Environment serverEnvironment,
        @Nullable TargetWatch targetWatch) {
    /** The name of the file in its folder. */
    public static final String FILE = "results.json";

    static final String KIND = "mail";
    private static final String VALID = "valid";

    /** Copies the lists; a file may leave out all but the scenarios. */
    public Results {
        scenarios = List.copyOf(scenarios);
        costModels = costModels == null ? List.of() : List.copyOf(costModels);
        effects = effects == null ? List.of() : List.copyOf(effects);
        rawFiles = rawFiles == null ? List.of() : List.copyOf(rawFiles);
    }

    /** {@return the same with what is known of whether it may be published} */
    public Results with(@Nullable Publication publication) {
        return new Results(
                provenance,
                scenarios,
                costModels,
                effects,
                publication,
                rawFiles,
                serverEnvironment,
                targetWatch);
    }

    /** {@return whether the figures can be trusted, and published where somebody asked for that} */
    public String verdict() {
        if (!scenarios.stream().allMatch(scenario -> scenario.validity().valid())) {
            return "not valid";
        }
        return publish == null || publish.publishable() ? VALID : "not publishable";
    }

    /** {@return why not; empty when they can} */
    public List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            scenario.validity()
                    .reasons()
                    .forEach(reason -> reasons.add(scenario.id() + ", " + reason));
        }
        if (publish != null) {
            publish.broken().forEach(rule -> reasons.add(rule.rule() + ": " + rule.found()));
        }
        return reasons;
    }

    /** {@return what makes the figures say less than they seem to} */
    public List<String> warnings() {
        return Warnings.of(this);
    }

    /** {@return the server's machine} */
    public Environment measured() {
        return serverEnvironment == null ? provenance.environment() : serverEnvironment;
    }

    /** {@return what is known of the machines, for formulas} */
    public Repeat machines() {
        return Repeat.counted()
                .count(Counters.LOGICAL_CORES, measured().processor().logicalCores())
                .count(
                        Counters.DRIVER_CORES,
                        provenance.environment().processor().logicalCores())
                .count(Counters.DRIVER_ON_MACHINE, serverEnvironment == null ? 1 : 0)
                .made();
    }

    /** {@return the scenario of that id, if there is one} */
    public Optional<Scenario> scenario(String id) {
        return scenarios.stream().filter(scenario -> scenario.id().equals(id)).findFirst();
    }

    /** {@return what follows from them} */
    Findings findings() {
        return new Findings(
                "",
                "",
                verdict().equals(VALID) ? Findings.Outcome.GOOD : Findings.Outcome.NOT_VALID,
                verdict(),
                reasons(),
                warnings(),
                Map.of(),
                List.of());
    }

    /**
     * Milliseconds from the intended start of a message to the answer to its end. A percentile is null
     * where there were too few messages for it, here and below: see {@link Percentile}.
     *
     * @param mean arithmetic mean
     * @param max the largest one
     */
    public record AcceptLatency(
            double mean,
            double p50,
            @Nullable Double p95,
            @Nullable Double p99,
            @JsonProperty("p99_9") @Nullable Double p999,
            double max) {
        /** {@return what was recorded, in nanoseconds; null when nothing was} */
        public static @Nullable AcceptLatency of(Histogram nanos) {
            return nanos.getTotalCount() == 0
                    ? null
                    : new AcceptLatency(
                            nanos.getMean() / 1e6,
                            nanos.getValueAtPercentile(50) / 1e6,
                            Percentile.millis(nanos, 95),
                            Percentile.millis(nanos, 99),
                            Percentile.millis(nanos, 99.9),
                            nanos.getMaxValue() / 1e6);
        }

        /** {@return one of the latencies, in the order of {@link Figure#ACCEPT_LATENCY}} */
        @Nullable
        Double get(Column latency) {
            if (!(latency.definition() instanceof Column.Definition.OfRepeat made)
                    || !(made.formula() instanceof Formula.Latency at)) {
                return null;
            }
            return switch (at.place()) {
                case MEAN -> mean;
                case P50 -> p50;
                case P95 -> p95;
                case P99 -> p99;
                case P99_9 -> p999;
                case MAX -> max;
                case DEVIATION -> null;
            };
        }
    }

    /**
     * Messages that were due and not answered when the measured time was over.
     *
     * @param unansweredMsgs sent, without an answer yet
     * @param unsentMsgs due at a fixed rate, and not sent
     * @param oldestMs since the intended start of the oldest of them; null when there are none
     */
    public record OpenAtEnd(
            long unansweredMsgs, long unsentMsgs, @Nullable Double oldestMs) {}

    /**
     * Lateness of the driver by its own fault, in milliseconds, over all messages of a fixed rate.
     */
    public record DriverLateness(double p50, @Nullable Double p99, double max) {
        /** {@return what was recorded, in nanoseconds; null when nothing was} */
        public static @Nullable DriverLateness of(Histogram nanos) {
            return nanos.getTotalCount() == 0
                    ? null
                    : new DriverLateness(
                            nanos.getValueAtPercentile(50) / 1e6,
                            Percentile.millis(nanos, 99),
                            nanos.getMaxValue() / 1e6);
        }
    }

    /** Milliseconds from acceptance to the end of delivery. */
    public record QueueResidence(
            double p50, @Nullable Double p95, @Nullable Double p99, double max) {
        /** {@return what was recorded, in nanoseconds; null when nothing was} */
        public static @Nullable QueueResidence of(@Nullable Histogram nanos) {
            return nanos == null || nanos.getTotalCount() == 0
                    ? null
                    : new QueueResidence(
                            nanos.getValueAtPercentile(50) / 1e6,
                            Percentile.millis(nanos, 95),
                            Percentile.millis(nanos, 99),
                            nanos.getMaxValue() / 1e6);
        }
    }

    /**
     * Source of the figures of a volume: "device" (diskstats) or "engine"; null if there is none.
     */
    public record CounterSource(
            @Nullable String log, @Nullable String queue) {}
}
