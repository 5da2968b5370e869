package org.hubmark.pulsar;

import org.hubmark.core.QueueMetric;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** What a hub counts of its queue on Pulsar. */
final class PulsarMetrics {
    static final List<Metric> ALL = List.of(
            gauge(
                    "hubmark.cluster.connected",
                    "1 while the hub is connected to the broker that owns the topic, else 0.",
                    queue -> queue.connected() ? 1 : 0),
            new Metric(
                    "hubmark.cluster.handed.out.again",
                    "Messages that a broker handed out again although they had left the"
                            + " queue; they were not delivered a second time.",
                    QueueMetric.Kind.COUNTER,
                    PulsarQueue::handedOutAgain),
            gauge(
                    "hubmark.cluster.leased.bytes",
                    "Octets of the messages that are being delivered.",
                    PulsarQueue::leasedBytes),
            gauge(
                    "hubmark.cluster.leased.messages",
                    "Messages that are being delivered.",
                    PulsarQueue::leased),
            gauge(
                    "hubmark.cluster.pending.bytes",
                    "Octets sent to the cluster that it has not acknowledged, with what"
                            + " has been received of large messages.",
                    queue -> queue.intake().pendingBytes()),
            gauge(
                    "hubmark.cluster.pending.messages",
                    "Messages sent to the cluster that it has not acknowledged.",
                    queue -> queue.intake().pending()));

    private PulsarMetrics() {}

    /** A figure, without the queue that it is of. */
    record Metric(
            String name,
            String meaning,
            QueueMetric.Kind kind,
            ToDoubleFunction<PulsarQueue> value) {}

    static List<QueueMetric> of(PulsarQueue queue) {
        return ALL.stream().map(metric -> bind(metric, queue)).toList();
    }

    private static QueueMetric bind(Metric metric, PulsarQueue queue) {
        return new QueueMetric(
                metric.name(),
                metric.meaning(),
                metric.kind(),
                () -> metric.value().applyAsDouble(queue));
    }

    private static Metric gauge(String name, String meaning, ToDoubleFunction<PulsarQueue> value) {
        return new Metric(name, meaning, QueueMetric.Kind.GAUGE, value);
    }
}
