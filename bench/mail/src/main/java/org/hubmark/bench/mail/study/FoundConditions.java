package org.hubmark.bench.mail.study;

import org.hubmark.bench.machine.SyncCounters;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.volumes.VolumeFacts;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Conditions of a measurement that the volumes of a hub show. */
final class FoundConditions {
    /** Flush that a sync asks of a device with a write cache: sent or not. */
    private enum Flush {
        /** The device gets it and honours it. */
        SENT,
        /** An emulated device answers it by a cache that survives a power loss. */
        PROTECTED,
        /**
         * It isn't sent, since the kernel takes the device for one without a volatile cache (write
         * through) or the file system is mounted without barriers; or an emulated device ignores it.
         */
        SUPPRESSED;

        /** {@return what becomes of it on a volume; null where that isn't known} */
        static @Nullable Flush of(VolumeFacts volume) {
            if (volume.emulates() != null) {
                DeviceProfile profile = DeviceProfile.named(volume.emulates());
                if (!profile.safe()) {
                    return SUPPRESSED;
                }
                return profile.cacheAnswers() ? PROTECTED : SENT;
            }
            return switch (volume.disk().writeCache()) {
                case "write back" -> volume.mount().barriers() ? SENT : SUPPRESSED;
                case "write through" -> SUPPRESSED;
                case null, default -> null;
            };
        }

        /** {@return the name in files: sent, protected, suppressed} */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private FoundConditions() {}

    /** {@return the conditions, with what was not known before and the volumes tell} */
    static Conditions complete(Conditions known, HubRequest hub, HubVolumes looked) {
        VolumeFacts log = looked.facts().getFirst();
        Flush flush = Flush.of(log);
        Conditions conditions = known.or(Condition.LAYOUT, looked.layout())
                .or(Condition.DEVICE_PROFILE, log.emulates())
                .with(Condition.FLUSH, flush == null ? null : flush.label());
        return hub.keepsQueue() ? conditions.with(safety(known.safety(), looked)) : conditions;
    }

    private static Safety safety(Safety known, HubVolumes looked) {
        Safety safety = known;
        // Log and queue: tracking is no promise.
        for (int i = 0; i < looked.syncs().size(); i++) {
            VolumeFacts volume = looked.facts().get(i);
            if (volume.emulates() != null) {
                safety = safety.on(DeviceProfile.named(volume.emulates()));
            }
            safety = safety.on(volume, looked.syncs().get(i));
        }
        return safety;
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
        VolumeFolders folders = hub.folders().volumes();
        Map<String, Path> devices = new HashMap<>();
        Map<Path, Integer> users = new HashMap<>();
        for (String role : VolumeFolders.ROLES) {
            Path device = SyncEmulation.device(rules, folders.of(role));
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
}
