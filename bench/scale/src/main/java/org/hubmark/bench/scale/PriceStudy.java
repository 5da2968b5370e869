package org.hubmark.bench.scale;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.UserError;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.scale.result.Latencies;
import org.hubmark.bench.scale.result.PriceResults;
import org.hubmark.bench.scale.result.PriceRun;
import org.hubmark.bench.scale.result.PricedQueue;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The price of replication: hubs with their queue on volumes, on one bookie and on three copies, one
 * after the other in each round, in the other order in every second one. Blocks; one thread.
 */
public final class PriceSession {
    private static final double NANOS = 1e9;
    private static final double MICROS = 1e3;

    private final PriceRequest request;
    private final Path folder;
    private final Progress progress;
    private final String startedAt = now();
    private final List<PriceRun> runs = new ArrayList<>();

    /**
     * Prepares.
     *
     * @param folder of the results; exists
     * @throws UserError where this machine can't play hosts
     */
    public PriceSession(PriceRequest request, Path folder) throws IOException {
        this.request = request;
        this.folder = folder;
        this.progress = new Progress(System.err, request.quiet());
        String obstacle = ClusterHosts.obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed("cluster price plays hosts on one machine: " + obstacle);
        }
    }

    /** {@return what was found, as far as it went} */
    public PriceResults run() throws IOException, InterruptedException {
        Environment environment = Machine.inspect(List.of()).with(Disclosure.of(null, null));
        try {
            for (int round = 1; round <= request.rounds(); round++) {
                List<PricedQueue> order = List.of(PricedQueue.values());
                for (PricedQueue queue : round % 2 == 1 ? order : order.reversed()) {
                    measure(round, queue);
                    var unused = write(environment, false);
                }
            }
        } catch (InterruptedException | IOException | UserError e) {
            // Whatever waits fails in its own way when it is interrupted.
            boolean interrupted = Thread.interrupted() || e instanceof InterruptedException;
            if (!interrupted) {
                throw e;
            }
            if (runs.isEmpty()) {
                throw new InterruptedException();
            }
            return write(environment, false);
        } finally {
            progress.close();
        }
        return write(environment, true);
    }

    private void measure(int round, PricedQueue queue) throws IOException, InterruptedException {
        String name = queue.text() + ", round " + round + " of " + request.rounds();
        progress.phase(name + ": start", Duration.ZERO);
        try (PricedHub hub =
                PricedHub.start(request, queue, folder.resolve("queue-" + queue.key()))) {
            for (int size : request.sizesBytes()) {
                progress.phase(
                        name + ", " + size + " octets", request.warmup().plus(request.measured()));
                PriceRun run = measure(hub, queue, round, size);
                runs.add(run);
                progress.note(String.format(
                        Locale.ROOT,
                        "%s, %d octets: %.1f messages a second",
                        name,
                        size,
                        run.throughputMsgsPerS()));
            }
        }
    }

    private PriceRun measure(PricedHub hub, PricedQueue queue, int round, int size)
            throws IOException, InterruptedException {
        HubLoads.Target target = new HubLoads.Target(
                hub.address(), request.connections(), null, size, request.seed() + round);
        try (HubLoads load = HubLoads.connect(List.of(target))) {
            load.begin();
            Thread.sleep(request.warmup());
            Histogram unused = load.takeLatencies();
            long fromNanos = System.nanoTime();
            LoadSnapshot before = load.snapshots().getFirst();
            PricedHub.Reading first = hub.read();
            Thread.sleep(request.measured());
            hub.requireAlive();
            long toNanos = System.nanoTime();
            LoadSnapshot after = load.snapshots().getFirst();
            PricedHub.Reading last = hub.read();
            Histogram latencies = load.takeLatencies();
            load.end(latencies);
            long accepted = after.accepted() - before.accepted();
            double bytes = (double) after.acceptedBytes() - before.acceptedBytes();
            Long sent = last.sentBytes();
            Long sentBefore = first.sentBytes();
            return new PriceRun(
                    round,
                    queue,
                    size,
                    accepted / ((toNanos - fromNanos) / NANOS),
                    Latencies.of(latencies),
                    accepted,
                    after.refused() - before.refused(),
                    after.failed() - before.failed(),
                    after.firstRefusal(),
                    share(last.hubCpuNanos() - first.hubCpuNanos(), accepted * MICROS),
                    queue.bookies() == 0
                            ? null
                            : share(
                                    last.brokerCpuNanos() - first.brokerCpuNanos(),
                                    accepted * MICROS),
                    queue.bookies() == 0
                            ? null
                            : share(
                                    last.bookieCpuNanos() - first.bookieCpuNanos(),
                                    accepted * MICROS),
                    share(last.writtenBytes() - first.writtenBytes(), bytes),
                    sent == null || sentBefore == null ? null : share(sent - sentBefore, bytes));
        }
    }

    private static @Nullable Double share(long what, double of) {
        return of == 0 ? null : (Double) (what / of);
    }

    private PriceResults write(Environment environment, boolean complete) throws IOException {
        PriceResults results = PriceResults.of(
                request.program().tool(),
                startedAt,
                now(),
                environment,
                request.command(),
                request.settings(),
                complete,
                runs);
        results.write(folder);
        return results;
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
