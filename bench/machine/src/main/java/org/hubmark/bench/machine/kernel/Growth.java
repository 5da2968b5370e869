package org.hubmark.bench.machine.kernel;

import org.jspecify.annotations.Nullable;

/** How far a counter has grown between two looks. A counter never falls, but it may begin anew. */
public final class Growth {
    private Growth() {}

    /** {@return by how much; null where it fell, since it then began anew, or where either isn't known} */
    public static @Nullable Long of(@Nullable Long before, @Nullable Long after) {
        return before == null || after == null || after < before ? null : (Long) (after - before);
    }
}
