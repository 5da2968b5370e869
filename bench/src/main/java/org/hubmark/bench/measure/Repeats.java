package org.hubmark.bench.measure;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Spread;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the repeats of one scenario. One thread. */
public final class Repeats {
    private final String id;
    private final double sizeKb;
    private final Conditions conditions;
    private final List<Scenario.Repeat> repeats = new ArrayList<>();
    private final Histogram latencies = new Histogram(3);
    private final Histogram residence = new Histogram(3);

    /** Begins a scenario. */
    public Repeats(String id, double sizeKb, Conditions conditions) {
        this.id = id;
        this.sizeKb = sizeKb;
        this.conditions = conditions;
    }

    /** Adds a repeat. */
    public void add(Measurement.Outcome outcome) {
        repeats.add(outcome.repeat());
        latencies.add(outcome.latencies());
        if (outcome.residence() != null) {
            residence.add(outcome.residence());
        }
    }

    /** {@return whether there is anything to tell} */
    public boolean any() {
        return !repeats.isEmpty();
    }

    /**
     * {@return medians over the repeats; latencies from all repeats' histograms put together, since
     * percentiles can't be averaged}
     */
    public Scenario scenario() {
        List<Figures> figures = new ArrayList<>();
        Set<String> reasons = new LinkedHashSet<>();
        Double min = null;
        Double max = null;
        for (Scenario.Repeat repeat : repeats) {
            figures.add(repeat.figures());
            for (String reason : repeat.invalidReasons()) {
                reasons.add("repeat " + repeat.repeat() + ": " + reason);
            }
            Double rate = repeat.figures().throughputMsgsPerS();
            if (rate != null) {
                min = min == null ? rate : Math.min(min, rate);
                max = max == null ? rate : Math.max(max, rate);
            }
        }
        Figures median = Medians.of(figures);
        Figures all = new Figures(
                median.limiting(),
                median.throughputMsgsPerS(),
                median.measuredS(),
                median.aggregateQueueLengthMaxMsgs(),
                median.queueSizeMaxMb(),
                median.cost(),
                median.disk(),
                Latencies.accept(latencies),
                null,
                Latencies.residence(residence),
                median.counts());
        return new Scenario(
                id,
                sizeKb,
                conditions,
                all,
                new Spread(min, max, null, null, null, List.of()),
                null,
                repeats,
                reasons.isEmpty(),
                List.copyOf(reasons));
    }
}
