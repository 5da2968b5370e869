package org.hubmark.bench.measure;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.measure.hub.HubClient;
import org.hubmark.bench.measure.hub.HubHistograms;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Knee;
import org.hubmark.bench.results.Results.AcceptLatency;
import org.hubmark.bench.results.Results.QueueResidence;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Sends at a few fixed rates up to one that was measured, each for some seconds, to see where waiting
 * sets in. Blocks; one thread.
 */
public final class KneeSweep {
    private static final List<Double> SHARES = List.of(0.5, 0.7, 0.8, 0.9, 1.0);
    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(30);

    private final RateTrial.Starter starter;
    private final Instruments instruments;
    private final Settings settings;
    private final Times times;
    private final Progress progress;

    /**
     * Settings of a sweep.
     *
     * @param title what the progress line says
     * @param drains whether the server's queue empties by itself
     */
    public record Settings(String title, boolean drains, long seed, int logicalCores) {}

    /**
     * Duration of each load.
     *
     * @param warmUp as fast as it goes, before the first step
     * @param settle of each step, before what counts
     */
    record Times(Duration warmUp, Duration settle, Duration counted) {
        static final Times USUAL =
                new Times(Duration.ofSeconds(8), Duration.ofSeconds(2), Duration.ofSeconds(6));

        Duration all() {
            return warmUp.plus(settle.plus(counted).multipliedBy(SHARES.size()));
        }
    }

    /** Prepares. */
    public KneeSweep(
            RateTrial.Starter starter,
            Instruments instruments,
            Settings settings,
            Progress progress) {
        this(starter, instruments, settings, Times.USUAL, progress);
    }

    KneeSweep(
            RateTrial.Starter starter,
            Instruments instruments,
            Settings settings,
            Times times,
            Progress progress) {
        this.starter = starter;
        this.instruments = instruments;
        this.settings = settings;
        this.times = times;
        this.progress = progress;
    }

    /** Sweeps up to a rate. */
    public Knee upTo(double ratePerSecond) throws IOException, InterruptedException {
        progress.phase(settings.title + " knee", times.all());
        try (Workload work = starter.start(new Pace.ClosedLoop())) {
            Snapshot begin = instruments.read(work);
            work.begin();
            instruments.time().sleep(times.warmUp);
            end(work, begin);
        }
        List<Knee.At> steps = new ArrayList<>();
        for (double share : SHARES) {
            steps.add(at(share, share * ratePerSecond));
        }
        Knee knee = Knee.of(steps);
        Double before = knee.rateMsgsPerS();
        progress.note(
                before == null
                        ? settings.title
                                + (steps.getFirst().acceptP99Ms() == null
                                        ? ": no knee can be told: too few messages for a p99"
                                        : ": no knee found from the lowest rate to the one that was"
                                                + " measured")
                        : String.format(
                                Locale.ROOT,
                                "%s: waiting sets in above %.0f msg/s",
                                settings.title,
                                before));
        return knee;
    }

    private Knee.At at(double share, double ratePerSecond)
            throws IOException, InterruptedException {
        Pace pace = Pace.OpenLoop.of(ratePerSecond, Arrivals.FIXED, settings.seed);
        try (Workload work = starter.start(pace)) {
            Snapshot begin = instruments.read(work);
            work.begin();
            instruments.time().sleep(times.settle);
            TakenLatencies.of(work);
            HubHistograms before = histograms();
            Snapshot from = instruments.read(work);
            instruments.time().sleep(times.counted);
            Snapshot to = instruments.read(work);
            Workload.Open open = work.end();
            Histogram latencies = TakenLatencies.of(work).with(open).intended();
            HubHistograms after = histograms();
            end(work, begin);
            Window window = new Window(from, to, settings.logicalCores);
            AcceptLatency latency = AcceptLatency.of(latencies);
            QueueResidence residence = before == null || after == null
                    ? null
                    : QueueResidence.of(after.since(before).residence());
            return new Knee.At(
                    share,
                    ratePerSecond,
                    window.get(Figure.THROUGHPUT_MSGS_PER_S),
                    latency == null ? null : latency.p99(),
                    residence == null ? null : residence.p99(),
                    window.get(Figure.MACHINE_CPU_PERCENT),
                    window.get(Figure.AVG_LOG_DISK_QUEUE_LENGTH),
                    window.get(Figure.AVG_QUEUE_DISK_QUEUE_LENGTH));
        }
    }

    private @Nullable HubHistograms histograms() throws IOException {
        HubClient hub = instruments.hub();
        return hub == null ? null : hub.histograms(false);
    }

    private void end(Workload work, Snapshot begin) throws IOException, InterruptedException {
        work.stop(ANSWERS_TIMEOUT);
        if (settings.drains) {
            QueueDrain.await(work, instruments, begin);
        }
    }
}
