package org.hubmark.queue;

import org.hubmark.core.Settings;

/**
 * What a store needs of its two volumes. More than the log's depth is in use while the queue volume is
 * behind, or a large backlog lies there.
 *
 * @param logBytes the log at its checkpoint depth, the segment that is left for settling, and what stays
 *     free
 * @param queueBytes what the log may have to move there at once, and what stays free
 */
public record RequiredSpace(long logBytes, long queueBytes) {
    /** {@return what a store with these settings needs} */
    public static RequiredSpace of(Settings settings, long checkpointDepthBytes) {
        return of(LogSettings.read(settings, checkpointDepthBytes));
    }

    static RequiredSpace of(LogSettings log) {
        long segmentBytes = log.segmentBytes();
        return new RequiredSpace(
                (log.depthSegments() + 1) * segmentBytes + log.freeMin(),
                log.depthSegments() * segmentBytes + log.freeMin());
    }
}
