package org.hubmark.queue;

import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Space that a store needs on its two volumes. More than the log's depth is in use while the queue
 * volume is behind, or a large backlog lies there.
 *
 * @param logBytes the log at its checkpoint depth, the segment that is left for settling, and what
 *     stays free
 * @param queueBytes what the log may have to move there at once, and what stays free
 * @param freeBytes what stays free on each file system; a part of both
 */
public record RequiredSpace(long logBytes, long queueBytes, long freeBytes) {
    /** {@return what a store with these settings needs} */
    public static RequiredSpace of(Settings settings, long checkpointDepthBytes) {
        return of(LogSettings.read(settings, checkpointDepthBytes));
    }

    static RequiredSpace of(LogSettings log) {
        long segmentBytes = log.segmentBytes();
        return new RequiredSpace(
                (log.depthSegments() + 1) * segmentBytes + log.freeMin(),
                log.depthSegments() * segmentBytes + log.freeMin(),
                log.freeMin());
    }

    /**
     * Checks how large two volumes are, which may be folders that are still to be made. What is free
     * there comes and goes, and is the running store's affair.
     *
     * @throws StoreException if one of them is too small at its emptiest
     */
    public void require(Path logVolume, Path queueVolume) throws IOException {
        FileStore log = around(logVolume);
        FileStore queue = around(queueVolume);
        if (log.equals(queue)) {
            require(
                    logVolume + " and " + queueVolume + " on one file",
                    log,
                    logBytes + queueBytes - freeBytes);
        } else {
            require("the log volume " + logVolume + " on a file", log, logBytes);
            require("the queue volume " + queueVolume + " on a file", queue, queueBytes);
        }
    }

    private static void require(String what, FileStore store, long neededBytes) throws IOException {
        long totalBytes = store.getTotalSpace();
        // Some file systems don't say.
        if (totalBytes > 0 && totalBytes < neededBytes) {
            throw new StoreException(what + " system of " + megabytes(totalBytes)
                    + ": the checkpoint depth and the free"
                    + " space to be kept need " + megabytes(neededBytes)
                    + "; take a smaller depth or a larger volume");
        }
    }

    private static FileStore around(Path folder) throws IOException {
        Path at = folder.toAbsolutePath().normalize();
        while (at.getParent() != null && !Files.exists(at)) {
            at = at.getParent();
        }
        return Files.getFileStore(at);
    }

    private static String megabytes(long bytes) {
        return Math.ceilDiv(bytes, 1_000_000) + " MB";
    }
}
