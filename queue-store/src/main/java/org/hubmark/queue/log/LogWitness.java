package org.hubmark.queue.log;

/**
 * Lower bound of the log that is stored on the queue volume; an older one is true as well. A log
 * that has less than this has lost something.
 *
 * @param generation one that was begun, durably; 0 for none
 * @param syncedThrough a sequence up to which all was synced
 */
public record LogWitness(long generation, long syncedThrough) {
    /** Knows nothing: of a new store, or of a log without a queue volume. */
    public static final LogWitness NONE = new LogWitness(0, 0);

    /**
     * Checks the end of a log that was read.
     *
     * @param where names the log in the message
     * @throws LogException if it ends too early
     */
    public void requireReached(LogScan.End end, String where) throws LogException {
        if (end.lastSequence() < syncedThrough) {
            throw new LogException(where + ": the log ends with sequence " + end.lastSequence()
                    + " but " + syncedThrough + " had been synced, as the queue volume says; the"
                    + " log volume is older than the queue volume, or has lost synced data: restore"
                    + " the log and queue volumes from one backup");
        }
    }
}
