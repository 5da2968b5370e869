package org.hubmark.core;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is held for a block: {@code try (BlockLock.Held unused = lock.hold()) ...}. Unlike {@code
 * synchronized} it doesn't keep a virtual thread that waits on its carrier.
 */
public final class BlockLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final Held held = lock::unlock;

    /** A lock while it is held. */
    @FunctionalInterface
    public interface Held extends AutoCloseable {
        /** Lets go. */
        @Override
        void close();
    }

    /** {@return the lock, held} Waits for it. */
    public Held hold() {
        lock.lock();
        return held;
    }

    /** {@return a condition, for who holds it} */
    public Condition newCondition() {
        return lock.newCondition();
    }
}
