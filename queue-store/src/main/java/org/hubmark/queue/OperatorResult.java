package org.hubmark.queue;

/** Result of an {@link OperatorAction}. */
public enum OperatorResult {
    /** It is done, as durably as the durability class says. */
    DONE,
    /** There is no such message. */
    ABSENT,
    /** The message is being delivered, or is next for it; nothing was changed. */
    LEASED,
    /** The message is in no state for it; nothing was changed. */
    UNFIT
}
