package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One volume of the hub.
 *
 * @param role log, queue or tracking
 * @param path the folder
 * @param device the block device behind it, or null for a virtual file system
 * @param disk how the device is used; of an emulated one, that device
 * @param freeBytes before the run
 * @param emulates the profile of the device that it acts like; null for itself
 * @param sync whether a sync there is worth something
 * @param storage what the device is made of; null where there is none
 */
public record VolumeDisclosure(
        String role,
        String path,
        @Nullable String device,
        @Nullable String filesystem,
        @Nullable String mountOptions,
        @JsonUnwrapped Disk disk,
        @Nullable Long freeBytes,
        @Nullable String emulates,
        @JsonUnwrapped Sync sync,
        @Nullable Storage storage) {
    /**
     * A block device.
     *
     * @param writeCache as the kernel says: write back or write through
     * @param rotational true for a disk that turns
     * @param scheduler the I/O scheduler in force
     */
    public record Disk(
            @Nullable String writeCache,
            @Nullable Boolean rotational,
            @Nullable String scheduler) {}

    /**
     * A judgement of syncs.
     *
     * @param syncVerdict as {@code volumes probe} judges: safe, not safe, unknown; null where nobody looked
     * @param syncReason why, in sentences
     */
    public record Sync(
            @Nullable String syncVerdict, @Nullable String syncReason) {
        private static Sync of(@Nullable SyncReliability syncs) {
            if (syncs == null) {
                return new Sync(null, null);
            }
            boolean cache = syncs.verdict() == SyncReliability.Grade.UNKNOWN
                    && Boolean.TRUE.equals(syncs.cacheAnswers());
            return new Sync(
                    syncs.verdict().text() + (cache ? ", a cache answers" : ""),
                    String.join(" ", syncs.reasons()));
        }
    }

    /** {@return an existing folder, whose syncs nobody has looked at} */
    public static VolumeDisclosure of(String role, Path folder) throws IOException {
        return of(role, VolumeInspection.inspect(List.of(folder)).getFirst(), null);
    }

    /**
     * {@return a volume of a run}
     *
     * @param facts of an existing folder, with the device that it acts like
     * @param syncs whether a sync there is worth something; null where nobody looked
     */
    public static VolumeDisclosure of(
            String role, VolumeFacts facts, @Nullable SyncReliability syncs) throws IOException {
        Path folder = Path.of(facts.path());
        VolumeFacts.Disk disk = facts.disk();
        DeviceProfile profile =
                facts.emulates() == null ? null : DeviceProfile.named(facts.emulates());
        return new VolumeDisclosure(
                role,
                facts.path(),
                disk.device(),
                facts.mount().filesystem(),
                facts.mount().mountOptions(),
                new Disk(
                        profile == null ? disk.writeCache() : profile.writeCache(),
                        profile == null ? disk.rotational() : (Boolean) profile.rotational(),
                        disk.scheduler()),
                facts.freeBytes(),
                facts.emulates(),
                Sync.of(syncs),
                Storage.of(VolumeStack.of(folder), Files.getFileStore(folder)));
    }
}
