package org.hubmark.core;

/**
 * Where mail goes out: the second seam.
 *
 * <p>Called from several delivery threads at once; may block. An agent answers for every failure it
 * can foresee; what it throws means that our own side is wrong.
 */
public interface DeliveryAgent extends AutoCloseable {
    /** Tries to deliver one message. */
    Outcome deliver(Lease lease);

    /** Ends connections and the like; no delivery is under way any more. */
    @Override
    default void close() {}
}
