package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.mail.document.Capacity;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figures;
import org.hubmark.bench.mail.document.Latencies;
import org.hubmark.bench.mail.document.Measured;
import org.hubmark.bench.mail.document.Medians;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Results.QueueResidence;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Spread;
import org.hubmark.bench.mail.document.Validity;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the repeats of one scenario. One thread. */
public final class Repeats {
    private final String id;
    private final double sizeKb;
    private final Conditions conditions;
    private final List<Measurement.Outcome> outcomes = new ArrayList<>();

    /** Begins a scenario. */
    public Repeats(String id, double sizeKb, Conditions conditions) {
        this.id = id;
        this.sizeKb = sizeKb;
        this.conditions = conditions;
    }

    /** Adds a repeat. */
    public void add(Measurement.Outcome outcome) {
        outcomes.add(outcome);
    }

    /** {@return whether there is anything to tell} */
    public boolean any() {
        return !outcomes.isEmpty();
    }

    /**
     * {@return medians over the repeats; latencies from all repeats' histograms put together, since
     * percentiles can't be averaged} Where a repeat was measured to its end those that were not don't
     * count.
     */
    public Scenario scenario() {
        List<Measurement.Outcome> complete =
                outcomes.stream().filter(Measurement.Outcome::isComplete).toList();
        return scenario(complete.isEmpty() ? outcomes : complete);
    }

    private Scenario scenario(List<Measurement.Outcome> counted) {
        Histogram latencies = new Histogram(3);
        Histogram uncorrected = new Histogram(3);
        Histogram residence = new Histogram(3);
        StepMedians steps = new StepMedians();
        for (Measurement.Outcome outcome : counted) {
            latencies.add(outcome.latencies());
            uncorrected.add(outcome.uncorrected());
            steps.add(outcome.steps());
            if (outcome.residence() != null) {
                residence.add(outcome.residence());
            }
        }
        List<Scenario.Repeat> repeats =
                counted.stream().map(Measurement.Outcome::repeat).toList();
        List<Figures> figures = new ArrayList<>();
        Set<Reason> reasons = new LinkedHashSet<>();
        for (Scenario.Repeat repeat : repeats) {
            figures.add(repeat.figures());
            for (Reason reason : repeat.validity().found()) {
                reasons.add(reason.in("repeat " + repeat.repeat()));
            }
        }
        Figures all = Medians.of(
                figures,
                Measured.of(repeats.stream().map(Scenario.Repeat::counted).toList()),
                Latencies.of(latencies, uncorrected),
                QueueResidence.of(residence));
        return new Scenario(
                id,
                sizeKb,
                conditions,
                all,
                Spread.of(repeats, all.limiting().rateAsked()),
                Capacity.UNKNOWN,
                steps.steps(),
                null,
                repeats,
                Validity.of(List.copyOf(reasons)));
    }
}
