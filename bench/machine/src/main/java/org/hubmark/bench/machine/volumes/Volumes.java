package org.hubmark.bench.machine.volumes;

import org.hubmark.hub.volumes.BlockDevice;
import org.hubmark.hub.volumes.Mount;
import org.hubmark.hub.volumes.VolumeFacts;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells what lies behind a folder. */
public final class Volumes {
    private Volumes() {}

    /** Looks at an existing folder. */
    public static Volume inspect(String role, Path folder) throws IOException {
        Mount mount = Mount.of(folder);
        BlockDevice device = BlockDevice.of(folder);
        return new Volume(
                role,
                folder.toString(),
                device == null ? null : device.name(),
                mount == null ? null : mount.filesystem(),
                mount == null ? null : mount.options(),
                device == null ? null : device.writeCache(),
                device == null ? null : device.rotational(),
                device == null ? null : device.scheduler(),
                Files.getFileStore(folder).getUsableSpace(),
                null,
                null,
                null,
                null,
                Storage.of(folder));
    }

    /**
     * Looks at an existing folder for the results of a run.
     *
     * @param facts of the folder, with the device that it acts like
     * @param syncs whether a sync there is worth something; null where nobody looked
     */
    public static Volume inspect(
            String role, Path folder, VolumeFacts facts, @Nullable SyncReliability syncs)
            throws IOException {
        Volume seen = inspect(role, folder);
        DeviceProfile profile =
                facts.emulates() == null ? null : DeviceProfile.named(facts.emulates());
        return new Volume(
                seen.role(),
                seen.path(),
                seen.device(),
                seen.filesystem(),
                seen.mountOptions(),
                profile == null ? seen.writeCache() : profile.writeCache(),
                profile == null ? seen.rotational() : Boolean.valueOf(profile.rotational()),
                seen.scheduler(),
                seen.freeBytes(),
                facts.emulates(),
                syncs == null ? null : verdict(syncs),
                syncs == null ? null : String.join(" ", syncs.reasons()),
                countsWrites(folder),
                seen.storage());
    }

    private static String verdict(SyncReliability syncs) {
        boolean cache = syncs.verdict() == SyncReliability.Grade.UNKNOWN
                && Boolean.TRUE.equals(syncs.cacheAnswers());
        return syncs.verdict().text() + (cache ? ", a cache answers" : "");
    }

    /**
     * {@return whether the kernel counts what is written to the device behind a folder, which is tried;
     * null where there is no device}
     */
    public static @Nullable Boolean countsWrites(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        return device == null ? null : Storage.countsWrites(folder, device);
    }

    /** {@return flushes of the disk behind a folder since the machine started; null if not counted} */
    public static @Nullable Long flushes(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        return device == null ? null : device.flushes();
    }

    /** {@return the numbers of the disk below a folder, MAJOR:MINOR, or null for a virtual file system} */
    public static @Nullable String diskNumber(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        return device == null ? null : device.disk().line("dev");
    }
}
