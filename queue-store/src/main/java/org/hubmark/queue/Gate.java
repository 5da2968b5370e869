package org.hubmark.queue;

import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;

/** The gate for new mail: open, or closed for a reason. Any thread; the most severe reason wins. */
final class Gate {
    static final Receipt.Refused BUSY =
            new Receipt.Refused(Receipt.Reason.BUSY, "more mail is waiting than can be stored");
    static final Receipt.Refused CLOSING =
            new Receipt.Refused(Receipt.Reason.CLOSING, "the queue is closing");
    static final Receipt.Refused BROKEN =
            new Receipt.Refused(Receipt.Reason.BROKEN, "a write to the queue failed");

    private boolean broken;
    private boolean closing;
    private @Nullable String fullVolume;
    private @Nullable String stalled;
    private volatile Receipt.@Nullable Refused refusal;

    Receipt.@Nullable Refused refusal() {
        return refusal;
    }

    synchronized void broken() {
        broken = true;
        decide();
    }

    synchronized void closing() {
        closing = true;
        decide();
    }

    /** Says which volume has no room, or null when both have. */
    synchronized void full(@Nullable String volume) {
        fullVolume = volume;
        decide();
    }

    /** Says what does not answer, or null when all do. */
    synchronized void stalled(@Nullable String what) {
        stalled = what;
        decide();
    }

    private void decide() {
        if (broken) {
            refusal = BROKEN;
        } else if (closing) {
            refusal = CLOSING;
        } else if (stalled != null) {
            refusal = new Receipt.Refused(Receipt.Reason.BUSY, stalled);
        } else if (fullVolume != null) {
            refusal = new Receipt.Refused(
                    Receipt.Reason.STORAGE_FULL, "the " + fullVolume + " has no room");
        } else {
            refusal = null;
        }
    }
}
