package org.hubmark.bench.machine.volumes;

import org.jspecify.annotations.Nullable;

/**
 * One volume of the hub.
 *
 * @param role log, queue or tracking
 * @param path the folder
 * @param device the block device behind it, or null for a virtual file system
 * @param writeCache as the kernel says: write back or write through; of an emulated device, that
 *     device's
 * @param rotational true for a disk that turns; of an emulated device, that device
 * @param freeBytes before the run
 * @param emulates the profile of the device that it acts like; null for itself
 * @param syncVerdict whether a sync there is worth something, as {@code volumes probe} judges:
 *     safe, not safe, unknown; null where nobody looked
 * @param syncReason why, in sentences
 */
public record Volume(
        String role,
        String path,
        @Nullable String device,
        @Nullable String filesystem,
        @Nullable String mountOptions,
        @Nullable String writeCache,
        @Nullable Boolean rotational,
        @Nullable String scheduler,
        @Nullable Long freeBytes,
        @Nullable String emulates,
        @Nullable String syncVerdict,
        @Nullable String syncReason) {}
