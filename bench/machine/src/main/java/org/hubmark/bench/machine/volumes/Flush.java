package org.hubmark.bench.machine.volumes;

import org.hubmark.hub.volumes.VolumeFacts;
import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** What becomes of the flush that a sync asks of a device with a write cache. */
public enum Flush {
    /** The device gets it and honours it. */
    SENT,
    /**
     * It isn't sent, since the kernel takes the device for one without a volatile cache (write
     * through) or the file system is mounted without barriers; or an emulated device ignores it.
     */
    SUPPRESSED;

    /** {@return what becomes of it on a volume; null where that isn't known} */
    public static @Nullable Flush of(VolumeFacts volume) {
        if (volume.emulates() != null) {
            return of(DeviceProfile.named(volume.emulates()));
        }
        return switch (volume.writeCache()) {
            case "write back" -> volume.barriers() ? SENT : SUPPRESSED;
            case "write through" -> SUPPRESSED;
            case null, default -> null;
        };
    }

    /** {@return what becomes of it on an emulated device} */
    public static Flush of(DeviceProfile device) {
        return device.safe() ? SENT : SUPPRESSED;
    }

    /** {@return the name in files: sent, suppressed} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
