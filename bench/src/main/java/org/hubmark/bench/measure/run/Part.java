package org.hubmark.bench.measure.run;

import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.UserError;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.RateSearch;
import org.hubmark.bench.measure.RateTrial;
import org.hubmark.bench.measure.Repeats;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.SustainedRate;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** A scenario while it is measured: its messages, its .hlog file and its repeats. One thread. */
final class Part implements AutoCloseable {
    private final ScenarioRequest request;
    private final Instant startedAt;
    private final HistogramLogWriter histograms;
    private @Nullable MessageSet messages;
    private @Nullable Repeats repeats;
    private RateSearch.@Nullable Found sustained;

    Part(ScenarioRequest request, Path folder, Instant startedAt) throws IOException {
        this.request = request;
        this.startedAt = startedAt;
        this.histograms = new HistogramLogWriter(folder.resolve(histogramFile()).toFile());
        histograms.outputComment("[Accept latency of " + request.title()
                + " messages in nanoseconds, one interval a second of measured time]");
        histograms.outputLogFormatVersion();
        histograms.outputStartTime(startedAt.toEpochMilli());
        histograms.setBaseTime(startedAt.toEpochMilli());
        histograms.outputLegend();
    }

    /** {@return the name of its .hlog file} */
    String histogramFile() {
        return request.id() + ".hlog";
    }

    ScenarioRequest request() {
        return request;
    }

    HistogramLogWriter histograms() {
        return histograms;
    }

    /** {@return its messages, made for the first server that is asked} */
    MessageSet messages(LoadPlan plan, TargetProbe.Announced announced) {
        MessageSet known = messages;
        if (known != null) {
            return known;
        }
        MessageSet made = request.messages().make(plan, announced, startedAt);
        messages = made;
        return made;
    }

    /** {@return the highest sustained rate, which is searched the first time} */
    Pace sustained(
            Pace.MaxSustained asked,
            LoadPlan plan,
            MessageSet sent,
            TargetProbe.Announced announced,
            Instruments instruments,
            boolean drains,
            Progress progress,
            Environment machine)
            throws IOException, InterruptedException {
        RateSearch.Found found = sustained;
        if (found == null) {
            RateTrial trial = new RateTrial(
                    pace -> LoadDriver.start(plan.unlimited().at(pace), sent, announced),
                    instruments,
                    new RateTrial.Settings(request.title(), asked, drains, machine.logicalCores()),
                    progress);
            found = trial.search();
            sustained = found;
            progress.note(request.title() + ": " + found.words());
            if (found.ratePerSecond() == 0) {
                throw UserError.failed(
                        request.title() + ": no rate is sustained, " + found.words());
            }
        }
        return Pace.OpenLoop.of(found.ratePerSecond(), asked.arrivals(), asked.seed());
    }

    /** {@return why the rate that was found tells of the driver only, or null} */
    @Nullable
    String driverLimit() {
        RateSearch.Found found = sustained;
        return found == null || !found.byDriver()
                ? null
                : "the driver is the bottleneck of the search: " + found.words();
    }

    /** {@return such messages for another server; the caller's, who closes them} */
    MessageSet ownMessages(LoadPlan plan, TargetProbe.Announced announced) {
        return request.messages().make(plan, announced, startedAt);
    }

    /** {@return its repeats} */
    Repeats repeats(MessageSet sent, Conditions conditions) {
        Repeats known = repeats;
        if (known != null) {
            return known;
        }
        Repeats made = new Repeats(request.id(), sent.sizeBytesMean() / 1000, conditions);
        repeats = made;
        return made;
    }

    /** {@return what was found, or null when nothing was} */
    @Nullable
    Scenario scenario() {
        Repeats measured = repeats;
        if (measured == null || !measured.any()) {
            return null;
        }
        RateSearch.Found found = sustained;
        return measured.scenario()
                .at(found == null ? null : new SustainedRate(found.ratePerSecond(), found.words()));
    }

    @Override
    public void close() {
        histograms.close();
        if (messages != null) {
            messages.close();
            messages = null;
        }
    }
}
