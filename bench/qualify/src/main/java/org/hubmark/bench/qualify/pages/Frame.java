package org.hubmark.bench.qualify.pages;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A place in the cache for a page. What stands in it is read and changed by who has pinned it and holds its store. */
final class Frame {
    private static final int TAKEN = -1;

    final ByteBuffer buffer;
    private final AtomicInteger pins = new AtomicInteger(TAKEN);
    /** Whether it was used since the cache looked last. */
    volatile boolean isUsed;

    volatile boolean isDirty;
    /** Whether the cache has asked for it to be written. */
    volatile boolean isAsked;
    /** Of a page that is dirty: where the log begins that has all that is in it and not in the file. */
    long firstLsn;

    private volatile @Nullable PageStore store;
    private volatile long page;
    private volatile boolean isLoaded;

    Frame(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    /** Gives it to a page, pinned, without what stands in it. */
    void assign(PageStore owner, long number) {
        store = owner;
        page = number;
        isLoaded = false;
        isUsed = true;
        isDirty = false;
        isAsked = false;
        pins.set(1);
    }

    @Nullable
    PageStore store() {
        return store;
    }

    long page() {
        return page;
    }

    boolean isLoaded() {
        return isLoaded;
    }

    synchronized void loaded() {
        isLoaded = true;
        notifyAll();
    }

    /** Takes it from a page that was assigned to it and that nobody knows of. Others may look at it for a moment. */
    void takeBack() {
        failed();
        while (!pins.compareAndSet(1, TAKEN)) {
            Thread.onSpinWait();
        }
    }

    /** Gives up a page that could not be read. */
    synchronized void failed() {
        store = null;
        notifyAll();
    }

    /** Waits until another thread has read it, or could not. */
    synchronized void await() throws InterruptedException {
        while (!isLoaded && store != null) {
            wait();
        }
    }

    /** {@return whether it is pinned now: it was not taken for another page} */
    boolean pin() {
        int now = pins.get();
        while (now != TAKEN) {
            if (pins.compareAndSet(now, now + 1)) {
                return true;
            }
            now = pins.get();
        }
        return false;
    }

    void unpin() {
        var unused = pins.decrementAndGet();
    }

    /** {@return whether nobody has it now, and it is the caller's} */
    boolean take() {
        if (!isLoaded || isDirty || !pins.compareAndSet(0, TAKEN)) {
            return false;
        }
        if (isDirty) {
            pins.set(0);
            return false;
        }
        return true;
    }

    /** The page that it had has no place any more. */
    void leave() {
        PageStore owner = store;
        if (owner != null) {
            owner.forget(this);
        }
        store = null;
        isLoaded = false;
    }
}
