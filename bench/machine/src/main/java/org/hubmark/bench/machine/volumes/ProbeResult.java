package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.machine.devices.VolumeFacts;
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
 * @param syncs of small blocks, one at a time
 * @param sequential of 1 MiB each
 * @param random of one block each
 * @param honesty whether a sync is worth something
 */
public record ProbeResult(
        VolumeFacts volume,
        boolean directIo,
        boolean emulated,
        long fileBytes,
        int blockBytes,
        @JsonUnwrapped Syncs syncs,
        @JsonUnwrapped Sequential sequential,
        @JsonUnwrapped Random random,
        SyncReliability honesty) {
    /**
     * Blocks that are written and synced.
     *
     * @param overwriteDatasync overwrite a block, then fdatasync
     * @param flushesPerSync that the device counted while overwriting; null if it doesn't
     */
    public record Syncs(Timings overwriteDatasync, @Nullable Double flushesPerSync) {}

    /**
     * Rates from the start of a file to its end.
     *
     * @param sequentialWriteBytesPerS with a sync at the end
     * @param sequentialReadBytesPerS without one
     */
    public record Sequential(double sequentialWriteBytesPerS, double sequentialReadBytesPerS) {}

    /**
     * Blocks anywhere in the file.
     *
     * @param randomThreads that read and wrote at the same time
     * @param randomWrite not synced
     * @param randomRead one block each
     */
    public record Random(int randomThreads, Timings randomWrite, Timings randomRead) {}
}
