package org.hubmark.queue.log;

import java.util.List;

/**
 * End of a log that was closed cleanly; with it the next start need not read the log.
 *
 * @param lastGeneration the newest segment's
 * @param endOffset where the next group goes in it; nothing of this generation lies behind
 * @param lastSequence of the last record
 * @param highestId ever used
 * @param databaseCheckpoint of the queue database that goes with it: another one may lack what the
 *     log was relieved of
 */
public record CleanClose(
        long lastGeneration,
        int endOffset,
        long lastSequence,
        long highestId,
        long databaseCheckpoint) {
    /**
     * {@return the end of the log}
     *
     * @param chain the log, oldest first
     * @throws LogException if it does not end where it was closed
     */
    public LogScan.End end(List<SegmentFiles.Link> chain) throws LogException {
        long newest = chain.isEmpty() ? 0 : chain.getLast().header().generation();
        if (newest != lastGeneration) {
            throw new LogException("the log was closed with generation " + lastGeneration
                    + " but ends with " + newest
                    + "; put back the missing segment, or restore the log and queue volumes from"
                    + " one backup");
        }
        return new LogScan.End(chain.size(), lastSequence, highestId, 0, 0, List.of());
    }
}
