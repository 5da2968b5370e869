package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.hub.Installation;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.core.ByteSize;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One combination that is measured: a scenario of the results.
 *
 * @param sizeBytes of each message
 * @param durability synced, periodic=10ms or none
 * @param cache what answers a sync; null leaves the device as it is
 * @param depthBytes checkpoint depth
 * @param connections open at once
 * @param profile the devices that the volumes act like, caches off where they can be; null for none
 * @param rate as {@code run --rate} takes it
 * @param deliver as {@code run --deliver} takes it
 * @param hub installation or checkout; null for this program's own
 */
public record Cell(
        long sizeBytes,
        VolumeLayout layout,
        String durability,
        @Nullable CacheState cache,
        long depthBytes,
        int connections,
        @Nullable RoleProfiles profile,
        String rate,
        String deliver,
        @Nullable Path hub) {
    /** {@return the name in files; two cells of a matrix never have the same} */
    public String id() {
        List<String> parts = new ArrayList<>();
        parts.add(ByteSize.format(sizeBytes));
        if (profile != null) {
            parts.add(profile.toString());
        }
        parts.add(layout.toString());
        parts.add(durability.replace('=', '-'));
        if (cache != null) {
            parts.add("cache-" + cache);
        }
        parts.add("depth-" + ByteSize.format(depthBytes));
        parts.add(connections + "c");
        if (!rate.equals("max")) {
            parts.add((rate.startsWith("max") ? "" : "at-") + rate);
        }
        if (!deliver.equals("discard")) {
            parts.add(deliver);
        }
        if (hub != null) {
            parts.add(Installation.id(hub));
        }
        return String.join("_", parts).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]", "-");
    }

    /** {@return the devices that are emulated, in the state that their caches are in} */
    public @Nullable RoleProfiles device() {
        return profile != null && cache == CacheState.ON ? profile.withCache() : profile;
    }

    /** {@return whether acknowledged mail can be lost, as far as the cell itself tells} */
    public Safety safety() {
        Safety safety = Safety.of(durability);
        RoleProfiles device = device();
        if (device != null) {
            // Tracking is no promise.
            return safety.on(device.log()).on(device.queue());
        }
        return cache == CacheState.ON ? safety.withoutFlushes() : safety;
    }

    /** {@return under which it is measured, as far as it tells itself} */
    public Conditions conditions() {
        return Conditions.UNKNOWN
                .with(Condition.HUB, hub == null ? null : hub.toString())
                .with(Condition.DURABILITY, durability)
                .with(Condition.INTAKE, "store")
                .with(Condition.DELIVER, deliver)
                .with(Condition.LAYOUT, layout.toString())
                .with(Condition.DEVICE_PROFILE, device() == null ? null : device().toString())
                .with(Condition.CHECKPOINT_DEPTH_MB, depthBytes / 1e6)
                .with(safety());
    }

    /**
     * {@return its hub, before it has volumes}
     *
     * @param settings of the hub, by key
     * @param audit which messages are compared
     * @param folder stands for the volumes
     */
    public HubRequest planned(Map<String, String> settings, AuditShare audit, Path folder) {
        return new HubRequest(
                new DataFolders(VolumeFolders.same(folder)),
                new HubSpec(deliver, durability, depthBytes, true, settings).audited(audit),
                Map.of(),
                hub);
    }
}
