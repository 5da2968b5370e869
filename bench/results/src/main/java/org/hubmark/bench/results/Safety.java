package org.hubmark.bench.results;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.core.Durability;
import org.hubmark.hub.volumes.VolumeFacts;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * Judgement whether acknowledged mail can be lost when the power fails, and why. It is judged here
 * alone: begun with the durability class, then with each volume once somebody has looked at it. A
 * cache that may be protected or not counts as safe, since both look the same from outside.
 *
 * @param unsafe null when nobody could tell: of a server that isn't ours, unless there is evidence,
 *     and of one that throws away what it takes
 * @param unsafeReason all that speaks against it; null when nothing is known to
 * @param safetyEvidence what was found out about a server that isn't ours; null where nobody looked
 */
public record Safety(
        @Nullable Boolean unsafe,
        @Nullable String unsafeReason,
        @Nullable SafetyEvidence safetyEvidence) {
    /** Nobody has asked what the server promises. */
    public static final Safety UNKNOWN = new Safety(null, null, null);

    /** A server of ours that stores what it takes, and nothing is known against it. */
    public static final Safety UNCHALLENGED = new Safety(false, null, null);

    /** {@return whether something is known against it} */
    public boolean endangered() {
        return unsafeReason != null;
    }

    /** {@return that of a server that was seen to keep what it acknowledged} */
    static Safety proven(SafetyEvidence evidence) {
        return new Safety(false, null, evidence);
    }

    /** {@return that of a server that was seen to break its promise} */
    static Safety broken(String danger, SafetyEvidence evidence) {
        return new Safety(true, danger, evidence);
    }

    /** {@return that of a server that was looked at, without telling} */
    static Safety undecided(SafetyEvidence evidence) {
        return new Safety(null, null, evidence);
    }

    /**
     * {@return the same of a server whose syncs were counted during the load} Who was crashed is judged
     * by that. No more messages than connections wait for an answer at a time, so no more can share a
     * sync that comes before their answers: with fewer syncs some were answered without one. With as
     * many, each can have had its sync before its answer; the count doesn't tell when they came.
     *
     * @param syncs of all programs on the device of the server's queue
     * @param messages acknowledged meanwhile
     */
    public Safety counted(long syncs, long messages, int connections) {
        if (messages == 0 || safetyEvidence != null) {
            return this;
        }
        String words = String.format(
                Locale.ROOT,
                "%d flushes reached the device of its queue for %d acknowledged messages, %.3f a"
                        + " message",
                syncs,
                messages,
                (double) syncs / messages);
        if (syncs * connections < messages) {
            return broken(
                    words + "; at most " + connections + " messages can share one that comes before"
                            + " their answers, so some were acknowledged before they were synced",
                    SafetyEvidence.syncs(words));
        }
        return proven(SafetyEvidence.syncs(words + ": enough for one before each answer on "
                + connections + " connections, though when they came was not seen"));
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
        String known = unsafeReason;
        if (known == null) {
            return new Safety(true, danger, safetyEvidence);
        }
        return List.of(known.split("; ")).contains(danger)
                ? this
                : new Safety(true, known + "; " + danger, safetyEvidence);
    }
}
