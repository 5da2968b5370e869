package org.hubmark.bench.mail.document;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/**
 * Judgement whether acknowledged mail can be lost when the power fails, and why. It is judged here
 * alone: begun with the durability class, then with each volume once somebody has looked at it. A
 * cache that may be protected or not counts as safe, since both look the same from outside.
 *
 * @param unsafe null when nobody could tell: of a server that isn't ours, and of one that throws away
 *     what it takes
 * @param dangers all that speaks against it, each once
 */
public record Safety(@Nullable Boolean unsafe, List<String> dangers) {
    /** Nobody has asked what the server promises. */
    public static final Safety UNKNOWN = new Safety(null, List.of());

    /** A server of ours that stores what it takes, and no risk is known. */
    public static final Safety UNCHALLENGED = new Safety(false, List.of());

    /** Copies. */
    public Safety {
        dangers = List.copyOf(dangers);
    }

    /** {@return all that speaks against it, in words; null when nothing is known to} */
    public @Nullable String unsafeReason() {
        return dangers.isEmpty() ? null : String.join("; ", dangers);
    }

    /** {@return what a durability class alone means: synced, periodic=10ms, none} */
    public static Safety of(String durability) {
        return durability.equals("synced")
                ? UNCHALLENGED
                : UNCHALLENGED.less("durability " + durability + ": " + Durability.UNSYNCED_DANGER);
    }

    /** {@return the same on an emulated device} */
    public Safety on(DeviceProfile device) {
        return device.safe()
                ? this
                : less(device
                        + ": the device's write cache answers a sync and is lost with the power");
    }

    /** {@return the same where somebody chose that no flush is sent to a real device} */
    public Safety withoutFlushes() {
        return less("no flush is sent for a sync: what the device's write cache holds is lost with"
                + " the power, unless a battery or capacitor keeps it");
    }

    /**
     * {@return the same on a real volume}
     *
     * @param syncs what a sync there is worth
     */
    public Safety on(VolumeFacts volume, SyncReliability syncs) {
        String danger = volume.danger();
        if (danger != null) {
            return less(danger);
        }
        return volume.emulates() == null && syncs.verdict() == SyncReliability.Grade.NOT_SAFE
                ? less(volume.path() + ": " + syncs.reasons().getFirst())
                : this;
    }

    private Safety less(String danger) {
        return new Safety(
                true,
                Stream.concat(dangers.stream(), Stream.of(danger)).distinct().toList());
    }
}
