package org.hubmark.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts what each sync covered, by powers of two of its bytes. One thread at a time adds, any thread
 * reads. A reader may see a sync in some of the sums and not yet in the others.
 */
final class GroupHistogram {
    private static final int SYNCS = 0;
    private static final int WRITES = 1;
    private static final int BYTES = 2;
    private static final int MESSAGES = 3;
    private static final int SUMS = 4;

    /** For each power of two up to the highest of a long. */
    private final AtomicLongArray sums = new AtomicLongArray(Long.SIZE * SUMS);

    /** Adds a sync. */
    void add(long writes, long bytes, long messages) {
        int at = power(bytes) * SUMS;
        sums.addAndGet(at + SYNCS, 1);
        sums.addAndGet(at + WRITES, writes);
        sums.addAndGet(at + BYTES, bytes);
        sums.addAndGet(at + MESSAGES, messages);
    }

    /** {@return the sizes that there were, from the smallest} */
    List<SyncedGroups> sizes() {
        List<SyncedGroups> sizes = new ArrayList<>();
        for (int power = 0; power < Long.SIZE - 1; power++) {
            int at = power * SUMS;
            if (sums.get(at + SYNCS) > 0) {
                sizes.add(new SyncedGroups(
                        1L << power,
                        sums.get(at + SYNCS),
                        sums.get(at + WRITES),
                        sums.get(at + BYTES),
                        sums.get(at + MESSAGES)));
            }
        }
        return sizes;
    }

    /** {@return the least power of two that is no less} */
    private static int power(long bytes) {
        return bytes <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(bytes - 1);
    }
}
