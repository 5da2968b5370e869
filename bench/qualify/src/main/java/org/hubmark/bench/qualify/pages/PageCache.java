package org.hubmark.bench.qualify.pages;

import com.sun.management.HotSpotDiagnosticMXBean;

import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Uninterrupted;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The cache of all stores. It grows to its greatest size. When fewer than one of a hundred of its places are
 * free, a thread of its own begins to free those that were not used for longest, until two of a hundred
 * are: the flush thresholds of the source. A page that is dirty is written by its store first. Any thread.
 */
public final class PageCache implements AutoCloseable {
    /** The least size: some transactions with the longest messages have their pages in it. */
    public static final long BYTES_MIN = 16 << 20;

    /** Part of the cache that the source wants full before anything counts. */
    public static final double WARM_SHARE = 0.9;

    /** What else is read and written in the same memory. */
    private static final long BESIDE_BYTES = 128 << 20;

    private static final int GROW_PAGES = 64;
    private static final int START_SHARE = 100;
    private static final int STOP_SHARE = 50;
    private static final int FREE_MIN = 8;
    private static final long WAIT_MILLIS = 1;
    private static final long WAITS_NANOS_MAX = 60_000_000_000L;

    private final int pagesMax;
    private final int start;
    private final int stop;
    private final CacheMode mode;
    private final List<Frame> all = new ArrayList<>();
    private final Deque<Frame> free = new ArrayDeque<>();
    private final Thread cleaner =
            Thread.ofPlatform().daemon().name("page-cache").unstarted(this::clean);
    private int hand;
    private boolean isClosed;

    /**
     * Makes an empty one.
     *
     * @param bytesMin memory that it has from the beginning
     * @param bytesMax at least {@link #BYTES_MIN}
     * @throws UserError when the JVM may not have so much
     */
    public PageCache(CacheMode mode, long bytesMin, long bytesMax) {
        if (bytesMax < BYTES_MIN) {
            throw new IllegalArgumentException("a cache of pages of " + bytesMax + " octets");
        }
        requireMemory(bytesMax);
        this.pagesMax = Math.toIntExact(bytesMax / Page.BYTES);
        this.start = Math.max(FREE_MIN, pagesMax / START_SHARE);
        this.stop = Math.max(2 * FREE_MIN, pagesMax / STOP_SHARE);
        this.mode = mode;
        while (all.size() < bytesMin / Page.BYTES) {
            grow();
        }
        cleaner.start();
    }

    /** The pages are in memory of the JVM's that is not in its heap. */
    private static void requireMemory(long bytes) {
        String set = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        long most = set.equals("0") ? Runtime.getRuntime().maxMemory() : Long.parseLong(set);
        if (bytes + BESIDE_BYTES > most) {
            throw UserError.failed("--cache-max " + ByteSize.format(bytes) + " is more than the"
                    + " JVM may have beside its heap, " + (most >> 20) + "MiB: set"
                    + " HUBMARK_JAVA_OPTS=-XX:MaxDirectMemorySize="
                    + ((bytes + BESIDE_BYTES) >> 20) + "m");
        }
    }

    /**
     * {@return how much it has to hold before anything counts}
     *
     * @param databaseBytes of all databases together, which may be less than there is room for
     */
    public long warmBytes(long databaseBytes) {
        return mode == CacheMode.ALL
                ? (long) (WARM_SHARE * Math.min((long) pagesMax * Page.BYTES, databaseBytes))
                : 0;
    }

    /** {@return octets of pages in it} */
    public synchronized long usedBytes() {
        return (long) (all.size() - free.size()) * Page.BYTES;
    }

    /**
     * {@return a place for a page, which is the caller's} Waits where there is none.
     *
     * @throws IOException when the store has failed, or nothing is written for long
     */
    synchronized Frame take(PageStore store) throws IOException, InterruptedException {
        if (free.isEmpty() && all.size() < pagesMax) {
            grow();
        }
        if (free.size() < start && all.size() == pagesMax) {
            notifyAll();
        }
        if (free.isEmpty()) {
            free(start);
        }
        if (free.isEmpty()) {
            store.operations().add(IoCounter.STALLS, 1);
            notifyAll();
        }
        long end = System.nanoTime() + WAITS_NANOS_MAX;
        while (free.isEmpty()) {
            store.requireSound();
            if (System.nanoTime() > end) {
                throw new IOException(
                        "no page of the cache became free for a minute: name a larger --cache-max");
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
        boolean isKept = switch (mode) {
            case ALL -> true;
            case METADATA -> Page.type(frame.buffer) != Page.LEAF;
            case OFF -> false;
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
                    free(stop);
                    notifyAll();
                    if (free.size() < stop) {
                        wait(WAIT_MILLIS);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Goes round until so many places are free, at most twice. */
    private void free(int wanted) {
        for (int i = 0; i < 2 * all.size() && free.size() < wanted; i++) {
            hand = (hand + 1) % all.size();
            Frame frame = all.get(hand);
            PageStore store = frame.store();
            if (store == null) {
                continue;
            }
            if (frame.isUsed) {
                frame.isUsed = false;
            } else if (frame.isDirty) {
                if (!frame.isAsked) {
                    frame.isAsked = true;
                    store.writeSoon(frame.page());
                }
            } else if (frame.take()) {
                frame.leave();
                free.add(frame);
            }
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
