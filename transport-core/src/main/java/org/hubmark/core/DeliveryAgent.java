package org.hubmark.core;

/**
 * The seam between the queue and a destination: delivers mail.
 *
 * <p>Called from several delivery threads at once, as many as the setting {@code delivery.workers}
 * says; most of them are virtual threads, and they may block. All messages that one of them has at
 * a time are for one destination. An agent answers for every failure it can foresee; what it throws
 * means that our own side is wrong, and sets the message aside.
 */
public interface DeliveryAgent extends AutoCloseable {
    /**
     * Tries to deliver one message to the recipients that are open in the lease.
     *
     * @throws java.util.concurrent.CancellationException if it gives up because the agent ends: the
     *     message is due again after the next start
     */
    Outcome deliver(Lease lease);

    /**
     * {@return whether a delivery may have to wait for others} The messages of an agent that never
     * waits are delivered one after the other, by the thread that leases them.
     */
    default boolean mayBlock() {
        return true;
    }

    /**
     * Delivers a message, and while it is at it others that wait: for an agent that has something to
     * gain from several under way at once. What it throws is about the first one; of the others, those
     * without an end are due again at once.
     *
     * @param more where the others come from, and where each message's outcome goes, the first one's too
     */
    default void deliver(Lease lease, Deliveries more) {
        more.settle(lease, deliver(lease));
    }

    /**
     * An operator wants messages tried now: what is left alone after a failure is tried again with the
     * next message. Any thread.
     */
    default void retryNow() {}

    /**
     * Makes deliveries under way end soon, since the hub's time to stop is over: what the peer has not
     * answered by now is {@link Outcome.Deferred}, and stays in the queue as it was.
     */
    default void abort() {}

    /** Ends connections and the like; no delivery is under way any more. */
    @Override
    default void close() {}
}
