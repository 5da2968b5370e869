package org.hubmark.pulsar;

import org.hubmark.core.QueueMetric;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** What a hub counts of its queue on Pulsar. */
final class PulsarMetrics {
    /** Those that a broker is asked for. */
    static final List<Metric> BACKLOG = List.of(
            gauge(
                    "hubmark.cluster.backlog.entries",
                    "Entries of the topic `mail` that have not been delivered, for all hubs; a"
                            + " large message has several. Read from `pulsar.admin` every 5 s.",
                    queue -> backlog(queue).mail()),
            gauge(
                    "hubmark.cluster.dead.entries",
                    "The same for `mail-dead`: dead letters and messages that were set aside.",
                    queue -> backlog(queue).dead()));

    static final List<Metric> OWN = List.of(
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
        List<QueueMetric> metrics = new ArrayList<>();
        OWN.forEach(metric -> metrics.add(bind(metric, queue)));
        if (queue.backlog() != null) {
            BACKLOG.forEach(metric -> metrics.add(bind(metric, queue)));
        }
        return metrics;
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

    private static Backlog backlog(PulsarQueue queue) {
        return Objects.requireNonNull(queue.backlog());
    }
}
