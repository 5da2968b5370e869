package org.hubmark.bench.users;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.List;

/** How many users are tried, one number after the other. One thread. */
public interface Levels {
    /** {@return the number to begin with} */
    int first();

    /** {@return the largest number there can be} */
    int most();

    /**
     * {@return the next number, or null when there is none}
     *
     * @param passed whether the number before passed; of no matter the first time
     */
    @Nullable
    Integer next(boolean passed);

    /**
     * {@return the given numbers, whether they pass or not}
     *
     * @param users in increasing order, one at least
     */
    static Levels given(List<Integer> users) {
        List<Integer> levels = List.copyOf(users);
        Iterator<Integer> left = levels.iterator();
        return new Levels() {
            @Override
            public int first() {
                return levels.getFirst();
            }

            @Override
            public int most() {
                return levels.getLast();
            }

            @Override
            public @Nullable Integer next(boolean passed) {
                return left.hasNext() ? left.next() : null;
            }
        };
    }
}
