package org.hubmark.testkit;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Options of a hub under test. Each method gives other options and leaves these as they are, so
 * they can be shared. Any thread.
 */
public final class HubOptions {
    /** Small, so that many hubs run beside each other; a test may set each of them otherwise. */
    private static final Map<String, String> SETTINGS = Map.of(
            "smtp.host-name", "hub.test",
            "smtp.bytes-in-flight-max", "32MiB",
            "hub.drain-time", "2s",
            "delivery.workers", "4",
            "delivery.destination-workers", "4",
            "store.free-space-min", "1MiB");

    private static final HubOptions DEFAULTS = new HubOptions();

    final Map<String, String> settings = new TreeMap<>(SETTINGS);
    Durability durability = new Durability.Synced();
    boolean onDisk;

    @Nullable
    DeliveryAgent agent;

    long mailboxBytesMax = 64 << 20;
    Duration waitMax = Duration.ofSeconds(10);

    @Nullable
    URI queue;

    private HubOptions() {}

    /** {@return the options of a hub that nobody has asked anything of} */
    public static HubOptions defaults() {
        return DEFAULTS;
    }

    /** Sets a setting of the hub's (docs/settings.md): {@code "smtp.recipients-max", "100"}. */
    public HubOptions setting(String key, String value) {
        return with(other -> other.settings.put(key, value));
    }

    /** What a 250 promises: {@code synced} (the default), {@code periodic=10ms} or {@code none}. */
    public HubOptions durability(String text) {
        return with(other -> other.durability = Durability.parse(text));
    }

    /**
     * The intake log in the temporary folder instead of in memory. Then a crash is that of the
     * process: the kernel keeps what was written.
     */
    public HubOptions onDisk() {
        return with(other -> other.onDisk = true);
    }

    /** Deliver to an agent of the test's instead of to the mailbox. The hub doesn't close it. */
    public HubOptions deliverTo(DeliveryAgent own) {
        return with(other -> other.agent = own);
    }

    /** How many bytes of messages are kept for the test; what is more waits in the queue. */
    public HubOptions mailboxBytes(long bytesMax) {
        return with(other -> other.mailboxBytesMax = bytesMax);
    }

    /** How long {@code await} waits where the test doesn't say. Default: 10 s. */
    public HubOptions waitAtMost(Duration limit) {
        return with(other -> other.waitMax = limit);
    }

    /**
     * A queue in other processes than the hub's, such as {@code
     * pulsar://HOST:PORT/TENANT/NAMESPACE}, instead of the volumes. Its engine has to be on the class path.
     * What it holds stays when the hub is closed.
     */
    public HubOptions queue(URI address) {
        return with(other -> {
            other.queue = address;
            // With an engine the store's settings mean nothing, and the hub refuses what means
            // nothing.
            other.settings.remove("store.free-space-min");
        });
    }

    private HubOptions with(Consumer<HubOptions> change) {
        HubOptions other = new HubOptions();
        other.settings.clear();
        other.settings.putAll(settings);
        other.durability = durability;
        other.onDisk = onDisk;
        other.agent = agent;
        other.mailboxBytesMax = mailboxBytesMax;
        other.waitMax = waitMax;
        other.queue = queue;
        change.accept(other);
        return other;
    }
}
