package org.hubmark.bench.qualify.pages;

import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.core.Uninterrupted;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The cache of all stores. It grows to its most size. When fewer than one of a hundred of its places are
 * free, a thread of its own begins to free those that were not used for longest, until two of a hundred
 * are: the flush thresholds of the source. A page that is dirty is written by its store first. Any thread.
 */
public final class PageCache implements AutoCloseable {
    private static final int GROW_PAGES = 64;
    private static final int START_SHARE = 100;
    private static final int STOP_SHARE = 50;
    private static final int FREE_MIN = 8;
    private static final long WAIT_MILLIS = 1;

    private final int pagesMax;
    private final int start;
    private final int stop;
    private final Keeping keeping;
    private final List<Frame> all = new ArrayList<>();
    private final Deque<Frame> free = new ArrayDeque<>();
    private final Thread cleaner = Thread.ofPlatform().daemon().name("page-cache").unstarted(this::clean);
    private int hand;
    private boolean isClosed;

    /** Which pages stay when nobody uses them. */
    public enum Keeping {
        ALL,
        /** Inner pages. */
        METADATA,
        NOTHING
    }

    /** Makes an empty one. */
    public PageCache(long bytesMax, Keeping keeping) {
        this.pagesMax = Math.toIntExact(Math.max(GROW_PAGES * 8L, bytesMax / Page.BYTES));
        this.start = Math.max(FREE_MIN, pagesMax / START_SHARE);
        this.stop = Math.max(2 * FREE_MIN, pagesMax / STOP_SHARE);
        this.keeping = keeping;
        cleaner.start();
    }

    /** {@return octets of pages in it} */
    public synchronized long usedBytes() {
        return (long) (all.size() - free.size()) * Page.BYTES;
    }

    public long bytesMax() {
        return (long) pagesMax * Page.BYTES;
    }

    /** {@return a place for a page, which is the caller's} Waits where there is none. */
    synchronized Frame take(PageIo io) throws InterruptedException {
        if (free.isEmpty() && all.size() < pagesMax) {
            grow();
        }
        if (free.size() < start && all.size() == pagesMax) {
            notifyAll();
        }
        boolean hasWaited = false;
        while (free.isEmpty()) {
            if (!hasWaited) {
                io.stalled();
                hasWaited = true;
                notifyAll();
            }
            wait(WAIT_MILLIS);
        }
        return free.pop();
    }

    private void grow() {
        int pages = Math.min(GROW_PAGES, pagesMax - all.size());
        ByteBuffer memory = DirectFiles.buffer(pages * Page.BYTES);
        for (int i = 0; i < pages; i++) {
            Frame frame = new Frame(memory.slice(i * Page.BYTES, Page.BYTES));
            all.add(frame);
            free.add(frame);
        }
    }

    /** Ends the use of a page. One that is not to be kept leaves at once, unless it is to be written. */
    void release(Frame frame) {
        boolean isKept = switch (keeping) {
            case ALL -> true;
            case METADATA -> Page.type(frame.buffer) != Page.LEAF;
            case NOTHING -> false;
        };
        frame.unpin();
        if (!isKept && frame.take()) {
            giveBack(frame);
        }
    }

    /** Takes back the place of a page that has no use any more. */
    synchronized void giveBack(Frame frame) {
        frame.leave();
        free.add(frame);
        notifyAll();
    }

    private synchronized void clean() {
        try {
            while (!isClosed) {
                if (all.size() < pagesMax || free.size() >= start) {
                    wait();
                } else {
                    sweep();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Goes round until enough is free, at most twice, and then lets others work. */
    private void sweep() throws InterruptedException {
        for (int i = 0; i < 2 * all.size() && free.size() < stop; i++) {
            hand = (hand + 1) % all.size();
            Frame frame = all.get(hand);
            PageStore store = frame.store();
            if (store == null) {
                continue;
            }
            if (frame.isUsed) {
                frame.isUsed = false;
            } else if (frame.isDirty && frame.isAsked) {
                continue;
            } else if (frame.isDirty) {
                frame.isAsked = true;
                store.writeSoon(frame.page());
            } else if (frame.take()) {
                frame.leave();
                free.add(frame);
            }
        }
        notifyAll();
        if (free.size() < stop) {
            wait(WAIT_MILLIS);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        Uninterrupted.join(cleaner);
    }
}
