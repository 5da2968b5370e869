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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

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
    /** The registry holds what it reads weakly. */
    private final List<DoubleSupplier> held = new ArrayList<>();

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
        for (QueueMetric metric : queue) {
            switch (metric.kind()) {
                case GAUGE -> gauge(metric.name(), metric.meaning(), metric.value());
                case COUNTER -> counter(metric.name(), metric.meaning(), metric.value());
            }
        }
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

    private void bindIntake(SmtpReceiver receiver, ObservedIntake intake) {
        SmtpCounters smtp = receiver.counters();
        counter("hubmark.messages.accepted", "Messages answered with 250.", smtp.messagesAccepted);
        counter(
                "hubmark.accepted.bytes",
                "Octets of content of the messages answered with 250.",
                smtp.bytesAccepted);
        for (Receipt.Reason reason : Receipt.Reason.values()) {
            LongAdder refusals = intake.refusals(reason);
            boolean memory = reason == Receipt.Reason.BYTES_IN_FLIGHT;
            refused(reason, () -> refusals.sum() + (memory ? memoryRefusals(receiver) : 0));
        }
        refused("content", smtp.messagesRejected::sum);
    }

    private static long memoryRefusals(SmtpReceiver receiver) {
        return receiver.budget().refusals() + receiver.envelopeBudget().refusals();
    }

    private void refused(Object reason, DoubleSupplier value) {
        counter(
                "hubmark.messages.refused",
                "Mail that was refused at MAIL, DATA or the end of data, by reason; content: with"
                        + " 5xx because of the content.",
                value,
                "reason",
                reason);
    }

    private void bindConnections(SmtpReceiver receiver) {
        SmtpCounters smtp = receiver.counters();
        gauge(
                "hubmark.smtp.connections.open",
                "SMTP connections open now.",
                () -> connectionsNow(smtp));
        counter("hubmark.smtp.connections", "SMTP connections taken.", smtp.connectionsOpened);
        connectionsRefused("total", smtp.connectionsRefused);
        connectionsRefused("address", smtp.addressConnectionsRefused);
        connectionsRefused("address_rate", smtp.addressRateRefused);
        for (Ending ending : Ending.values()) {
            counter(
                    "hubmark.smtp.connections.ended",
                    "SMTP connections that the hub ended, by the fault of the peer.",
                    smtp.ended(ending)::sum,
                    "reason",
                    ending);
        }
        counter(
                "hubmark.smtp.command.errors",
                "SMTP commands answered with 5xx.",
                smtp.commandErrors);
        counter(
                "hubmark.smtp.timeouts",
                "SMTP connections ended because something did not come in time.",
                smtp.timeouts);
        counter(
                "hubmark.smtp.tls.handshakes",
                "TLS handshakes after STARTTLS that succeeded.",
                smtp.tlsHandshakes);
        counter(
                "hubmark.smtp.relaying.denied",
                "Recipients refused because neither smtp.relay-from has the client nor"
                        + " smtp.accept-domains the domain.",
                smtp.relayingDenied);
        counter(
                "hubmark.smtp.recipients.refused",
                "Recipients refused because the next hop refuses them, with smtp.verify-recipients.",
                smtp.recipientsRefused);
        counter(
                "hubmark.smtp.tls.failures",
                "TLS handshakes that failed, and STARTTLS commands followed by plain text in the"
                        + " same read.",
                smtp.tlsFailures);
        gauge(
                "hubmark.content.bytes.in.flight",
                "Bytes of memory in use for content being received or committed.",
                () -> receiver.budget().bytesUsed());
        gauge(
                "hubmark.envelope.bytes.in.flight",
                "Bytes of memory in use for envelopes being received or committed.",
                () -> receiver.envelopeBudget().bytesUsed());
    }

    private void connectionsRefused(String reason, LongAdder source) {
        counter(
                "hubmark.smtp.connections.refused",
                "SMTP connections refused with 421, by the limit: of the hub, of their address at"
                        + " once, of their address a minute.",
                source::sum,
                "reason",
                reason);
    }

    private void bindChecks(@Nullable CallAhead recipients) {
        checks("accepted", recipients, CallAhead::accepted);
        checks("refused", recipients, CallAhead::refused);
        checks("unanswered", recipients, CallAhead::unanswered);
        checks("unasked", recipients, CallAhead::unasked);
    }

    private void checks(
            String result, @Nullable CallAhead recipients, Function<CallAhead, LongAdder> count) {
        counter(
                "hubmark.smtp.recipient.checks",
                "Recipients that the next hop was asked about at RCPT, by its answer; unasked:"
                        + " recipients that it could not be asked about, which are taken.",
                recipients == null ? () -> 0 : count.apply(recipients)::sum,
                "result",
                result);
    }

    private void bindPressure(SmtpReceiver receiver, BackPressure pressure) {
        gauge(
                "hubmark.back.pressure.level",
                "The level of back pressure: 0 normal, 1 medium (replies to MAIL are slowed), 2"
                        + " high (MAIL is refused).",
                () -> pressure.level().number());
        for (WatchedResource resource : pressure.resources()) {
            gauge(
                    "hubmark.back.pressure.resource.level",
                    "The level of back pressure by resource: 0 normal, 1 medium, 2 high; the highest"
                            + " one counts.",
                    () -> resource.level().number(),
                    "resource",
                    resource.name());
            counter(
                    "hubmark.back.pressure.seconds",
                    "Seconds for which a resource had a level above normal.",
                    () -> resource.nanosAboveNormal().sum() / NANOS_PER_SECOND,
                    "resource",
                    resource.name());
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
            String meaning,
            @Nullable Dispatcher dispatcher,
            Function<Settlement, LongAdder> count) {
        counter(
                name,
                meaning,
                dispatcher == null ? () -> 0 : count.apply(dispatcher.settlement())::sum);
    }

    private void bindQueue(QueueSampler sampler) {
        gauge(
                "hubmark.queue.messages",
                "Messages in the queue, deferred, dead and damaged ones too.",
                () -> sampler.last().length().messages());
        gauge(
                "hubmark.queue.bytes",
                "Octets of content in the queue.",
                () -> sampler.last().length().bytes());
        gauge(
                "hubmark.dead.messages",
                "Dead letters in the queue.",
                () -> sampler.last().length().deadMessages());
        gauge(
                "hubmark.dead.bytes",
                "Octets of content of the dead letters in the queue.",
                () -> sampler.last().length().deadBytes());
        gauge(
                "hubmark.damaged.messages",
                "Messages in the queue that were set aside.",
                () -> sampler.last().length().damagedMessages());
        gauge(
                "hubmark.queue.messages.max",
                "Most messages in the queue since the start or the last POST to /histograms/reset,"
                        + " sampled each 100 ms.",
                sampler::messagesMax);
        gauge(
                "hubmark.queue.bytes.max",
                "Most octets of content in the queue since the start or the last POST to"
                        + " /histograms/reset, sampled each 100 ms.",
                sampler::bytesMax);
    }

    private void bindRetention(DeadLetterRetention retention) {
        gauge(
                "hubmark.dead.oldest.seconds",
                "Time since the death of the oldest dead letter, as of the last removal pass.",
                retention::oldestSeconds);
        counter(
                "hubmark.dead.removed",
                "Dead letters that were removed because of their limits.",
                retention.removed());
    }

    private void bindLog(QueueSampler sampler) {
        Supplier<StoreStatistics.LogWork> log = () -> sampler.last().log();
        counter(
                "hubmark.log.writes",
                "Write calls to the log volume.",
                () -> log.get().writes());
        counter(
                "hubmark.log.written.bytes",
                "Bytes written to the log volume.",
                () -> log.get().bytesWritten());
        counter("hubmark.log.syncs", "Data syncs of the log.", () -> log.get().syncs());
        counter(
                "hubmark.log.write.seconds",
                "Seconds spent in writes and syncs of the log.",
                () -> log.get().writeNanos() / NANOS_PER_SECOND);
        counter(
                "hubmark.log.reads",
                "Read calls on the log volume.",
                () -> log.get().reads());
        counter("hubmark.groups", "Groups committed.", () -> log.get().groups());
        counter(
                "hubmark.message.groups",
                "Groups committed that hold accepted messages.",
                () -> log.get().messageGroups());
    }

    private void bindDatabase(QueueSampler sampler) {
        Supplier<StoreStatistics.DatabaseWork> database = () -> sampler.last().database();
        counter(
                "hubmark.checkpoints",
                "Parts of the log moved to the queue database.",
                () -> database.get().checkpoints());
        counter(
                "hubmark.queue.writes",
                "Write calls to the queue volume.",
                () -> database.get().writes());
        counter(
                "hubmark.queue.written.bytes",
                "Bytes written to the queue volume.",
                () -> database.get().bytesWritten());
        counter(
                "hubmark.queue.reads",
                "Read calls on the queue volume.",
                () -> database.get().reads());
    }

    private void counter(String name, String meaning, LongAdder source) {
        counter(name, meaning, source::sum);
    }

    /** Tags are a key and its value, in small letters. */
    private void counter(String name, String meaning, DoubleSupplier value, Object... tags) {
        held.add(value);
        FunctionCounter.builder(name, value, DoubleSupplier::getAsDouble)
                .description(meaning)
                .tags(tags(tags))
                .register(registry);
    }

    private void gauge(String name, String meaning, DoubleSupplier value, Object... tags) {
        held.add(value);
        Gauge.builder(name, value, DoubleSupplier::getAsDouble)
                .description(meaning)
                .tags(tags(tags))
                .register(registry);
    }

    private static String[] tags(Object... tags) {
        return Arrays.stream(tags)
                .map(tag -> tag.toString().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
    }

    /** Closed is read first, so that the difference isn't negative. */
    private static double connectionsNow(SmtpCounters counters) {
        long closed = counters.connectionsClosed.sum();
        return counters.connectionsOpened.sum() - closed;
    }
}
