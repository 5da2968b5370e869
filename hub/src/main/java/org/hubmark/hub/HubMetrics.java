package org.hubmark.hub;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.hubmark.core.QueueMetric;
import org.hubmark.core.Receipt;
import org.hubmark.hub.delivery.DeadLetterRetention;
import org.hubmark.hub.delivery.Dispatcher;
import org.hubmark.hub.delivery.Settlement;
import org.hubmark.hub.pressure.BackPressure;
import org.hubmark.hub.pressure.QueueSampler;
import org.hubmark.hub.pressure.WatchedResource;
import org.hubmark.hub.relay.CallAhead;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.StoreStatistics;
import org.hubmark.smtp.Ending;
import org.hubmark.smtp.SmtpCounters;
import org.hubmark.smtp.SmtpReceiver;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Metrics of the hub, as Prometheus text. Everything is read from counters that the parts keep anyway;
 * nothing is recorded here. Any thread scrapes.
 */
final class HubMetrics implements AutoCloseable {
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final @Nullable QueueSampler sampler;
    /** Held here: the registry holds what it reads weakly. */
    private final List<QueueMetric> queue;

    /**
     * Binds all metrics.
     *
     * @param recipients null when nobody is asked about recipients; then these counters stay at 0
     * @param sampler null when there is no store
     * @param retention likewise
     * @param dispatcher null when nothing is delivered; then these counters stay at 0
     * @param queue what it counts itself
     */
    HubMetrics(
            SmtpReceiver receiver,
            @Nullable CallAhead recipients,
            ObservedIntake intake,
            TrackingLog tracking,
            BackPressure pressure,
            @Nullable QueueSampler sampler,
            @Nullable DeadLetterRetention retention,
            @Nullable Dispatcher dispatcher,
            List<QueueMetric> queue) {
        this.sampler = sampler;
        this.queue = List.copyOf(queue);
        bindIntake(receiver, intake);
        bindConnections(receiver);
        bindChecks(recipients);
        bindPressure(receiver, pressure);
        if (sampler != null || dispatcher != null) {
            bindDelivery(dispatcher);
        }
        if (sampler != null) {
            bindQueue(sampler);
            bindLog(sampler);
            bindDatabase(sampler);
        }
        if (retention != null) {
            bindRetention(retention);
        }
        this.queue.forEach(this::bind);
        counter(
                "hubmark.tracking.dropped",
                "Events that are not in the tracking log because it could not keep up.",
                tracking.dropped());
        bindJvm(registry);
        gc.bindTo(registry);
    }

    private static void bindJvm(MeterRegistry registry) {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Loads the library that counts. Else the first of these does. */
    static void preload() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        bindJvm(registry);
        registry.close();
    }

    /** {@return all metrics as they stand now, in the Prometheus text format} */
    String scrape() {
        if (sampler != null) {
            sampler.sample();
        }
        return registry.scrape();
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }

    private void bind(QueueMetric metric) {
        switch (metric.kind()) {
            case GAUGE ->
                Gauge.builder(metric.name(), metric, source -> source.value().getAsDouble())
                        .description(metric.meaning())
                        .register(registry);
            case COUNTER ->
                FunctionCounter.builder(
                                metric.name(), metric, source -> source.value().getAsDouble())
                        .description(metric.meaning())
                        .register(registry);
        }
    }

    private void bindIntake(SmtpReceiver receiver, ObservedIntake intake) {
        SmtpCounters counters = receiver.counters();
        counter(
                "hubmark.messages.accepted",
                "Messages answered with 250.",
                counters.messagesAccepted);
        counter(
                "hubmark.accepted.bytes",
                "Octets of content of the messages answered with 250.",
                counters.bytesAccepted);
        for (Receipt.Reason reason : Receipt.Reason.values()) {
            LongAdder refusals = intake.refusals(reason);
            boolean memory = reason == Receipt.Reason.BYTES_IN_FLIGHT;
            refused(
                    reason.name().toLowerCase(Locale.ROOT),
                    refusals,
                    adder -> adder.sum() + (memory ? memoryRefusals(receiver) : 0));
        }
        refused("content", counters.messagesRejected, LongAdder::sum);
    }

    private static long memoryRefusals(SmtpReceiver receiver) {
        return receiver.budget().refusals() + receiver.envelopeBudget().refusals();
    }

    private void connectionsRefused(String reason, LongAdder source) {
        FunctionCounter.builder("hubmark.smtp.connections.refused", source, LongAdder::sum)
                .description("SMTP connections refused with 421, by the limit: of the hub, of their"
                        + " address at once, of their address a minute.")
                .tag("reason", reason)
                .register(registry);
    }

