package org.hubmark.core;

import java.time.Instant;
import java.util.List;

/**
 * One message as it stands in the queue, without its content.
 *
 * @param id its queue id
 * @param envelope its envelope
 * @param sizeBytes the octets of its content
 * @param state what is to become of it
 * @param dueAt when it is to be tried next, its receipt for at once; of one that isn't to be tried,
 *     since when
 * @param attempts how many attempts were made
 * @param reason the last outcome that wasn't a delivery, or empty
 * @param results how far each forward-path has got, in the envelope's order; empty as long as nothing
 *     was settled for any of them
 */
public record QueuedMessage(
        QueueId id,
        Envelope envelope,
        long sizeBytes,
        State state,
        Instant dueAt,
        int attempts,
        String reason,
        List<RecipientResult> results) {

    /** State of a message in the queue. */
    public enum State implements Coded {
        /** To be delivered when due. */
        QUEUED(0),
        /** To be delivered when due; tried or put off before. */
        DEFERRED(1),
        /** Not to be delivered unless somebody asks for it. */
        DEAD(2),
        /** Set aside, because it can't be read or its delivery broke down; likewise. */
        DAMAGED(3),
        /** Dead as well; version 0.1.0 kept only its header, so it can't be delivered any more. */
        HEADER(4),
        /** Dead as well; leaves when the sender has got the notification of that, or of each failure. */
        RETURNED(5);

        private final int code;

        State(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }

        /** {@return whether it is a dead letter, whole or not} */
        public boolean isDead() {
            return switch (this) {
                case DEAD, RETURNED, HEADER -> true;
                case QUEUED, DEFERRED, DAMAGED -> false;
            };
        }
    }
}
