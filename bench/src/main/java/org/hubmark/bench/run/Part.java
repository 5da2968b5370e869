package org.hubmark.bench.run;

import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.measure.Repeats;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Scenario;
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

    Part(ScenarioRequest request, Path folder, Instant startedAt) throws IOException {
        this.request = request;
        this.startedAt = startedAt;
        this.histograms =
                new HistogramLogWriter(folder.resolve(request.id() + ".hlog").toFile());
        histograms.outputComment("[Accept latency of " + request.title()
                + " messages in nanoseconds, one interval a second of measured time]");
        histograms.outputLogFormatVersion();
        histograms.outputStartTime(startedAt.toEpochMilli());
        histograms.setBaseTime(startedAt.toEpochMilli());
        histograms.outputLegend();
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
        Repeats found = repeats;
        return found == null || !found.any() ? null : found.scenario();
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