    private <T> void refused(String reason, T source, ToDoubleFunction<T> value) {
        FunctionCounter.builder("hubmark.messages.refused", source, value)
                .description("Mail that was refused at MAIL, DATA or the end of data, by reason;"
                        + " content: with 5xx because of the content.")
                .tag("reason", reason)
                .register(registry);
    }

    private void bindConnections(SmtpReceiver receiver) {
        SmtpCounters counters = receiver.counters();
        Gauge.builder("hubmark.smtp.connections.open", counters, HubMetrics::connectionsNow)
                .description("SMTP connections open now.")
                .register(registry);
        counter("hubmark.smtp.connections", "SMTP connections taken.", counters.connectionsOpened);
        connectionsRefused("total", counters.connectionsRefused);
        connectionsRefused("address", counters.addressConnectionsRefused);
        connectionsRefused("address_rate", counters.addressRateRefused);
        for (Ending ending : Ending.values()) {
            FunctionCounter.builder(
                            "hubmark.smtp.connections.ended",
                            counters.ended(ending),
                            LongAdder::sum)
                    .description("SMTP connections that the hub ended, by the fault of the peer.")
                    .tag("reason", ending.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        counter(
                "hubmark.smtp.command.errors",
                "SMTP commands answered with 5xx.",
                counters.commandErrors);
        counter(
                "hubmark.smtp.timeouts",
                "SMTP connections ended because something did not come in time.",
                counters.timeouts);
        counter(
                "hubmark.smtp.tls.handshakes",
                "TLS handshakes after STARTTLS that succeeded.",
                counters.tlsHandshakes);
        counter(
                "hubmark.smtp.relaying.denied",
                "Recipients refused because neither smtp.relay-from has the client nor"
                        + " smtp.accept-domains the domain.",
                counters.relayingDenied);
        counter(
                "hubmark.smtp.recipients.refused",
                "Recipients refused because the next hop refuses them, with smtp.verify-recipients.",
                counters.recipientsRefused);
        counter(
                "hubmark.smtp.tls.failures",
                "TLS handshakes that failed, and STARTTLS commands followed by plain text in the"
                        + " same read.",
                counters.tlsFailures);
        Gauge.builder("hubmark.content.bytes.in.flight", receiver.budget(), b -> b.bytesUsed())
                .description("Bytes of memory in use for content being received or committed.")
                .register(registry);
        Gauge.builder(
                        "hubmark.envelope.bytes.in.flight",
                        receiver.envelopeBudget(),
                        b -> b.bytesUsed())
                .description("Bytes of memory in use for envelopes being received or committed.")
                .register(registry);
    }

    private void bindChecks(@Nullable CallAhead recipients) {
        LongAdder none = new LongAdder();
        checks("accepted", recipients == null ? none : recipients.accepted());
        checks("refused", recipients == null ? none : recipients.refused());
        checks("unanswered", recipients == null ? none : recipients.unanswered());
        checks("unasked", recipients == null ? none : recipients.unasked());
    }

    private void checks(String result, LongAdder source) {
        FunctionCounter.builder("hubmark.smtp.recipient.checks", source, LongAdder::sum)
                .description("Recipients that the next hop was asked about at RCPT, by its answer;"
                        + " unasked: recipients that it could not be asked about, which are taken.")
                .tag("result", result)
                .register(registry);
    }

    private void bindPressure(SmtpReceiver receiver, BackPressure pressure) {
        Gauge.builder(
                        "hubmark.back.pressure.level",
                        pressure,
                        source -> source.level().number())
                .description("The level of back pressure: 0 normal, 1 medium (replies to MAIL are"
                        + " slowed), 2 high (MAIL is refused).")
                .register(registry);
        for (WatchedResource resource : pressure.resources()) {
            Gauge.builder(
                            "hubmark.back.pressure.resource.level",
                            resource,
                            source -> source.level().number())
                    .description("The level of back pressure by resource: 0 normal, 1 medium, 2"
                            + " high; the highest one counts.")
                    .tag("resource", resource.name())
                    .register(registry);
            FunctionCounter.builder(
                            "hubmark.back.pressure.seconds",
                            resource.nanosAboveNormal(),
                            nanos -> nanos.sum() / NANOS_PER_SECOND)
                    .description("Seconds for which a resource had a level above normal.")
                    .tag("resource", resource.name())
                    .register(registry);
        }
        counter(
                "hubmark.smtp.mail.pauses",
                "Replies to MAIL that were held back, at a medium level of back pressure.",
                receiver.counters().mailPauses);
    }

    private void bindDelivery(@Nullable Dispatcher dispatcher) {
        settled(
                "hubmark.messages.delivered",
                "Messages that left the queue, delivered to all or some of their recipients.",
                dispatcher,
                Settlement::delivered);
        settled(
                "hubmark.messages.deferred",
                "Attempts to deliver that were put off, for all or some recipients.",
                dispatcher,
                Settlement::deferred);
        settled(
                "hubmark.messages.returned",
                "Status notifications sent because recipients could not be delivered to.",
                dispatcher,
                Settlement::returned);
        settled(
                "hubmark.messages.dead",
                "Messages that became dead letters.",
                dispatcher,
                Settlement::dead);
    }

    private void settled(
            String name,
            String description,
            @Nullable Dispatcher dispatcher,
            Function<Settlement, LongAdder> count) {
        counter(
                name,
                description,
                dispatcher == null ? new LongAdder() : count.apply(dispatcher.settlement()));
    }

    private void bindQueue(QueueSampler sampler) {
        gauge(
                sampler,
                "hubmark.queue.messages",
                "Messages in the queue, deferred, dead and damaged ones too.",
                now -> now.length().messages());
        gauge(
                sampler,
                "hubmark.queue.bytes",
                "Octets of content in the queue.",
                now -> now.length().bytes());
        gauge(
                sampler,
                "hubmark.dead.messages",
                "Dead letters in the queue.",
                now -> now.length().deadMessages());
        gauge(
                sampler,
                "hubmark.dead.bytes",
                "Octets of content of the dead letters in the queue.",
                now -> now.length().deadBytes());
        gauge(
                sampler,
                "hubmark.damaged.messages",
                "Messages in the queue that were set aside.",
                now -> now.length().damagedMessages());
        Gauge.builder("hubmark.queue.messages.max", sampler, QueueSampler::messagesMax)
                .description("Most messages in the queue since the start or the last"
                        + " POST to /histograms/reset, sampled each 100 ms.")
                .register(registry);
        Gauge.builder("hubmark.queue.bytes.max", sampler, QueueSampler::bytesMax)
                .description("Most octets of content in the queue since the start or the last"
                        + " POST to /histograms/reset, sampled each 100 ms.")
                .register(registry);
    }

    private void bindRetention(DeadLetterRetention retention) {
        Gauge.builder("hubmark.dead.oldest.seconds", retention, DeadLetterRetention::oldestSeconds)
                .description(
                        "Time since the death of the oldest dead letter, as of the last removal"
                                + " pass.")
                .register(registry);
        counter(
                "hubmark.dead.removed",
                "Dead letters that were removed because of their limits.",
                retention.removed());
    }

    private void bindLog(QueueSampler sampler) {
        counter(
                sampler,
                "hubmark.log.writes",
                "Write calls to the log volume.",
                now -> now.log().writes());
        counter(
                sampler,
                "hubmark.log.written.bytes",
                "Bytes written to the log volume.",
                now -> now.log().bytesWritten());
        counter(
                sampler,
                "hubmark.log.syncs",
                "Data syncs of the log.",
                now -> now.log().syncs());
        counter(
                sampler,
                "hubmark.log.write.seconds",
                "Seconds spent in writes and syncs of the log.",
                now -> now.log().writeNanos() / NANOS_PER_SECOND);
        counter(
                sampler,
                "hubmark.log.reads",
                "Read calls on the log volume.",
                now -> now.log().reads());
        counter(sampler, "hubmark.groups", "Groups committed.", now -> now.log().groups());
        counter(
                sampler,
                "hubmark.message.groups",
                "Groups committed that hold accepted messages.",
                now -> now.log().messageGroups());
        counter(
                sampler,
                "hubmark.checkpoints",
                "Parts of the log moved to the queue database.",
                now -> now.database().checkpoints());
    }

    private void bindDatabase(QueueSampler sampler) {
        counter(
                sampler,
                "hubmark.queue.writes",
                "Write calls to the queue volume.",
                now -> now.database().writes());
        counter(
                sampler,
                "hubmark.queue.written.bytes",
                "Bytes written to the queue volume.",
                now -> now.database().bytesWritten());
        counter(
                sampler,
                "hubmark.queue.reads",
                "Read calls on the queue volume.",
                now -> now.database().reads());
    }

    private void gauge(
            QueueSampler sampler,
            String name,
            String description,
            ToDoubleFunction<StoreStatistics> value) {
        Gauge.builder(name, sampler, source -> value.applyAsDouble(source.last()))
                .description(description)
                .register(registry);
    }

    private void counter(
            QueueSampler sampler,
            String name,
            String description,
            ToDoubleFunction<StoreStatistics> value) {
        FunctionCounter.builder(name, sampler, source -> value.applyAsDouble(source.last()))
                .description(description)
                .register(registry);
    }

    private void counter(String name, String description, LongAdder source) {
        FunctionCounter.builder(name, source, LongAdder::sum)
                .description(description)
                .register(registry);
    }

    /** Closed is read first, so that the difference isn't negative. */
    private static double connectionsNow(SmtpCounters counters) {
        long closed = counters.connectionsClosed.sum();
        return counters.connectionsOpened.sum() - closed;
    }
}
