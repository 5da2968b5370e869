package org.hubmark.hub;

import io.netty.util.NetUtil;

import org.hubmark.core.Durations;
import org.hubmark.hub.admin.AdminSocket;
import org.hubmark.hub.delivery.Dispatcher;
import org.hubmark.hub.pressure.BackPressure;
import org.hubmark.hub.pressure.PressureLevel;
import org.hubmark.smtp.SmtpCounters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Events of a hub in the log: one line for each event, with its figures also as key-value pairs.
 */
final class HubLog {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);

    private final long startNanos = System.nanoTime();
    private long drainNanos;

    private HubLog() {}

    /** A hub takes mail from now on. */
    static HubLog started(Hub hub, @Nullable AdminSocket adminSocket) {
        listening("SMTP", Optional.of(text(hub.address())));
        listening("SMTP with TLS", hub.tlsAddress().map(HubLog::text));
        listening("metrics", hub.metricsAddress().map(HubLog::text));
        listening(
                "the operator",
                Optional.ofNullable(adminSocket).map(socket -> socket.file().toString()));
        if (hub.trustsEveryone()) {
            LOG.atInfo()
                    .addKeyValue("event", "trusts_everyone")
                    .log("relays for every client, since it listens on loopback only; behind a"
                            + " TCP proxy it is an open relay: set smtp.relay-from or"
                            + " smtp.accept-domains then");
        }
        return new HubLog();
    }

    /** Another level of back pressure. */
    static void pressure(BackPressure.Change change) {
        LOG.atLevel(change.level() == PressureLevel.NORMAL ? Level.INFO : Level.WARN)
                .addKeyValue("event", "back_pressure")
                .addKeyValue("level", change.level().name().toLowerCase(Locale.ROOT))
                .addKeyValue("resource", change.resource())
                .log(change.text());
    }

    /** The hub was told to end. */
    void draining(Duration grace, SmtpCounters counters) {
        drainNanos = System.nanoTime();
        // Closed is read first, so that the difference isn't negative.
        long closed = counters.connectionsClosed.sum();
        long open = counters.connectionsOpened.sum() - closed;
        LOG.atInfo()
                .addKeyValue("event", "draining")
                .addKeyValue("grace_ms", grace.toMillis())
                .addKeyValue("connections", open)
                .log(
                        "draining: no new mail is accepted; sessions and deliveries have {} to"
                                + " end; {} connections are open",
                        Durations.format(grace),
                        open);
    }

    /** The hub has ended. */
    void stopped(SmtpCounters counters, @Nullable Dispatcher dispatcher, @Nullable Long left) {
        long nowNanos = System.nanoTime();
        long drainMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - drainNanos);
        long upSeconds = TimeUnit.NANOSECONDS.toSeconds(nowNanos - startNanos);
        long accepted = counters.messagesAccepted.sum();
        long delivered =
                dispatcher == null ? 0 : dispatcher.settlement().delivered().sum();
        LOG.atInfo()
                .addKeyValue("event", "stopped")
                .addKeyValue("uptime_s", upSeconds)
                .addKeyValue("drain_ms", drainMillis)
                .addKeyValue("accepted_messages", accepted)
                .addKeyValue("delivered_messages", delivered)
                .addKeyValue("messages", left)
                .log(
                        "stopped after {} s, the last {} ms of them draining: {} messages accepted, {}"
                                + " delivered, {} in the queue",
                        upSeconds,
                        drainMillis,
                        accepted,
                        delivered,
                        left == null ? "-" : left);
    }

    private static void listening(String purpose, Optional<String> address) {
        address.ifPresent(where -> LOG.atInfo()
                .addKeyValue("event", "listening")
                .addKeyValue("address", where)
                .addKeyValue("for", purpose)
                .log("listening on {} for {}", where, purpose));
    }

    private static String text(InetSocketAddress address) {
        return NetUtil.toSocketAddressString(address);
    }
}
