package org.hubmark.bench.scale;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.scale.result.ScaleOut;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Measures one run. Blocks; one thread. */
final class RunMeter {
    private final HostedHubs hosted;
    private final HubLoads loads;
    private final Clock clock;
    private final Supplier<List<String>> others;
    private final int cores;

    /**
     * Prepares.
     *
     * @param cores of the machine that are online
     * @param others tells which other runs measure now
     */
    RunMeter(
            HostedHubs hosted,
            HubLoads loads,
            Clock clock,
            int cores,
            Supplier<List<String>> others) {
        this.hosted = hosted;
        this.loads = loads;
        this.clock = clock;
        this.cores = cores;
        this.others = others;
    }

    /**
     * All counters at a moment.
     *
     * @param nanos System.nanoTime
     */
    private record Moment(long nanos, List<LoadSnapshot> loads, List<HostReading> hosts) {}

    /**
     * {@return what happened in the measured time}
     *
     * @param isLast ends the load; else what is open at the end is measured by the next run
     */
    Repeat measure(int run, Duration measured, boolean isLast)
            throws IOException, InterruptedException {
        Histogram unused = loads.takeLatencies();
        Instant started = clock.now();
        Repeat.Builder counted = Repeat.counted();
        Moment first;
        Moment last;
        try (MachineMeter machine = MachineMeter.begin(hosted.machine(), others)) {
            first = moment();
            clock.sleep(measured);
            hosted.requireAlive();
            last = moment();
            machine.end(counted);
        }
        Histogram latencies = loads.takeLatencies();
        if (isLast) {
            loads.end(latencies);
        }
        List<Repeat> hosts = new ArrayList<>();
        long refused = 0;
        long failed = 0;
        String refusal = null;
        for (int i = 0; i < last.loads().size(); i++) {
            LoadSnapshot before = first.loads().get(i);
            LoadSnapshot now = last.loads().get(i);
            refused += now.refused() - before.refused();
            failed += now.failed() - before.failed();
            refusal = refusal == null ? now.firstRefusal() : refusal;
            hosts.add(last.hosts()
                    .get(i)
                    .since(first.hosts().get(i), i + 1, now.accepted() - before.accepted(), cores));
        }
        return run(counted, run, started, hosts)
                .name(ScaleOut.REFUSAL, refusal)
                .count(ScaleOut.MEASURED_NS, last.nanos() - first.nanos())
                .count(ScaleOut.REFUSED, refused)
                .count(ScaleOut.FAILED, failed)
                .times(ScaleOut.SEND, latencies)
                .made();
    }

    /**
     * {@return a run to take down the rest of, with the sums over its hosts}
     *
     * @param all is added to
     */
    static Repeat.Builder run(Repeat.Builder all, int run, Instant started, List<Repeat> hosts) {
        var unused = all.name(ScaleOut.RUN, run)
                .name(ScaleOut.STARTED, started.toString())
                .parts(ScaleOut.HOST_FIGURES, hosts);
        for (Formula.Counter counter : List.of(
                ScaleOut.ACCEPTED,
                ScaleOut.HUB_CPU_NS,
                ScaleOut.BROKER_CPU_NS,
                ScaleOut.BOOKIE_CPU_NS,
                ScaleOut.MEMORY_BYTES)) {
            double sum = hosts.stream().mapToDouble(host -> host.count(counter)).sum();
            // Of one host that isn't known the sum isn't either.
            all.count(counter, Double.isNaN(sum) ? null : (Double) sum);
        }
        return all;
    }

    private Moment moment() throws IOException {
        return new Moment(clock.nanos(), loads.snapshots(), hosted.read());
    }
}
