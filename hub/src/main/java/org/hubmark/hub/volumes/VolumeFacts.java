package org.hubmark.hub.volumes;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What is known of the volume behind a folder. What isn't known is null.
 *
 * @param path as it was given
 * @param mountPoint where its file system is mounted
 * @param filesystem its type
 * @param device the kernel's name of the block device; null for a virtual file system
 * @param media the disks below it: those of partitions, arrays, logical volumes, loop devices
 * @param model what the disk calls itself
 * @param mountOptions all of them
 * @param optionsThatMatter those that change what a sync costs or is worth
 * @param barriers false when the file system sends no flushes by a mount option
 * @param rotational as the device says; virtual disks often say 1 whatever they are
 * @param virtual true for the disk of a virtual machine
 * @param scheduler the I/O scheduler in force
 * @param writeCache as the kernel says: write back (it sends flushes) or write through
 * @param raid level of Linux's own RAID
 * @param backingFile of a loop device
 * @param directIo of a loop device: whether it goes round the page cache
 * @param emulates the device that it acts like for a measurement; null for itself
 * @param sizeBytes of the file system
 * @param freeBytes that this user may use
 * @param sharesDeviceWith those of the paths asked for that lie on one of the same disks
 * @param remarks what to look out for
 */
public record VolumeFacts(
        String path,
        @Nullable String mountPoint,
        @Nullable String filesystem,
        @Nullable String device,
        List<String> media,
        @Nullable String model,
        @Nullable String mountOptions,
        List<String> optionsThatMatter,
        boolean barriers,
        @Nullable Boolean rotational,
        boolean virtual,
        @Nullable String scheduler,
        @Nullable String writeCache,
        @Nullable String raid,
        @Nullable String backingFile,
        @Nullable Boolean directIo,
        @Nullable String emulates,
        long sizeBytes,
        long freeBytes,
        List<String> sharesDeviceWith,
        List<String> remarks) {
    /** Copies the lists. */
    public VolumeFacts {
        media = List.copyOf(media);
        optionsThatMatter = List.copyOf(optionsThatMatter);
        sharesDeviceWith = List.copyOf(sharesDeviceWith);
        remarks = List.copyOf(remarks);
    }

    /**
     * {@return what endangers synced mail there, as far as can be told without measuring; null where
     * nothing is known to}
     */
    public @Nullable String danger() {
        if (VolumeInspection.isVolatile(filesystem)) {
            return path + " is in memory";
        }
        return barriers || "write through".equals(writeCache)
                ? null
                : path + " is mounted without barriers: a sync does not flush the device's write"
                        + " cache";
    }

    /** {@return the same, acting like a device; null for like itself} */
    public VolumeFacts emulating(@Nullable String profile) {
        return new VolumeFacts(
                path,
                mountPoint,
                filesystem,
                device,
                media,
                model,
                mountOptions,
                optionsThatMatter,
                barriers,
                rotational,
                virtual,
                scheduler,
                writeCache,
                raid,
                backingFile,
                directIo,
                profile,
                sizeBytes,
                freeBytes,
                sharesDeviceWith,
                remarks);
    }

    /** {@return the same, with these remarks} */
    public VolumeFacts with(List<String> others) {
        return new VolumeFacts(
                path,
                mountPoint,
                filesystem,
                device,
                media,
                model,
                mountOptions,
                optionsThatMatter,
                barriers,
                rotational,
                virtual,
                scheduler,
                writeCache,
                raid,
                backingFile,
                directIo,
                emulates,
                sizeBytes,
                freeBytes,
                sharesDeviceWith,
                others);
    }
}
