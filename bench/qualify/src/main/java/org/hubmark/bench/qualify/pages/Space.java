package org.hubmark.bench.qualify.pages;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which pages of a store are free: those behind the last that was used, and those that were used and are
 * linked, the first of them in the page of totals. The caller has the store.
 */
final class Space {
    /** The page of totals: behind it come the roots. */
    static final long TOTALS = 0;

    private static final int NEXT = Page.LINK;
    private static final int HEAD = Page.LINK + Long.BYTES;

    /** The first of the free pages that are linked, as far as they are known. */
    private final Deque<Long> known = new ArrayDeque<>();

    /** Makes the page of totals of a new store. */
    static void init(PageChange change, long used) throws Missing {
        change.init(TOTALS, Page.META);
        change.set(TOTALS, NEXT, used);
    }

    /** {@return pages that are used or were} */
    static long pages(PageChange change) throws Missing {
        return change.page(TOTALS).getLong(NEXT);
    }

    /** Sees to it that so many pages can be taken without another look at the file. */
    void prepare(PageChange change, int pages) throws Missing {
        ByteBuffer totals = change.page(TOTALS);
        if (known.isEmpty() && totals.getLong(HEAD) != 0) {
            known.add(totals.getLong(HEAD));
        }
        while (!known.isEmpty() && known.size() <= pages) {
            long link = change.page(known.getLast()).getLong(Page.LINK);
            if (link == 0) {
                return;
            }
            known.add(link);
        }
    }

    /** {@return a page that is empty now} */
    long take(PageChange change, byte type) throws Missing {
        Long free = known.poll();
        long page;
        if (free == null) {
            page = pages(change);
            change.set(TOTALS, NEXT, page + 1);
        } else {
            page = free;
            Long next = known.peek();
            change.set(TOTALS, HEAD, next == null ? 0 : next);
        }
        change.init(page, type);
        return page;
    }

    /** Takes a page back. */
    void give(PageChange change, long page) throws Missing {
        long head = change.page(TOTALS).getLong(HEAD);
        change.init(page, Page.FREE);
        change.set(page, Page.LINK, head);
        change.set(TOTALS, HEAD, page);
        known.push(page);
    }
}
