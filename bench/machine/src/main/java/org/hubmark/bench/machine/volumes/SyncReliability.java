package org.hubmark.bench.machine.volumes;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether a sync on a volume means that the data would survive a power loss, as far as that can be
 * told from outside: by what is mounted how, by the flushes that the device saw, and by physics.
 * What answers faster than the medium can is a cache.
 *
 * @param verdict safe, not safe, or unknown
 * @param cacheAnswers whether syncs were answered faster than the medium can; null if there is no
 *     telling what the medium is
 * @param reasons whole sentences, the decisive one first
 */
public record SyncReliability(Grade verdict, @Nullable Boolean cacheAnswers, List<String> reasons) {
    /** Half a revolution at 15,000 rpm, the fastest that disks turned. */
    static final double PLATTER_MS = 2.0;
    /**
     * A flash page takes longer to program: 0.2 ms (SLC) to 2 ms (QLC) by the makers' data sheets.
     */
    static final double FLASH_MS = 0.1;

    /** Fewer flushes than that for each sync: they don't go with the syncs. */
    private static final double FLUSHES_PER_SYNC_MIN = 0.5;

    /** What can be said. */
    public enum Grade {
        SAFE,
        NOT_SAFE,
        UNKNOWN;

        /** {@return safe, not safe, unknown} */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Copies the reasons. */
    public SyncReliability {
        reasons = List.copyOf(reasons);
    }

    /**
     * Judges.
     *
     * @param facts of the volume
     * @param syncMedianMs of overwriting a block and syncing it
     * @param flushesPerSync that the device counted; null if it doesn't
     * @param emulated whether the device profile was in force
     */
    public static SyncReliability judge(
            VolumeFacts facts,
            double syncMedianMs,
            @Nullable Double flushesPerSync,
            boolean emulated) {
        if (emulated && facts.emulates() != null) {
            DeviceProfile profile = DeviceProfile.named(facts.emulates());
            return new SyncReliability(
                    profile.safe() ? Grade.SAFE : Grade.NOT_SAFE,
                    profile.cacheAnswers(),
                    List.of("Emulated: " + profile.title()
                            + (profile.safe()
                                    ? " keeps what it has answered for."
                                    : " would lose what its cache holds.")));
        }
        String filesystem = facts.mount().filesystem();
        if (VolumeInspection.isVolatile(filesystem)) {
            return new SyncReliability(
                    Grade.NOT_SAFE, true, List.of(filesystem + " is kept in memory."));
        }
        if (facts.disk().device() == null) {
            String why = facts.disksUnknown() == null ? "" : " (" + facts.disksUnknown() + ")";
            return new SyncReliability(
                    Grade.UNKNOWN,
                    null,
                    List.of("The disks are not known" + why
                            + ": whether a sync is safe is decided elsewhere."));
        }
        String writeCache = facts.disk().writeCache();
        boolean isWriteBack = "write back".equals(writeCache);
        List<String> reasons = new ArrayList<>();
        Boolean cacheAnswers = cacheAnswers(facts.disk(), syncMedianMs);
        boolean isFlushed = flushesPerSync != null && flushesPerSync >= FLUSHES_PER_SYNC_MIN;
        if (isWriteBack
                && !isFlushed
                && (flushesPerSync != null || !facts.mount().barriers())) {
            reasons.add("The device has a volatile write cache (write back), but syncs send it no"
                    + " flush" + (facts.mount().barriers() ? "" : ": barriers are off") + ".");
            return new SyncReliability(Grade.NOT_SAFE, cacheAnswers, reasons);
        }
        boolean isKnown = addMedium(facts.disk(), syncMedianMs, cacheAnswers, reasons);
        if (isWriteBack && flushesPerSync != null) {
            reasons.add(String.format(
                    Locale.ROOT, "Each sync sent %.1f flushes to the device.", flushesPerSync));
        } else if (isWriteBack) {
            reasons.add("Nothing counts the flushes of these disks; they may or may not be sent.");
        } else if (writeCache != null) {
            reasons.add("The kernel sends no flushes, since the device is said to have no volatile"
                    + " cache (write through).");
        } else {
            reasons.add("The kernel doesn't say what write cache the device has.");
        }
        isKnown &= isWriteBack ? flushesPerSync != null : writeCache != null;
        return new SyncReliability(isKnown ? Grade.SAFE : Grade.UNKNOWN, cacheAnswers, reasons);
    }

    private static boolean isHidden(VolumeFacts.Disk disk) {
        return disk.virtual() || disk.backingFile() != null || disk.rotational() == null;
    }

    private static @Nullable Boolean cacheAnswers(VolumeFacts.Disk disk, double ms) {
        if (isHidden(disk)) {
            // No physical medium is so fast, whatever is behind it.
            return ms < FLASH_MS ? Boolean.TRUE : null;
        }
        return ms < (Boolean.TRUE.equals(disk.rotational()) ? PLATTER_MS : FLASH_MS);
    }

    /** {@return whether the medium itself can have answered} Says why. */
    private static boolean addMedium(
            VolumeFacts.Disk disk,
            double ms,
            @Nullable Boolean cacheAnswers,
            List<String> reasons) {
        if (disk.backingFile() != null) {
            reasons.add("A loop device: it is as safe as the volume of " + disk.backingFile()
                    + " is; probe that one.");
        } else if (disk.virtual()) {
            reasons.add("The disk is one of a virtual machine or a cloud: this machine can't see"
                    + " whether its host passes flushes on to the medium.");
        } else if (disk.rotational() == null) {
            reasons.add("The kernel doesn't say what medium the device is.");
        }
        String medium = Boolean.TRUE.equals(disk.rotational()) && !isHidden(disk)
                ? String.format(
                        Locale.ROOT,
                        "half a revolution of the fastest disks (15,000 rpm, %.1f ms)",
                        PLATTER_MS)
                : String.format(Locale.ROOT, "the programming of a flash page (%.1f ms)", FLASH_MS);
        if (Boolean.TRUE.equals(cacheAnswers)) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "A sync takes %.3f ms, less than %s: a cache answers. That is safe if the cache"
                            + " survives a power loss (battery or capacitor), which can't be seen"
                            + " from here.",
                    ms,
                    medium));
        } else if (!isHidden(disk)) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "A sync takes %.3f ms, which is not less than %s: the medium can have answered.",
                    ms,
                    medium));
        }
        return Boolean.FALSE.equals(cacheAnswers);
    }
}
