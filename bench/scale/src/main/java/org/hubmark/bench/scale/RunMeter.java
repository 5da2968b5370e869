package org.hubmark.bench.scale;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.measure.hub.HubClient;
import org.hubmark.bench.scale.result.HostFigures;
import org.hubmark.bench.scale.result.Latencies;
import org.hubmark.bench.scale.result.ScaleRun;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Measures one run. Blocks; one thread. */
final class RunMeter {
    private static final double NANOS = 1e9;
    private static final double PERCENT = 100;

    private final HostedHubs hosted;
    private final HubLoads loads;

    RunMeter(HostedHubs hosted, HubLoads loads) {
        this.hosted = hosted;
        this.loads = loads;
    }

    /**
     * All counters at a moment.
     *
     * @param nanos System.nanoTime
     */
    private record Moment(
            long nanos,
            List<LoadSnapshot> loads,
            List<HostReading> hosts,
            List<@Nullable Histogram> residence,
            MachineCpu machine) {}

    /**
     * {@return what happened in the measured time}
     *
     * @param startS how long it took to start what is measured
     * @param isLast ends the load; else what is open at the end is measured by the next run
     */
    ScaleRun measure(int run, Duration measured, double startS, boolean isLast)
            throws IOException, InterruptedException {
        Histogram unused = loads.takeLatencies();
        Instant started = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Moment first = moment();
        Thread.sleep(measured);
        hosted.requireAlive();
        Moment last = moment();
        Histogram latencies = loads.takeLatencies();
        if (isLast) {
            loads.end(latencies);
        }
        double seconds = (last.nanos() - first.nanos()) / NANOS;
        List<HostFigures> figures = new ArrayList<>();
        long accepted = 0;
        long refused = 0;
        long failed = 0;
        long driverNanos = 0;
        String refusal = null;
        for (int i = 0; i < last.loads().size(); i++) {
            LoadSnapshot before = first.loads().get(i);
            LoadSnapshot now = last.loads().get(i);
            long own = now.accepted() - before.accepted();
            accepted += own;
            refused += now.refused() - before.refused();
            failed += now.failed() - before.failed();
            driverNanos += now.threadCpuNanos() - before.threadCpuNanos();
            refusal = refusal == null ? now.firstRefusal() : refusal;
            figures.add(last.hosts()
                    .get(i)
                    .since(
                            first.hosts().get(i),
                            i + 1,
                            own,
                            last.machine().coreTicks().size()));
        }
        return new ScaleRun(
                run,
                figures.size(),
                started.toString(),
                seconds,
                accepted / seconds,
                Latencies.of(latencies),
                arrivals(first, last),
                accepted,
                refused,
                failed,
                refusal,
                driverNanos / NANOS / seconds,
                busyPercent(first.machine(), last.machine()),
                startS,
                figures);
    }

    private Moment moment() throws IOException {
        List<@Nullable Histogram> residence = new ArrayList<>();
        for (HubClient client : hosted.clients()) {
            residence.add(client.histograms(false).residence());
        }
        return new Moment(
                System.nanoTime(),
                loads.snapshots(),
                hosted.read(),
                residence,
                MachineCpu.of(HostFiles.HERE));
    }

    /** Of what all hubs delivered meanwhile. */
    private static @Nullable Latencies arrivals(Moment first, Moment last) {
        Histogram all = new Histogram(3);
        for (int i = 0; i < last.residence().size(); i++) {
            Histogram now = last.residence().get(i);
            Histogram before = first.residence().get(i);
            if (now != null) {
                all.add(now);
            }
            if (before != null) {
                all.subtract(before);
            }
        }
        return Latencies.of(all);
    }

    private static @Nullable Double busyPercent(MachineCpu first, MachineCpu last) {
        long total = last.totalTicks() - first.totalTicks();
        return total == 0
                ? null
                : (Double) (PERCENT * (last.busyTicks() - first.busyTicks()) / total);
    }
}
