package org.hubmark.queue;

/** Requests of an operator for one message of a queue. */
public enum OperatorAction {
    /**
     * A deferred message or a dead letter is due now; if it is dead, for those too whom it was refused.
     */
    RETRY,
    /** One that was set aside is due now. */
    RELEASE,
    /** It stays in the queue and is not tried again. */
    DEAD_LETTER,
    /** It leaves the queue for good, and nobody is told. */
    DELETE
}
