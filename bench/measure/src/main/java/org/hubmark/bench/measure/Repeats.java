package org.hubmark.bench.measure;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Latencies;
import org.hubmark.bench.results.Medians;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Spread;
import org.hubmark.bench.results.WholeLoad;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Collects the repeats of one scenario. One thread. */
public final class Repeats {
    private final String id;
    private final double sizeKb;
    private final Conditions conditions;
    private final List<Scenario.Repeat> repeats = new ArrayList<>();
    private final Histogram latencies = new Histogram(3);
    private final Histogram uncorrected = new Histogram(3);
    private final Histogram residence = new Histogram(3);
    private final StepMedians steps = new StepMedians();

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
        uncorrected.add(outcome.uncorrected());
        steps.add(outcome.steps());
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
        for (Scenario.Repeat repeat : repeats) {
            figures.add(repeat.figures());
            for (String reason : repeat.invalidReasons()) {
                reasons.add("repeat " + repeat.repeat() + ": " + reason);
            }
        }
        Figures all = Medians.of(
                figures,
                repeats.isEmpty() ? Repeat.counted().made() : repeats.getLast().counted(),
                Latencies.accept(latencies),
                Latencies.accept(uncorrected),
                Latencies.residence(residence));
        return new Scenario(
                id,
                sizeKb,
                conditions,
                all,
                spread(all.limiting().rateAsked()),
                null,
                null,
                null,
                steps.steps(),
                WholeLoad.median(repeats.stream()
                        .map(Scenario.Repeat::wholeLoad)
                        .filter(Objects::nonNull)
                        .toList()),
                null,
                repeats,
                reasons.isEmpty(),
                List.copyOf(reasons));
    }

    /** A repeat that isn't valid counts too, and is said. */
    private Spread spread(boolean asked) {
        return Spread.of(
                values(Figure.THROUGHPUT_MSGS_PER_S),
                values(Figure.CPU_COST_MCYCLES_PER_MSG),
                repeats.stream().map(Scenario.Repeat::repeat).toList(),
                asked);
    }

    private double[] values(Column figure) {
        List<Double> known = new ArrayList<>();
        for (Scenario.Repeat repeat : repeats) {
            Double value = repeat.figures().get(figure);
            if (value != null) {
                known.add(value);
            }
        }
        return known.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
