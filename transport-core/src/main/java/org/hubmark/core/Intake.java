package org.hubmark.core;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * The seam between a receiver and the component that takes responsibility for messages.
 *
 * <p>Any thread may call; no call blocks. What throws has taken nothing: the content is the
 * caller's still. A listener is called exactly once: on the calling thread before the call returns,
 * or later on a thread of the intake's, where it must not block or throw.
 */
public interface Intake {
    /** {@return why mail is refused at this moment, or null when it is taken} Asked at MAIL. */
    Receipt.@Nullable Refused refusal();

    /**
     * {@return for how long to hold back the reply to MAIL, in nanoseconds, so that mail comes in no
     * faster than it can be kept; 0 for not at all} Asked at MAIL.
     */
    default long pauseNanos() {
        return 0;
    }

    /** {@return the id for the next message} Each is handed out once; it may stay unused. */
    QueueId nextId();

    /**
     * Takes what is in memory of a message whose end has not come yet, so that a large message
     * needs no more memory than a small one.
     *
     * <p>Owns the content until the listener is called; then it is the caller's again, empty but
     * for the counts. Stored extents are nobody's mail until {@link #enqueue}.
     *
     * @param listener gets why the extent could not be taken, or nothing
     */
    void storeExtent(Content content, Consumer<Optional<Receipt.Refused>> listener);

    /**
     * Takes responsibility for a message. Takes ownership of the content and closes it.
     *
     * @param listener gets {@link Receipt.Queued} when the message is as durable as the store
     *     promises, and not before
     */
    void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener);

    /**
     * Forgets a message whose end will not come, stored extents too. Takes ownership of the content
     * and closes it.
     */
    void abandon(Content content);
}
