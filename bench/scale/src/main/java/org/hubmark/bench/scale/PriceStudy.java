package org.hubmark.bench.scale;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.Growth;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.scale.result.Price;
import org.hubmark.bench.scale.result.PricedQueue;
import org.hubmark.bench.scale.result.ScaleOut;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The price of replication: hubs with their queue on volumes, on one bookie and on three copies, one
 * after the other in each round, in the other order in every second one. Blocks; one thread.
 */
public final class PriceStudy implements Study {
    private final PriceRequest request;

    /**
     * Prepares.
     *
     * @throws UserError where this machine can't play hosts
     */
    public PriceStudy(PriceRequest request) throws IOException {
        this.request = request;
        String obstacle = ClusterHosts.obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed("cluster price plays hosts on one machine: " + obstacle);
        }
    }

    @Override
    public Kind kind() {
        return Price.KIND;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        for (int size : request.sizesBytes().stream().sorted().distinct().toList()) {
            for (PricedQueue queue : PricedQueue.values()) {
                context.expect(Price.ROWS, names(queue, size));
            }
        }
        for (int round = 1; round <= request.rounds(); round++) {
            List<PricedQueue> order = List.of(PricedQueue.values());
            for (PricedQueue queue : round % 2 == 1 ? order : order.reversed()) {
                if (isMissing(context, round, queue)) {
                    measure(context, round, queue);
                }
            }
        }
        return context.document();
    }

    private boolean isMissing(Context context, int round, PricedQueue queue) {
        return request.sizesBytes().stream()
                .anyMatch(size -> context.repeats(Price.ROWS, names(queue, size)) < round);
    }

    private static Map<Name, Object> names(PricedQueue queue, int size) {
        return Map.of(Price.QUEUE, queue.text(), Price.SIZE, size);
    }

    private void measure(Context context, int round, PricedQueue queue)
            throws IOException, InterruptedException {
        String name = queue.text() + ", round " + round + " of " + request.rounds();
        context.phase(name + ": start", Duration.ZERO);
        try (PricedHub hub =
                PricedHub.start(request, queue, context.folder().resolve("queue-" + queue.key()))) {
            for (int size : request.sizesBytes()) {
                context.phase(
                        name + ", " + size + " octets", request.warmup().plus(request.measured()));
                Repeat run = context.repeat(
                        Price.ROWS,
                        names(queue, size),
                        round,
                        () -> measure(hub, queue, round, size, context));
                context.note(name + ", " + size + " octets: " + ScaleOut.rate(run));
            }
        }
    }

    private Repeat measure(PricedHub hub, PricedQueue queue, int round, int size, Context context)
            throws IOException, InterruptedException {
        Clock clock = context.clock();
        HubLoads.Target target = new HubLoads.Target(
                hub.address(), request.connections(), null, size, request.seed() + round);
        try (HubLoads load = HubLoads.connect(List.of(target))) {
            load.begin();
            clock.sleep(request.warmup());
            Histogram unused = load.takeLatencies();
            long fromNanos = clock.nanos();
            LoadSnapshot before = load.snapshots().getFirst();
            PricedHub.Reading first = hub.read();
            Repeat.Builder counted = Repeat.counted();
            try (MachineMeter machine = MachineMeter.begin(hub.machine(), context::others)) {
                clock.sleep(request.measured());
                hub.requireAlive();
                machine.end(counted);
            }
            long toNanos = clock.nanos();
            LoadSnapshot after = load.snapshots().getFirst();
            PricedHub.Reading last = hub.read();
            Histogram latencies = load.takeLatencies();
            load.end(latencies);
            boolean isCluster = queue.bookies() > 0;
            return counted.name(Price.ROUND, round)
                    .name(ScaleOut.REFUSAL, after.firstRefusal())
                    .count(ScaleOut.MEASURED_NS, toNanos - fromNanos)
                    .count(ScaleOut.ACCEPTED, after.accepted() - before.accepted())
                    .count(Price.ACCEPTED_BYTES, after.acceptedBytes() - before.acceptedBytes())
                    .count(ScaleOut.REFUSED, after.refused() - before.refused())
                    .count(ScaleOut.FAILED, after.failed() - before.failed())
                    .count(ScaleOut.HUB_CPU_NS, last.hubCpuNanos() - first.hubCpuNanos())
                    .count(
                            ScaleOut.BROKER_CPU_NS,
                            isCluster
                                    ? (Long) (last.brokerCpuNanos() - first.brokerCpuNanos())
                                    : null)
                    .count(
                            ScaleOut.BOOKIE_CPU_NS,
                            isCluster
                                    ? (Long) (last.bookieCpuNanos() - first.bookieCpuNanos())
                                    : null)
                    .count(ScaleOut.WRITTEN_BYTES, last.writtenBytes() - first.writtenBytes())
                    .count(ScaleOut.SENT_BYTES, Growth.of(first.sentBytes(), last.sentBytes()))
                    .times(ScaleOut.SEND, latencies)
                    .made();
        }
    }
}
