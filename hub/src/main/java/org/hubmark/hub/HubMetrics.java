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

import org.hubmark.core.ContentBudget;
import org.hubmark.core.Receipt;
import org.hubmark.hub.delivery.DeadLetterRetention;
import org.hubmark.hub.delivery.Dispatcher;
import org.hubmark.hub.delivery.Settlement;
import org.hubmark.hub.pressure.BackPressure;
import org.hubmark.hub.pressure.PressureLevel;
import org.hubmark.hub.pressure.QueueSampler;
import org.hubmark.hub.pressure.WatchedResource;
import org.hubmark.hub.relay.CallAhead;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.smtp.Ending;
import org.hubmark.smtp.SmtpCounters;
import org.hubmark.smtp.SmtpReceiver;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/**
 * Metrics of the hub, as Prometheus text; what each means stands in {@code metrics.properties}. Everything is
 * read from counters that the parts keep anyway; nothing is recorded here. Any thread scrapes.
 */
final class HubMetrics implements AutoCloseable {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Map<String, String> meanings = Texts.of("metrics.properties");
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final @Nullable QueueSampler sampler;
    /** The registry holds what it reads weakly. */
    private final List<DoubleSupplier> held = new ArrayList<>();

    /**
     * Binds all metrics.
     *
     * @param recipients null when nobody is asked about recipients; then these counters stay at 0
     * @param sampler null when there is no store
     * @param retention likewise
     * @param dispatcher null when nothing is delivered; then these counters stay at 0
     */
    HubMetrics(
            SmtpReceiver receiver,
            @Nullable CallAhead recipients,
            ObservedIntake intake,
            TrackingLog tracking,
            BackPressure pressure,
            @Nullable QueueSampler sampler,
            @Nullable DeadLetterRetention retention,
            @Nullable Dispatcher dispatcher) {
        this.sampler = sampler;
        bindReceiver(receiver, intake);
        bindConnections(receiver.counters());
        bindChecks(recipients);
        bindPressure(pressure);
        if (sampler != null || dispatcher != null) {
            bindDelivery(dispatcher == null ? null : dispatcher.settlement());
        }
        if (sampler != null) {
            bindQueue(sampler);
            bindWork(sampler);
        }
        if (retention != null) {
            counter("hubmark.dead.removed", retention.removed()::sum);
        }
        counter("hubmark.tracking.dropped", tracking.dropped()::sum);
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
            var unused = sampler.sample();
        }
        return registry.scrape();
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }

    private void bindReceiver(SmtpReceiver receiver, ObservedIntake intake) {
        ContentBudget contents = receiver.budget();
        ContentBudget envelopes = receiver.envelopeBudget();
        SmtpCounters smtp = receiver.counters();
        for (Receipt.Reason reason : Receipt.Reason.values()) {
            LongAdder refusals = intake.refusals(reason);
            boolean memory = reason == Receipt.Reason.BYTES_IN_FLIGHT;
            refused(
                    reason,
                    () -> refusals.sum()
                            + (memory ? contents.refusals() + envelopes.refusals() : 0));
        }
        refused("content", smtp.messagesRejected::sum);
        gauge("hubmark.content.bytes.in.flight", contents::bytesUsed);
        gauge("hubmark.envelope.bytes.in.flight", envelopes::bytesUsed);
    }

    private void refused(Object reason, DoubleSupplier value) {
        counter("hubmark.messages.refused", value, "reason", reason);
    }

    private void bindConnections(SmtpCounters smtp) {
        counter("hubmark.messages.accepted", smtp.messagesAccepted::sum);
        counter("hubmark.accepted.bytes", smtp.bytesAccepted::sum);
        gauge("hubmark.smtp.connections.open", () -> connectionsNow(smtp));
        counter("hubmark.smtp.connections", smtp.connectionsOpened::sum);
        connectionsRefused("total", smtp.connectionsRefused);
        connectionsRefused("address", smtp.addressConnectionsRefused);
        connectionsRefused("address_rate", smtp.addressRateRefused);
        for (Ending ending : Ending.values()) {
            LongAdder ended = smtp.ended(ending);
            counter("hubmark.smtp.connections.ended", ended::sum, "reason", ending);
        }
        counter("hubmark.smtp.command.errors", smtp.commandErrors::sum);
        counter("hubmark.smtp.timeouts", smtp::timeouts);
        counter("hubmark.smtp.tls.handshakes", smtp.tlsHandshakes::sum);
        counter("hubmark.smtp.tls.failures", smtp.tlsFailures::sum);
        counter("hubmark.smtp.relaying.denied", smtp.relayingDenied::sum);
        counter("hubmark.smtp.recipients.refused", smtp.recipientsRefused::sum);
        counter("hubmark.smtp.mail.pauses", smtp.mailPauses::sum);
    }

    private void connectionsRefused(String reason, LongAdder source) {
        counter("hubmark.smtp.connections.refused", source::sum, "reason", reason);
    }

    private void bindChecks(@Nullable CallAhead recipients) {
        for (CallAhead.Result result : CallAhead.Result.values()) {
            LongAdder count = recipients == null ? new LongAdder() : recipients.count(result);
            counter("hubmark.smtp.recipient.checks", count::sum, "result", result);
        }
    }

    private void bindPressure(BackPressure pressure) {
        gauge("hubmark.back.pressure.level", () -> number(pressure.level()));
        for (WatchedResource resource : pressure.resources()) {
            gauge(
                    "hubmark.back.pressure.resource.level",
                    () -> number(resource.level()),
                    "resource",
                    resource.name());
            counter(
                    "hubmark.back.pressure.seconds",
                    () -> resource.nanosAboveNormal().sum() / NANOS_PER_SECOND,
                    "resource",
                    resource.name());
        }
    }

    private void bindDelivery(@Nullable Settlement settled) {
        LongAdder none = new LongAdder();
        counter("hubmark.messages.delivered", (settled == null ? none : settled.delivered())::sum);
        counter("hubmark.messages.deferred", (settled == null ? none : settled.deferred())::sum);
        counter("hubmark.messages.returned", (settled == null ? none : settled.returned())::sum);
        counter("hubmark.messages.dead", (settled == null ? none : settled.dead())::sum);
    }

    private void bindQueue(QueueSampler queue) {
        gauge("hubmark.queue.messages", () -> queue.last().length().messages());
        gauge("hubmark.queue.bytes", () -> queue.last().length().bytes());
        gauge("hubmark.dead.messages", () -> queue.last().length().deadMessages());
        gauge("hubmark.dead.bytes", () -> queue.last().length().deadBytes());
        gauge("hubmark.damaged.messages", () -> queue.last().length().damagedMessages());
        gauge("hubmark.queue.messages.max", queue::messagesMax);
        gauge("hubmark.queue.bytes.max", queue::bytesMax);
    }

    private void bindWork(QueueSampler queue) {
        counter("hubmark.log.writes", () -> queue.last().log().writes());
        counter("hubmark.log.written.bytes", () -> queue.last().log().bytesWritten());
        counter("hubmark.log.syncs", () -> queue.last().log().syncs());
        counter(
                "hubmark.log.write.seconds",
                () -> queue.last().log().writeNanos() / NANOS_PER_SECOND);
        counter("hubmark.log.reads", () -> queue.last().log().reads());
        counter("hubmark.groups", () -> queue.last().log().groups());
        counter("hubmark.message.groups", () -> queue.last().log().messageGroups());
        counter("hubmark.checkpoints", () -> queue.last().database().checkpoints());
        counter("hubmark.queue.writes", () -> queue.last().database().writes());
        counter("hubmark.queue.written.bytes", () -> queue.last().database().bytesWritten());
        counter("hubmark.queue.reads", () -> queue.last().database().reads());
    }

    /** Tags are a key and its value, in small letters. */
    private void counter(String name, DoubleSupplier value, Object... tags) {
        held.add(value);
        FunctionCounter.builder(name, value, DoubleSupplier::getAsDouble)
                .description(meanings.get(name))
                .tags(tags(tags))
                .register(registry);
    }

    private void gauge(String name, DoubleSupplier value, Object... tags) {
        held.add(value);
        Gauge.builder(name, value, DoubleSupplier::getAsDouble)
                .description(meanings.get(name))
                .tags(tags(tags))
                .register(registry);
    }

    private static String[] tags(Object... tags) {
        return Arrays.stream(tags)
                .map(tag -> tag.toString().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
    }

    private static double number(PressureLevel level) {
        return level.compareTo(PressureLevel.NORMAL);
    }

    /** Closed is read first, so that the difference isn't negative. */
    private static double connectionsNow(SmtpCounters counters) {
        long closed = counters.connectionsClosed.sum();
        return counters.connectionsOpened.sum() - closed;
    }
}
