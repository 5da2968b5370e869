package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

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
 * @param countsWrites whether the kernel counts what is written to the device; null where nobody tried
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
        @Nullable Boolean countsWrites,
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
            @Nullable String syncVerdict, @Nullable String syncReason) {}
}
