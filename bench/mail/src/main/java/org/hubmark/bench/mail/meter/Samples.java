package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.statistics.Percentile;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Figure;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Samples of a repeat, one for each second of its measured time. */
public final class Samples {
    /** What they tell: of the second, and how far the counters have grown since the measured time began. */
    public static final List<String> KEYS = Stream.concat(
                    Stream.of(
                            "time_s",
                            "elapsed_s",
                            "sent_msgs_per_s",
                            "accepted_msgs_per_s",
                            "refused_msgs",
                            "failed_msgs",
                            "delivered_msgs_per_s",
                            "queue_msgs",
                            "queue_mb",
                            "accept_p50_ms",
                            "accept_p99_ms",
                            "accept_max_ms",
                            "machine_cpu_percent",
                            "server_cpu_percent",
                            "driver_cpu_percent",
                            "log_writes_per_s",
                            "queue_writes_per_s",
                            "avg_log_write_latency_ms",
                            "avg_queue_write_latency_ms"),
                    Counters.SAMPLED.stream().map(Formula.Counter::key))
            .toList();

    private Samples() {}

    /**
     * {@return a sample}
     *
     * @param start of the measured time
     * @param before the snapshot before
     * @param now the snapshot at the end of the second
     */
    static double[] of(
            Snapshot start, Snapshot before, Snapshot now, Histogram latencies, int logicalCores) {
        Window second = new Window(before, now, logicalCores);
        Double delivered = now.hubSince(before, "hubmark_messages_delivered_total");
        Double bytes = now.hub("hubmark_queue_bytes");
        Stream<@Nullable Double> numbers = Stream.of(
                Instant.now().toEpochMilli() / 1e3,
                (now.nanos() - start.nanos()) / 1e9,
                (now.load().sent() - before.load().sent()) / second.seconds(),
                second.get(Figure.THROUGHPUT_MSGS_PER_S),
                (double) (now.load().refused() - before.load().refused()),
                (double) (now.load().failed() - before.load().failed()),
                delivered == null ? null : (Double) (delivered / second.seconds()),
                now.hub("hubmark_queue_messages"),
                bytes == null ? null : (Double) (bytes / 1e6),
                Percentile.millis(latencies, 50),
                Percentile.millis(latencies, 99),
                latencies.getTotalCount() == 0 ? null : (Double) (latencies.getMaxValue() / 1e6),
                second.get(Figure.MACHINE_CPU_PERCENT),
                second.serverCpuPercent(),
                second.get(Figure.DRIVER_CPU_PERCENT),
                second.get(Figure.LOG_WRITES_PER_S),
                second.get(Figure.QUEUE_WRITES_PER_S),
                second.get(Figure.AVG_LOG_WRITE_LATENCY_MS),
                second.get(Figure.AVG_QUEUE_WRITE_LATENCY_MS));
        Repeat grown = new Window(start, now, logicalCores).counted();
        return Stream.concat(
                        numbers.map(Samples::rounded), Counters.SAMPLED.stream().map(grown::count))
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private static double rounded(@Nullable Double number) {
        return number == null ? Double.NaN : Math.rint(1e3 * number) / 1e3;
    }
}
