package org.hubmark.bench.hub;

import org.hubmark.core.ByteSize;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.delivery.DeliverySpec;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A hub as it is asked for: all that is chosen of it beside where it lies. The arguments of its
 * process are made here alone.
 *
 * @param deliver as {@code serve --deliver} takes it
 * @param durability synced, periodic=10ms or none
 * @param stores whether it keeps what it accepts; else it accepts and forgets
 * @param settings of its own, by key
 * @param audit which messages are compared where they are delivered, if that is known: {@link #isAudited}
 */
public record HubSpec(
        String deliver,
        String durability,
        long checkpointDepthBytes,
        boolean stores,
        Map<String, String> settings,
        AuditShare audit) {
    /** A hub of which no message is looked at. */
    public HubSpec(
            String deliver,
            String durability,
            long checkpointDepthBytes,
            boolean stores,
            Map<String, String> settings) {
        this(deliver, durability, checkpointDepthBytes, stores, settings, AuditShare.OFF);
    }

    /** Copies the settings. */
    public HubSpec {
        settings = Map.copyOf(settings);
    }

    /** {@return the same, but that share of the messages is compared} */
    public HubSpec audited(AuditShare share) {
        return new HubSpec(deliver, durability, checkpointDepthBytes, stores, settings, share);
    }

    /** {@return the same with other settings} */
    public HubSpec with(Map<String, String> others) {
        return new HubSpec(deliver, durability, checkpointDepthBytes, stores, others, audit);
    }

    /** {@return whether messages are compared: the delivery that discards them reads them before} */
    public boolean isAudited() {
        return audit != AuditShare.OFF
                && stores
                && DeliverySpec.parse(deliver) instanceof DeliverySpec.Discard;
    }

    /** {@return why messages are not compared though they were to be; null where they are} */
    public @Nullable String outOfSight() {
        return audit != AuditShare.OFF && stores && !isAudited()
                ? "messages were not compared one by one: that takes --deliver discard"
                : null;
    }

    /** {@return whether it delivers nothing, so that its queue only grows} */
    public boolean holds() {
        return DeliverySpec.parse(deliver) instanceof DeliverySpec.Hold;
    }

    /**
     * {@return {@code serve} and its arguments, with counters that a {@link HubClient} can ask for}
     *
     * @param audited gets what was delivered, where messages are compared
     */
    public List<String> measured(VolumeFolders folders, Path audited) {
        List<String> arguments = new ArrayList<>(measured(folders));
        if (isAudited()) {
            arguments.add("--audit=" + audit);
            arguments.add("--audit-file=" + audited);
        }
        return arguments;
    }

    /** {@return the same of a hub whose messages nobody compares} */
    public List<String> measured(VolumeFolders folders) {
        List<String> arguments = new ArrayList<>(arguments(folders));
        arguments.add("--metrics=127.0.0.1:0");
        return arguments;
    }

    /** {@return the options of {@code serve} that name its volumes} */
    public static List<String> options(VolumeFolders folders) {
        return List.of(
                "--log-volume=" + folders.log(),
                "--queue-volume=" + folders.queue(),
                "--tracking-volume=" + folders.tracking());
    }

    /** {@return {@code serve} and its arguments} */
    public List<String> arguments(VolumeFolders folders) {
        List<String> arguments = new ArrayList<>(List.of(
                "serve",
                "--listen=127.0.0.1:0",
                "--deliver=" + deliver,
                "--durability=" + durability,
                "--checkpoint-depth=" + ByteSize.format(checkpointDepthBytes),
                "--intake=" + (stores ? "store" : "discard")));
        arguments.addAll(options(folders));
        new TreeMap<>(settings)
                .forEach((key, value) -> arguments.add("--set=" + key + "=" + value));
        return arguments;
    }
}
