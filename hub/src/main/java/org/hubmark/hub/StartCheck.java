package org.hubmark.hub;

import io.netty.util.NetUtil;

import org.hubmark.core.Settings;
import org.hubmark.hub.admin.AdminSettings;
import org.hubmark.hub.delivery.DeliverySettings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.relay.CallAhead;
import org.hubmark.queue.QueueStore;
import org.hubmark.smtp.SmtpReceiver;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;

/**
 * Finds what keeps a hub from starting as far as that can be found without touching a volume: so a
 * mistyped setting or a port in use leaves nothing behind, and isn't told after a long recovery.
 */
final class StartCheck {
    private StartCheck() {}

    /** Reads all settings and looks whether the addresses are free; fails as {@link Hub#start} does. */
    static void run(HubConfiguration configuration, @Nullable URI queue) throws IOException {
        if (configuration.delivery() instanceof DeliverySpec.NextHops hops) {
            // Mail that is passed on to us comes in again, until it has too many Received fields.
            for (NextHop hop : hops.hops()) {
                if (hop.leadsTo(configuration.listen())) {
                    throw new IllegalArgumentException(
                            "the next hop " + hop + " is where this hub listens: mail would loop");
                }
            }
        }
        Settings settings = configuration.settings();
        Hub.drainTime(settings);
        DeliverySettings.read(settings);
        CallAhead.check(configuration.delivery(), settings);
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
        settings.requireAllRead(Texts.of("gone-settings.properties"));
        InetSocketAddress metrics = configuration.metrics();
        if (metrics != null) {
            allowed.requireAllowed(metrics);
            requireFree(metrics, " for metrics");
        }
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
