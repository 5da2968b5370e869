package org.hubmark.core;

import org.jspecify.annotations.Nullable;

/**
 * The messages that a delivery thread has for its agent, and where it says what came of each. Used by
 * that thread only.
 */
public interface Deliveries {
    /**
     * {@return one more message for this thread, or null} None that another thread is to take. Doesn't
     * wait. What it returns has to be settled or to break down before the agent returns.
     */
    @Nullable
    Lease next();

    /** Ends the attempt to deliver a message. */
    void settle(Lease lease, Outcome outcome);

    /** Ends the attempt because of something on our own side, which sets the message aside. */
    void breakDown(Lease lease, Throwable cause);
}
