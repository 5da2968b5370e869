package org.hubmark.core;

/** What came of one attempt to deliver. */
public sealed interface Outcome {
    /** The message is delivered and leaves the queue. */
    record Delivered() implements Outcome {}

    /**
     * Try again later.
     *
     * @param reason a line for the operator
     */
    record Deferred(String reason) implements Outcome {}

    /**
     * Trying again can't help; the message becomes a dead letter.
     *
     * @param reason a line for the operator
     */
    record Undeliverable(String reason) implements Outcome {}
}
