package org.hubmark.core;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many bytes of content may be in memory at once, over all connections. Any thread.
 *
 * <p>It counts the capacity of the buffers, not the octets in them, so the bound is on memory.
 */
public final class ContentBudget {
    private final long bytesMax;
    private final AtomicLong bytesUsed = new AtomicLong();
    private final LongAdder refusals = new LongAdder();

    /**
     * Makes a budget.
     *
     * @param bytesMax at most so many bytes
     */
    public ContentBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes bytes from the budget, or takes none, counts a refusal and says false. */
    public boolean reserve(long bytes) {
        if (bytesUsed.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        bytesUsed.addAndGet(-bytes);
        refusals.increment();
        return false;
    }

    /** Gives back what {@link #reserve} took. */
    public void release(long bytes) {
        bytesUsed.addAndGet(-bytes);
    }

    /** {@return the bytes in use now} */
    public long bytesUsed() {
        return bytesUsed.get();
    }

    /** {@return the limit} */
    public long bytesMax() {
        return bytesMax;
    }

    /** {@return how often {@link #reserve} said no} */
    public long refusals() {
        return refusals.sum();
    }
}
