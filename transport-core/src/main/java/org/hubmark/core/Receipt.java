package org.hubmark.core;

/** Answer of an {@link Intake} for a message. */
public sealed interface Receipt {

    /**
     * The message is ours, as durably as the store's durability class says.
     *
     * @param id its queue id
     */
    record Queued(QueueId id) implements Receipt {}

    /**
     * The message is not ours and nothing of it is kept.
     *
     * @param reason decides the reply that the peer sees
     * @param detail a few words for the peer and the log, without a line end
     */
    record Refused(Reason reason, String detail) implements Receipt {}

    /** Why mail is refused; each has one SMTP reply. */
    enum Reason {
        /** More is waiting than the hand-off holds; 451 4.3.2. */
        BUSY,
        /** A volume has no room; 452 4.3.1. */
        STORAGE_FULL,
        /** No memory for more content in flight; 452 4.3.1. */
        BYTES_IN_FLIGHT,
        /** Some resource has been short for so long that no further mail is begun; 452 4.3.1. */
        BACK_PRESSURE,
        /** The recipients take more than a record of the queue holds, and always will; 554 5.3.4. */
        ENVELOPE_TOO_LARGE,
        /** We are shutting down; 421 4.3.2. */
        CLOSING,
        /** A write or a sync failed, so what the disk holds is not known; 421 4.3.0. */
        BROKEN
    }
}
