package org.hubmark.bench.machine.volumes;

import org.hubmark.bench.machine.devices.DiskService;
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

    /**
     * What a verdict is made of.
     *
     * @param facts of the volume
     * @param syncMedianMs of overwriting a block and syncing it
     * @param flushesPerSync that the device counted; null if it doesn't
     * @param emulated whether the device profile was in force
     */
    public record Evidence(
            VolumeFacts facts,
            double syncMedianMs,
            @Nullable Double flushesPerSync,
            boolean emulated) {}

    /** Copies the reasons. */
    public SyncReliability {
        reasons = List.copyOf(reasons);
    }

    /** Judges. */
    public static SyncReliability judge(Evidence evidence) {
        VolumeFacts facts = evidence.facts();
        if (evidence.emulated() && facts.emulates() != null) {
            return emulated(DeviceProfile.named(facts.emulates()));
        }
        String filesystem = facts.mount().filesystem();
        if (VolumeInspection.isVolatile(filesystem)) {
            return new SyncReliability(
                    Grade.NOT_SAFE, true, List.of(filesystem + " is kept in memory."));
        }
        if (facts.disksUnknown() != null || facts.disk().device() == null) {
            return new SyncReliability(
                    Grade.UNKNOWN,
                    null,
                    List.of("The disks are not known"
                            + (facts.disksUnknown() == null
                                    ? ""
                                    : " (" + facts.disksUnknown() + ")")
                            + ": what a sync is worth is decided elsewhere."));
        }
        return device(evidence);
    }

    private static SyncReliability device(Evidence evidence) {
        VolumeFacts.Disk disk = evidence.facts().disk();
        boolean barriers = evidence.facts().mount().barriers();
        Boolean cacheAnswers = cacheAnswers(evidence);
        List<String> reasons = new ArrayList<>();
        boolean writeBack = "write back".equals(disk.writeCache());
        Double flushes = evidence.flushesPerSync();
        boolean flushed = flushes != null && flushes >= FLUSHES_PER_SYNC_MIN;
        if (writeBack && !flushed && (flushes != null || !barriers)) {
            reasons.add("The device has a volatile write cache (write back), but syncs send it no"
                    + " flush" + (barriers ? "" : ": barriers are off") + ".");
            return new SyncReliability(Grade.NOT_SAFE, cacheAnswers, reasons);
        }
        Grade verdict = medium(evidence, cacheAnswers, reasons);
        if (writeBack && flushes != null) {
            reasons.add(String.format(
                    Locale.ROOT, "Each sync sent %.1f flushes to the device.", flushes));
        } else if (writeBack) {
            reasons.add("Nothing counts the flushes of these disks; they may or may not be sent.");
            verdict = Grade.UNKNOWN;
        } else if (disk.writeCache() != null) {
            reasons.add("The kernel sends no flushes, since the device is said to have no volatile"
                    + " cache (write through)"
                    + (Boolean.TRUE.equals(cacheAnswers)
                            ? ", yet a cache answers: safe only if that survives a power loss."
                            : "."));
        } else {
            reasons.add("The kernel doesn't say what write cache the device has.");
            verdict = Grade.UNKNOWN;
        }
        return new SyncReliability(verdict, cacheAnswers, reasons);
    }

    private static @Nullable Boolean cacheAnswers(Evidence evidence) {
        VolumeFacts.Disk disk = evidence.facts().disk();
        if (disk.rotational() == null || disk.virtual() || disk.backingFile() != null) {
            // No physical medium is so fast, whatever is behind it.
            return evidence.syncMedianMs() < FLASH_MS ? Boolean.TRUE : null;
        }
        return evidence.syncMedianMs() < (disk.rotational() ? PLATTER_MS : FLASH_MS);
    }

    private static Grade medium(
            Evidence evidence, @Nullable Boolean cacheAnswers, List<String> reasons) {
        VolumeFacts.Disk disk = evidence.facts().disk();
        double ms = evidence.syncMedianMs();
        if (disk.virtual() || disk.backingFile() != null) {
            DiskService service = evidence.facts().service();
            reasons.add(
                    disk.virtual()
                            ? "The disk is "
                                    + (service == null
                                            ? "a virtual machine's"
                                            : "one of a virtual machine or a cloud ("
                                                    + service.text() + ")")
                                    + ": this machine can't see whether its"
                                    + " host passes flushes on to the medium."
                            : "A loop device: it is as safe as the volume of " + disk.backingFile()
                                    + " is; probe that one.");
            if (Boolean.TRUE.equals(cacheAnswers)) {
                reasons.add(String.format(
                        Locale.ROOT,
                        "A sync takes %.3f ms; no medium writes so fast, so a cache answers.",
                        ms));
            }
            return Grade.UNKNOWN;
        }
        if (disk.rotational() == null) {
            reasons.add("The kernel doesn't say what medium the device is.");
            return Grade.UNKNOWN;
        }
        double bound = disk.rotational() ? PLATTER_MS : FLASH_MS;
        String medium = disk.rotational()
                ? "half a revolution of the fastest disks (15,000 rpm)"
                : "the programming of a flash page";
        if (Boolean.TRUE.equals(cacheAnswers)) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "A sync takes %.3f ms, %s at least %.1f ms: a cache answers.",
                    ms,
                    medium,
                    bound));
            reasons.add("That is safe if the cache survives a power loss (battery or capacitor),"
                    + " which can't be seen from here, and unsafe if not.");
            return Grade.UNKNOWN;
        }
        reasons.add(String.format(
                Locale.ROOT,
                "A sync takes %.3f ms, which is not less than %s (%.1f ms): the medium can have"
                        + " answered.",
                ms,
                medium,
                bound));
        return Grade.SAFE;
    }

    private static SyncReliability emulated(DeviceProfile profile) {
        return new SyncReliability(
                profile.safe() ? Grade.SAFE : Grade.NOT_SAFE,
                profile.cacheAnswers(),
                List.of("Emulated: " + profile.title()
                        + (profile.safe()
                                ? " keeps what it has answered for."
                                : " would lose what its cache holds.")));
    }
}
