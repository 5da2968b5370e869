package org.hubmark.bench.measure.run;

import org.hubmark.bench.machine.SyncCounters;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.Honesty;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.VolumeFacts;
import org.hubmark.bench.results.Conditions;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the volumes of a hub tell of the conditions of a measurement. */
final class Surroundings {
    private static final Set<String> VOLATILE = Set.of("tmpfs", "ramfs");

    private Surroundings() {}

    /** {@return the conditions, with what was not known before and the volumes tell} */
    static Conditions complete(Conditions known, HubRequest hub, HubVolumes looked) {
        List<VolumeFacts> volumes = looked.facts();
        VolumeFacts log = volumes.getFirst();
        String profile = known.deviceProfile() == null ? log.emulates() : known.deviceProfile();
        DeviceProfile device = profile == null ? null : DeviceProfile.named(profile);
        String cache = known.deviceWriteCache() == null
                ? writeCache(log, device)
                : known.deviceWriteCache();
        List<String> reasons = new ArrayList<>();
        if (known.unsafeReason() != null) {
            reasons.add(known.unsafeReason());
        } else if (hub.keepsQueue()) {
            reasons.addAll(dangers(looked, device));
        }
        return new Conditions(
                known.durability(),
                known.intake(),
                known.layout() == null ? looked.layout() : known.layout(),
                profile,
                cache,
                known.checkpointDepthMb(),
                known.connections(),
                known.askedRate(),
                known.unsafe() || !reasons.isEmpty(),
                reasons.isEmpty() ? null : String.join("; ", reasons));
    }

    /** {@return the list of the emulated devices that the hub sees, or null for none} */
    static @Nullable Path rules(HubRequest hub) {
        String given = hub.environment().get(SyncEmulation.VARIABLE);
        String rules = given == null ? System.getenv(SyncEmulation.VARIABLE) : given;
        return rules == null ? null : Path.of(rules);
    }

    /** {@return the emulated devices that one volume has for itself, by the volume's role} */
    static Map<String, SyncCounters.Source> emulated(HubRequest hub) throws IOException {
        Path rules = rules(hub);
        if (rules == null) {
            return Map.of();
        }
        DataFolders folders = hub.folders();
        Map<String, Path> devices = new HashMap<>();
        Map<Path, Integer> users = new HashMap<>();
        for (String role : List.of("log", "queue", "tracking")) {
            Path folder = switch (role) {
                case "log" -> folders.log();
                case "queue" -> folders.queue();
                default -> folders.tracking();
            };
            Path device = SyncEmulation.device(rules, folder);
            if (device != null) {
                devices.put(role, device);
                users.merge(device, 1, Integer::sum);
            }
        }
        Map<String, SyncCounters.Source> sources = new HashMap<>();
        devices.forEach((role, device) -> {
            if (users.getOrDefault(device, 0) == 1) {
                sources.put(role, () -> read(rules, device));
            }
        });
        return sources;
    }

    private static @Nullable SyncCounters read(Path rules, Path device) throws IOException {
        SyncEmulation.Counters counters = SyncEmulation.counters(rules, device);
        return counters == null ? null : new SyncCounters(counters.syncs(), counters.nanos());
    }

    private static @Nullable String writeCache(VolumeFacts log, @Nullable DeviceProfile device) {
        if (device != null) {
            return device == DeviceProfile.SATA_7200 ? "off" : "on";
        }
        return switch (log.writeCache()) {
            case "write back" -> "on";
            case "write through" -> "off";
            case null, default -> null;
        };
    }

    private static List<String> dangers(HubVolumes looked, @Nullable DeviceProfile device) {
        List<String> dangers = new ArrayList<>();
        if (device != null && !device.safe()) {
            dangers.add(device.label()
                    + ": the device's write cache answers a sync and is lost with the power");
        }
        // Log and queue: tracking is no promise.
        for (int i = 0; i < looked.honesty().size(); i++) {
            VolumeFacts volume = looked.facts().get(i);
            Honesty honesty = looked.honesty().get(i);
            if (volume.filesystem() != null && VOLATILE.contains(volume.filesystem())) {
                dangers.add(volume.path() + " is in memory");
            } else if (!volume.barriers() && !"write through".equals(volume.writeCache())) {
                dangers.add(volume.path() + " is mounted without barriers: a sync does not flush"
                        + " the device's write cache");
            } else if (volume.emulates() == null && honesty.verdict() == Honesty.Verdict.NOT_SAFE) {
                dangers.add(volume.path() + ": " + honesty.reasons().getFirst());
            }
        }
        return dangers;
    }
}
