package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Step;

import java.util.ArrayList;
import java.util.List;

/** Outcome of a repeat as a document keeps it, with all its times, so that a later session can go on with it. */
public final class KeptOutcome {
    private static final Times RESIDENCE = new Times("residence");

    private KeptOutcome() {}

    /** {@return an outcome to be kept} The histograms are not to be changed from then on. */
    public static Repeat.Builder counted(Measurement.Outcome outcome, Scenario scenario) {
        Repeat.Builder counted = MailDocument.counted(outcome.repeat(), scenario)
                .complete(outcome.isComplete())
                .times(Figure.ACCEPT, outcome.latencies())
                .times(Figure.UNCORRECTED, outcome.uncorrected())
                .times(Figure.OPEN, outcome.open())
                .samples(outcome.samples());
        Histogram residence = outcome.residence();
        if (residence != null) {
            counted.times(RESIDENCE, residence);
        }
        for (StepMeter.Stepped one : outcome.steps()) {
            counted.times(of(Figure.ACCEPT, one.step()), one.latencies())
                    .times(of(Figure.UNCORRECTED, one.step()), one.uncorrected());
        }
        return counted;
    }

    /** {@return an outcome that was kept} */
    public static Measurement.Outcome of(Repeat counted) {
        Scenario.Repeat repeat = MailDocument.repeat(counted);
        List<StepMeter.Stepped> steps = new ArrayList<>();
        for (Step step : repeat.steps()) {
            steps.add(new StepMeter.Stepped(
                    step,
                    counted.times(of(Figure.ACCEPT, step)),
                    counted.times(of(Figure.UNCORRECTED, step))));
        }
        return new Measurement.Outcome(
                repeat,
                counted.times(Figure.ACCEPT),
                counted.times(Figure.UNCORRECTED),
                counted.times(Figure.OPEN),
                counted.times().containsKey(RESIDENCE.key()) ? counted.times(RESIDENCE) : null,
                steps,
                counted.samples(),
                !counted.complete(),
                null,
                null);
    }

    private static Times of(Times times, Step step) {
        return new Times(times.key() + "_step_" + step.step());
    }
}
