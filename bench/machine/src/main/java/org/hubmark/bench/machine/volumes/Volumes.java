package org.hubmark.bench.machine.volumes;

import org.hubmark.bench.machine.devices.Mount;
import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells what lies behind a folder. */
public final class Volumes {
    private Volumes() {}

    /** Looks at an existing folder. */
    public static VolumeDisclosure inspect(String role, Path folder) throws IOException {
        return inspect(role, folder, null, new VolumeDisclosure.Sync(null, null), null);
    }

    /**
     * Looks at an existing folder for the results of a run.
     *
     * @param facts of the folder, with the device that it acts like
     * @param syncs whether a sync there is worth something; null where nobody looked
     */
    public static VolumeDisclosure inspect(
            String role, Path folder, VolumeFacts facts, @Nullable SyncReliability syncs)
            throws IOException {
        return inspect(
                role,
                folder,
                facts.emulates() == null ? null : DeviceProfile.named(facts.emulates()),
                syncs == null
                        ? new VolumeDisclosure.Sync(null, null)
                        : new VolumeDisclosure.Sync(
                                verdict(syncs), String.join(" ", syncs.reasons())),
                countsWrites(folder));
    }

    private static VolumeDisclosure inspect(
            String role,
            Path folder,
            @Nullable DeviceProfile profile,
            VolumeDisclosure.Sync sync,
            @Nullable Boolean countsWrites)
            throws IOException {
        VolumeStack stack = VolumeStack.of(folder);
        Mount mount = stack.mount();
        return new VolumeDisclosure(
                role,
                folder.toString(),
                stack.deviceName(),
                mount == null ? null : mount.filesystem(),
                mount == null ? null : mount.options(),
                profile == null
                        ? new VolumeDisclosure.Disk(
                                stack.writeCache(), stack.rotational(), stack.scheduler())
                        : new VolumeDisclosure.Disk(
                                profile.writeCache(), profile.rotational(), stack.scheduler()),
                Files.getFileStore(folder).getUsableSpace(),
                profile == null ? null : profile.toString(),
                sync,
                countsWrites,
                Storage.of(stack, Files.getFileStore(folder)));
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
        VolumeStack stack = VolumeStack.of(folder);
        return stack.deviceName() == null ? null : Storage.countsWrites(folder, stack);
    }
}
