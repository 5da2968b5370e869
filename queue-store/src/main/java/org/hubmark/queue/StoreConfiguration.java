package org.hubmark.queue;

import org.hubmark.core.Durability;
import org.hubmark.core.Settings;

import java.nio.file.Path;
import java.time.InstantSource;

/**
 * Folders of a store and its durability class.
 *
 * @param logVolume the folder of the log volume; made if absent
 * @param queueVolume the folder of the queue volume; made if absent
 * @param durability what a 250 promises
 * @param checkpointDepthBytes how much the log holds before its oldest part moves to the queue
 *     database; 1 MiB or more
 * @param settings the rest
 * @param clock tells when a deferred message is due
 * @param existingOnly whether a store has to be there: two empty folders are refused then, as those
 *     below a mount that is missing are
 */
public record StoreConfiguration(
        Path logVolume,
        Path queueVolume,
        Durability durability,
        long checkpointDepthBytes,
        Settings settings,
        InstantSource clock,
        boolean existingOnly) {
    /** A checkpoint depth, in bytes, is this or more. */
    public static final long CHECKPOINT_DEPTH_BYTES_MIN = 1 << 20;

    /** Makes a store where there is none. */
    public StoreConfiguration(
            Path logVolume,
            Path queueVolume,
            Durability durability,
            long checkpointDepthBytes,
            Settings settings,
            InstantSource clock) {
        this(logVolume, queueVolume, durability, checkpointDepthBytes, settings, clock, false);
    }

    /** Checks the depth. */
    public StoreConfiguration {
        if (checkpointDepthBytes < CHECKPOINT_DEPTH_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "the checkpoint depth is 1MiB or more, not " + checkpointDepthBytes + " bytes");
        }
    }
}
