package org.hubmark.bench.mail.study;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.volumes.VolumeProbe;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The volumes of a hub, looked at before it starts: what they are, and whether a sync there is worth
 * something.
 *
 * @param facts of log, queue and tracking, in this order, with the device that each acts like
 * @param syncs of log and queue; tracking is no promise. Empty where nothing is kept there
 * @param volumes the same for the results file
 */
record HubVolumes(
        List<VolumeFacts> facts, List<SyncReliability> syncs, List<VolumeDisclosure> volumes) {
    HubVolumes {
        facts = List.copyOf(facts);
        syncs = List.copyOf(syncs);
        volumes = List.copyOf(volumes);
    }

    /** Looks at existing, empty folders. */
    static HubVolumes of(HubRequest hub) throws IOException, InterruptedException {
        List<Path> paths = hub.folders().volumes().all();
        Path rules = rules(hub);
        List<VolumeFacts> facts = new ArrayList<>();
        for (VolumeFacts seen : VolumeInspection.inspect(paths)) {
            DeviceProfile profile =
                    rules == null ? null : SyncEmulation.profile(rules, Path.of(seen.path()));
            facts.add(seen.emulating(profile == null ? null : profile.toString()));
        }
        List<SyncReliability> syncs = hub.keepsQueue() ? syncs(facts.subList(0, 2)) : List.of();
        List<VolumeDisclosure> volumes = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            volumes.add(VolumeDisclosure.of(
                    VolumeFolders.ROLES.get(i),
                    facts.get(i),
                    i < syncs.size() ? syncs.get(i) : null));
        }
        return new HubVolumes(facts, syncs, volumes);
    }

    /** Volumes on one file system are looked at once. */
    private static List<SyncReliability> syncs(List<VolumeFacts> facts)
            throws InterruptedException {
        Map<String, SyncReliability> known = new LinkedHashMap<>();
        List<SyncReliability> all = new ArrayList<>();
        for (VolumeFacts volume : facts) {
            String key = volume.mount().mountPoint() + " " + volume.emulates();
            try {
                SyncReliability found = known.get(key);
                all.add(found == null ? VolumeProbe.look(Path.of(volume.path()), volume) : found);
            } catch (IOException e) {
                throw UserError.failed("volume " + volume.path() + " can't be written ("
                        + FileErrors.reason(e) + ")");
            }
            known.put(key, all.getLast());
        }
        return all;
    }

    /** {@return the conditions, with what was not known before and the volumes tell} */
    Conditions complete(Conditions known, HubRequest hub) {
        VolumeFacts log = facts.getFirst();
        Conditions conditions = known.or(Condition.DEVICE_PROFILE, log.emulates())
                .with(Condition.FLUSH, flush(log));
        return hub.keepsQueue() ? conditions.with(safety(known.safety())) : conditions;
    }

    /**
     * {@return what becomes of the flush that a sync asks of a device with a write cache} It is sent to the
     * device, which honours it; or protected: an emulated device answers it by a cache that survives a power
     * loss. Or it is suppressed: an emulated device ignores it, the kernel takes the device for one without a
     * volatile cache (write through), or the file system is mounted without barriers. Null where that isn't
     * known.
     */
    private static @Nullable String flush(VolumeFacts volume) {
        if (volume.emulates() != null) {
            DeviceProfile profile = DeviceProfile.named(volume.emulates());
            if (!profile.safe()) {
                return "suppressed";
            }
            return profile.cacheAnswers() ? "protected" : "sent";
        }
        return switch (volume.disk().writeCache()) {
            case "write back" -> volume.mount().barriers() ? "sent" : "suppressed";
            case "write through" -> "suppressed";
            case null, default -> null;
        };
    }

    private Safety safety(Safety known) {
        Safety safety = known;
        // Log and queue: tracking is no promise.
        for (int i = 0; i < syncs.size(); i++) {
            VolumeFacts volume = facts.get(i);
            if (volume.emulates() != null) {
                safety = safety.on(DeviceProfile.named(volume.emulates()));
            }
            safety = safety.on(volume, syncs.get(i));
        }
        return safety;
    }

    /** {@return the list of the emulated devices that the hub sees, or null for none} */
    private static @Nullable Path rules(HubRequest hub) {
        String given = hub.environment().get(SyncEmulation.VARIABLE);
        String rules = given == null ? System.getenv(SyncEmulation.VARIABLE) : given;
        return rules == null ? null : Path.of(rules);
    }

    /** {@return the emulated devices that one volume has for itself, by the volume's role} */
    static Map<String, SyncEmulation.Source> emulated(HubRequest hub) throws IOException {
        Map<String, SyncEmulation.Source> sources = new HashMap<>();
        Path rules = rules(hub);
        if (rules == null) {
            return sources;
        }
        List<Optional<Path>> devices = new ArrayList<>();
        for (Path folder : hub.folders().volumes().all()) {
            devices.add(Optional.ofNullable(SyncEmulation.device(rules, folder)));
        }
        for (int i = 0; i < devices.size(); i++) {
            Path device = devices.get(i).orElse(null);
            if (device != null && Collections.frequency(devices, devices.get(i)) == 1) {
                sources.put(
                        VolumeFolders.ROLES.get(i), () -> SyncEmulation.counters(rules, device));
            }
        }
        return sources;
    }
}
