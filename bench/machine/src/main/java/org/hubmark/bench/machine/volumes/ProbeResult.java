package org.hubmark.bench.machine.volumes;

import org.hubmark.hub.volumes.VolumeFacts;
import org.jspecify.annotations.Nullable;

/**
 * What a volume can do. Syncs one at a time, as a mail log writes; rates in bytes a second.
 *
 * @param volume what is known of it
 * @param directIo whether reads and writes went round the page cache; false where the file system
 *     can't: then they are those of memory
 * @param emulated whether the delays of a device profile were in force
 * @param fileBytes of the file that was read and written
 * @param blockBytes of a synced and of a random operation
 * @param overwriteDatasync overwrite a block, then fdatasync
 * @param overwriteDsync overwrite a block of a file opened with O_DSYNC
 * @param appendDatasync append a block, then fdatasync, which has to write metadata too
 * @param flushesPerSync that the device counted while overwriting; null if it doesn't
 * @param writesPerSync that the device counted, those of others included
 * @param sequentialWriteBytesPerS of 1 MiB each, with a sync at the end
 * @param sequentialReadBytesPerS of 1 MiB each
 * @param randomThreads that read and wrote at random at the same time
 * @param randomWrite of one block each, not synced
 * @param randomRead of one block each
 * @param honesty whether a sync is worth something
 */
public record ProbeResult(
        VolumeFacts volume,
        boolean directIo,
        boolean emulated,
        long fileBytes,
        int blockBytes,
        Timings overwriteDatasync,
        Timings overwriteDsync,
        Timings appendDatasync,
        @Nullable Double flushesPerSync,
        @Nullable Double writesPerSync,
        double sequentialWriteBytesPerS,
        double sequentialReadBytesPerS,
        int randomThreads,
        Timings randomWrite,
        Timings randomRead,
        SyncReliability honesty) {}
