package org.hubmark.testkit;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Options of a hub under test. Each method gives other options and leaves these as they are, so
 * they can be shared. Immutable, any thread.
 */
public final class HubOptions {
    /** Small, so that many hubs run beside each other; a test may set each of them otherwise. */
    private static final Map<String, String> SETTINGS = Map.of(
            "smtp.host-name", "hub.test",
            "smtp.event-loops", "1",
            "smtp.bytes-in-flight-max", "32MiB",
            "hub.drain-time", "2s",
            "delivery.workers", "4",
            "delivery.destination-workers", "4");

    private static final Map<String, String> STORE_SETTINGS =
            Map.of("store.direct-flush", "false", "store.free-space-min", "1MiB");

    private static final HubOptions DEFAULTS = new HubOptions(
            defaultSettings(),
            new Durability.Synced(),
            false,
            null,
            64 << 20,
            Duration.ofSeconds(10),
            null);

    final Map<String, String> settings;
    final Durability durability;
    final boolean onDisk;
    final @Nullable DeliveryAgent agent;
    final long mailboxBytesMax;
    final Duration waitMax;
    final @Nullable URI queue;

    private HubOptions(
            Map<String, String> settings,
            Durability durability,
            boolean onDisk,
            @Nullable DeliveryAgent agent,
            long mailboxBytesMax,
            Duration waitMax,
            @Nullable URI queue) {
        this.settings = settings;
        this.durability = durability;
        this.onDisk = onDisk;
        this.agent = agent;
        this.mailboxBytesMax = mailboxBytesMax;
        this.waitMax = waitMax;
        this.queue = queue;
    }

    private static Map<String, String> defaultSettings() {
        Map<String, String> all = new TreeMap<>(SETTINGS);
        all.putAll(STORE_SETTINGS);
        return all;
    }

    /** {@return the options of a hub that nobody has asked anything of} */
    public static HubOptions defaults() {
        return DEFAULTS;
    }

    /** Sets a setting of the hub's (docs/settings.md): {@code "smtp.recipients-max", "100"}. */
    public HubOptions setting(String key, String value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(key, value);
        return new HubOptions(more, durability, onDisk, agent, mailboxBytesMax, waitMax, queue);
    }

    /** What a 250 promises: {@code synced} (the default), {@code periodic=10ms} or {@code none}. */
    public HubOptions durability(String text) {
        return new HubOptions(
                settings, Durability.parse(text), onDisk, agent, mailboxBytesMax, waitMax, queue);
    }

    /**
     * The intake log in the temporary folder instead of in memory. Then a crash is that of the
     * process: the kernel keeps what was written.
     */
    public HubOptions onDisk() {
        return new HubOptions(settings, durability, true, agent, mailboxBytesMax, waitMax, queue);
    }

    /** Deliver to an agent of the test's instead of to the mailbox. The hub doesn't close it. */
    public HubOptions deliverTo(DeliveryAgent other) {
        return new HubOptions(settings, durability, onDisk, other, mailboxBytesMax, waitMax, queue);
    }

    /** How many bytes of messages are kept for the test; what is more waits in the queue. */
    public HubOptions mailboxBytes(long bytesMax) {
        return new HubOptions(settings, durability, onDisk, agent, bytesMax, waitMax, queue);
    }

    /** How long {@code await} waits where the test doesn't say. Default: 10 s. */
    public HubOptions waitAtMost(Duration limit) {
        return new HubOptions(settings, durability, onDisk, agent, mailboxBytesMax, limit, queue);
    }

    /**
     * A queue in other processes than the hub's, such as {@code
     * pulsar://HOST:PORT/TENANT/NAMESPACE}, instead of the volumes. Its engine has to be on the class path.
     * What it holds stays when the hub is closed.
     */
    public HubOptions queue(URI address) {
        // With an engine the store's settings mean nothing, and the hub refuses what means nothing.
        Map<String, String> fewer = new TreeMap<>(settings);
        STORE_SETTINGS.forEach(fewer::remove);
        return new HubOptions(fewer, durability, onDisk, agent, mailboxBytesMax, waitMax, address);
    }
}
