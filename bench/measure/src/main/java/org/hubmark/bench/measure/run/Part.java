package org.hubmark.bench.measure.run;

import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.UserError;
import org.hubmark.bench.load.Pace;
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
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;

/** A scenario while it is measured: its work, its .hlog file and its repeats. One thread. */
final class Part implements AutoCloseable {
    private final ScenarioRequest request;
    private final HistogramLogWriter histograms;
    private @Nullable Repeats repeats;
    private RateSearch.@Nullable Found sustained;

    Part(ScenarioRequest request, Path folder, Instant startedAt) throws IOException {
        this.request = request;
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

    /** {@return the highest sustained rate, which is searched the first time} */
    Pace sustained(
            Pace.MaxSustained asked,
            @Nullable InetSocketAddress hub,
            Instruments instruments,
            boolean drains,
            Progress progress,
            Environment machine)
            throws IOException, InterruptedException {
        RateSearch.Found found = sustained;
        if (found == null) {
            RateTrial trial = new RateTrial(
                    pace -> request.source().trial(hub, pace),
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

    /** {@return its repeats} */
    Repeats repeats(Conditions conditions) {
        Repeats known = repeats;
        if (known != null) {
            return known;
        }
        Repeats made = new Repeats(request.id(), request.source().operationKb(), conditions);
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
        request.source().close();
    }
}
