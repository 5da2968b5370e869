package org.hubmark.core;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limit of the bytes of memory in use at once for one purpose, such as content in flight or
 * envelopes being received. Any thread.
 *
 * <p>It counts what is allocated, not the octets in it, so the bound is on memory.
 */
public final class ContentBudget {
    private final long bytesMax;
    private final @Nullable ContentBudget whole;
    private final AtomicLong bytesUsed = new AtomicLong();
    private final LongAdder refusals = new LongAdder();

    /**
     * Makes a budget.
     *
     * @param bytesMax at most so many bytes
     */
    public ContentBudget(long bytesMax) {
        this(bytesMax, null);
    }

    private ContentBudget(long bytesMax, @Nullable ContentBudget whole) {
        this.bytesMax = bytesMax;
        this.whole = whole;
    }

    /**
     * {@return a budget for one of many users} What it takes is taken from this one too, and where
     * it says no this one counts the refusal too.
     *
     * @param shareBytesMax at most so many bytes
     */
    public ContentBudget share(long shareBytesMax) {
        return new ContentBudget(shareBytesMax, this);
    }

    /** Takes bytes from the budget, or takes none, counts a refusal and says false. */
    public boolean reserve(long bytes) {
        if (bytesUsed.addAndGet(bytes) > bytesMax) {
            bytesUsed.addAndGet(-bytes);
            countRefusal();
            return false;
        }
        if (whole != null && !whole.reserve(bytes)) {
            bytesUsed.addAndGet(-bytes);
            refusals.increment();
            return false;
        }
        return true;
    }

    /** Gives back what {@link #reserve} took. */
    public void release(long bytes) {
        bytesUsed.addAndGet(-bytes);
        if (whole != null) {
            whole.release(bytes);
        }
    }

    /** Counts a refusal: what the budget allowed could not be allocated. */
    void countRefusal() {
        refusals.increment();
        if (whole != null) {
            whole.countRefusal();
        }
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
