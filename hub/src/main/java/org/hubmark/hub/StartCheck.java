package org.hubmark.hub;

import io.netty.util.NetUtil;

import org.hubmark.core.Settings;
import org.hubmark.hub.admin.AdminSettings;
import org.hubmark.hub.delivery.DeliverySettings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.pressure.PressureSettings;
import org.hubmark.hub.relay.CallAhead;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.QueueStore;
import org.hubmark.smtp.SmtpReceiver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds what keeps a hub from starting as far as that can be found without touching a volume: so a
 * mistyped setting or a port in use leaves nothing behind, and isn't told after a long recovery.
 */
final class StartCheck {
    private static final Logger LOG = LoggerFactory.getLogger(StartCheck.class);

    /** A resolver that hangs must not keep a hub from taking mail. */
    private static final Duration LOOKUP_MAX = Duration.ofSeconds(2);

    private StartCheck() {}

    /** Reads all settings and looks whether the addresses are free; fails as {@link Hub#start} does. */
    static void run(HubConfiguration configuration, @Nullable URI queue) throws IOException {
        if (configuration.delivery() instanceof DeliverySpec.NextHops hops) {
            lookUp(hops, configuration.listen());
        }
        Settings settings = configuration.settings();
        Hub.drainTime(settings);
        DeliverySettings.read(settings);
        CallAhead.check(configuration.delivery(), settings);
        PressureSettings.read(settings);
        TrackingLog.Limits.read(settings);
        AdminSettings allowed = AdminSettings.read(settings);
        if (queue != null) {
            QueueEngine.of(queue).check(queue, settings);
        } else if (configuration.intake() == IntakeKind.STORE) {
            QueueStore.checkSettings(settings, configuration.checkpointDepthBytes());
        }
        InetSocketAddress listen = configuration.listen();
        for (InetSocketAddress address : SmtpReceiver.check(listen, settings)) {
            requireFree(address, "");
        }
        settings.requireAllRead(GoneSettings.INSTEAD);
        InetSocketAddress metrics = configuration.metrics();
        if (metrics != null) {
            allowed.requireAllowed(metrics);
            requireFree(metrics, " for metrics");
        }
    }

    /**
     * Warns of next hops without an address, which may have one when there is mail for them. Refuses ourselves: mail
     * that is passed on to us comes in again, until it has too many Received fields.
     */
    private static void lookUp(DeliverySpec.NextHops hops, InetSocketAddress listen) {
        List<CompletableFuture<List<InetAddress>>> lookups = hops.hops().stream()
                .map(hop -> CompletableFuture.supplyAsync(
                        () -> addresses(hop),
                        task -> Thread.ofPlatform().daemon().name("lookup").start(task)))
                .toList();
        long deadlineNanos = System.nanoTime() + LOOKUP_MAX.toNanos();
        for (int i = 0; i < lookups.size(); i++) {
            NextHop hop = hops.hops().get(i);
            try {
                List<InetAddress> addresses = lookups.get(i)
                        .get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (hop.leadsTo(listen, addresses)) {
                    throw new IllegalArgumentException(
                            "the next hop " + hop + " is where this hub listens: mail would loop");
                }
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                warn(hop, cause == null ? e.toString() : String.valueOf(cause.getMessage()));
            } catch (TimeoutException e) {
                warn(hop, "no answer to a query for its name in " + LOOKUP_MAX.toSeconds() + " s");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static List<InetAddress> addresses(NextHop hop) {
        try {
            return List.of(InetAddress.getAllByName(hop.host()));
        } catch (UnknownHostException e) {
            throw new UncheckedIOException("its name is not known", e);
        }
    }

    private static void warn(NextHop hop, String reason) {
        LOG.atWarn()
                .addKeyValue("event", "next_hop_without_address")
                .log(
                        "the next hop {} has no address now: {}; its mail waits in the queue",
                        hop,
                        reason);
    }

    /**
     * A look, and no more: the address is bound when mail can be taken. Who takes it in between makes
     * the start fail then.
     */
    private static void requireFree(InetSocketAddress address, String what) throws IOException {
        if (address.isUnresolved()) {
            return;
        }
        // Of one family, as the server is: a channel for both may find taken what isn't.
        ProtocolFamily family = address.getAddress() instanceof Inet6Address
                ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET;
        try (ServerSocketChannel probe = ServerSocketChannel.open(family)) {
            probe.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            probe.bind(address);
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on " + NetUtil.toSocketAddressString(address) + what + ": "
                            + e.getMessage(),
                    e);
        }
    }
}
