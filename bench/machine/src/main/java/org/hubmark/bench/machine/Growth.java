package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

/** How far a counter has grown between two looks. A counter never falls, but it may begin anew. */
public final class Growth {
    private static final long WRAP = 1L << 32;

    private Growth() {}

    /** {@return by how much; null where it fell, since it then began anew, or where either isn't known} */
    public static @Nullable Long of(@Nullable Long before, @Nullable Long after) {
        return before == null || after == null || after < before ? null : (Long) (after - before);
    }

    /**
     * {@return the same of a counter of 32 bits, which goes on at 0 behind its greatest value} What has
     * grown by less than half of that since the last look has gone on; else it began anew.
     */
    public static @Nullable Long ofInt(@Nullable Long before, @Nullable Long after) {
        if (before == null || after == null || after >= before || before >= WRAP) {
            return of(before, after);
        }
        long grown = after + WRAP - before;
        return grown < WRAP / 2 ? (Long) grown : null;
    }
}
