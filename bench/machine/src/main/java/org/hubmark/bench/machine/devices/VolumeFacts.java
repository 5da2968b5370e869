package org.hubmark.bench.machine.devices;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Facts about the volume behind a folder. What isn't known is null.
 *
 * @param path as it was given
 * @param mount how its file system is mounted
 * @param disk what it lies on
 * @param disksUnknown why the disks below can't be told, in words; null where they can, and for
 *     memory
 * @param emulates the device that it acts like for a measurement; null for itself
 * @param sizeBytes of the file system
 * @param freeBytes that this user may use
 * @param sharesDeviceWith those of the paths asked for that lie on one of the same disks
 * @param remarks what to look out for
 */
public record VolumeFacts(
        String path,
        @JsonUnwrapped Mounted mount,
        @JsonUnwrapped Disk disk,
        @Nullable String disksUnknown,
        @Nullable String emulates,
        long sizeBytes,
        long freeBytes,
        List<String> sharesDeviceWith,
        List<String> remarks) {
    /** Copies the lists. */
    public VolumeFacts {
        sharesDeviceWith = List.copyOf(sharesDeviceWith);
        remarks = List.copyOf(remarks);
    }

    /**
     * A file system in its place.
     *
     * @param mountPoint where it is mounted
     * @param filesystem its type
     * @param mountOptions all of them
     * @param barriers false when the file system sends no flushes by a mount option
     */
    public record Mounted(
            @Nullable String mountPoint,
            @Nullable String filesystem,
            @Nullable String mountOptions,
            boolean barriers) {}

    /**
     * A block device and what it lies on; of a virtual file system all is null.
     *
     * @param device the kernel's name of it
     * @param media the disks below it: those of partitions, arrays, logical volumes, loop devices
     * @param model what the disks call themselves
     * @param rotational as the disks say; virtual disks often say 1 whatever they are
     * @param virtual true for the disk of a virtual machine or a cloud
     * @param ephemeral true for one whose content is lost when the virtual machine stops
     * @param scheduler the I/O scheduler in force
     * @param writeCache as the kernel says: write back (it sends flushes to a disk) or write through
     * @param raid level of the RAID of Linux
     * @param backingFile of a loop device
     * @param directIo of a loop device: whether it goes round the page cache
     */
    public record Disk(
            @Nullable String device,
            List<String> media,
            @Nullable String model,
            @Nullable Boolean rotational,
            boolean virtual,
            boolean ephemeral,
            @Nullable String scheduler,
            @Nullable String writeCache,
            @Nullable String raid,
            @Nullable String backingFile,
            @Nullable Boolean directIo) {
        /** Copies the list. */
        public Disk {
            media = List.copyOf(media);
        }
    }

    /**
     * {@return what endangers synced mail there, as far as can be told without measuring; null where
     * nothing is known to}
     */
    public @Nullable String danger() {
        if (VolumeInspection.isVolatile(mount.filesystem())) {
            return path + " is in memory";
        }
        if (disk.ephemeral()) {
            return path + " is on " + disk.model() + ": its data is lost when the machine stops";
        }
        return mount.barriers() || "write through".equals(disk.writeCache())
                ? null
                : path + " is mounted without barriers: a sync does not flush the device's write"
                        + " cache";
    }

    /** {@return the same, acting like a device; null for like itself} */
    public VolumeFacts emulating(@Nullable String profile) {
        return new VolumeFacts(
                path,
                mount,
                disk,
                disksUnknown,
                profile,
                sizeBytes,
                freeBytes,
                sharesDeviceWith,
                remarks);
    }
}
