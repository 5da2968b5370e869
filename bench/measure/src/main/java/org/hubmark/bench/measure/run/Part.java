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

import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A scenario while it is measured: its work, its .hlog file and its repeats. One thread. */
final class Part implements AutoCloseable {
    private final ScenarioRequest request;
    private final FileOutputStream histogramFile;
    private final HistogramLogWriter histograms;
    private @Nullable Repeats repeats;
    /** Of each repeat, in their order. */
    private final List<SustainedRate> sustained = new ArrayList<>();

    private long flushes;
    private boolean flushesKnown;

    Part(ScenarioRequest request, Path folder, Instant startedAt) throws IOException {
        this.request = request;
        this.histogramFile =
                new FileOutputStream(folder.resolve(histogramFile()).toFile());
        this.histograms = new HistogramLogWriter(histogramFile);
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

    /** {@return how long its .hlog file is, for {@link #cutTo}} */
    long histogramBytes() throws IOException {
        return histogramFile.getChannel().position();
    }

    /** Takes back the histograms that were written since the file was so long. */
    void cutTo(long histogramBytes) throws IOException {
        histogramFile.getChannel().truncate(histogramBytes);
    }

    /** {@return the highest rate that short trials say is sustained} */
    RateSearch.Found search(
            Pace.MaxSustained asked,
            @Nullable InetSocketAddress hub,
            Instruments instruments,
            boolean drains,
            Progress progress,
            Environment machine)
            throws IOException, InterruptedException {
        RateTrial trial = new RateTrial(
                pace -> request.source().trial(hub, pace),
                instruments,
                new RateTrial.Settings(request.title(), asked, drains, machine.logicalCores()),
                progress);
        RateSearch.Found found = trial.search();
        progress.note(request.title() + ": " + found.words());
        if (found.ratePerSecond() == 0) {
            throw UserError.failed(request.title() + ": no rate is sustained, " + found.words());
        }
        return found;
    }

    /** Notes at which rate a repeat was measured. */
    void sustains(SustainedRate rate) {
        sustained.add(rate);
    }

    /** Notes how many flushes a target's device got during a repeat. */
    void flushed(long count) {
        flushes += count;
        flushesKnown = true;
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
        Scenario scenario = measured.scenario().at(SustainedRate.median(sustained));
        return flushesKnown && request.source() instanceof MailSource mail
                ? scenario.judged(scenario.conditions()
                        .safety()
                        .counted(
                                flushes,
                                scenario.figures().counts().acceptedMsgs(),
                                mail.plan().connections()))
                : scenario;
    }

    @Override
    public void close() {
        histograms.close();
        request.source().close();
    }
}
