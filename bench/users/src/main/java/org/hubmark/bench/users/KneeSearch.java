package org.hubmark.bench.users;

import org.jspecify.annotations.Nullable;

/**
 * Looks for the most users that a mail system holds: doubles their number until a level does not pass
 * (or halves it until one does), and then halves what lies between the most that passed and the fewest
 * that did not, until that is at most a tenth of the former. One thread.
 */
public final class KneeSearch implements Levels {
    /** Somebody to write to is needed. */
    public static final int USERS_MIN = 2;

    /** What may lie between the answer and the first level that did not pass, as a share of it. */
    private static final double GAP = 0.1;

    private final int first;
    private final int most;
    private int current;
    private int passed;
    private int failed;

    /**
     * Prepares.
     *
     * @param first number that is tried, 2 or more
     * @param most that may be tried, not below the first
     */
    public KneeSearch(int first, int most) {
        if (first < USERS_MIN || most < first) {
            throw new IllegalArgumentException("from " + first + " to " + most);
        }
        this.first = first;
        this.most = most;
    }

    @Override
    public int first() {
        return first;
    }

    @Override
    public int most() {
        return most;
    }

    @Override
    public @Nullable Integer next(boolean currentPassed) {
        if (current == 0) {
            current = first;
            return current;
        }
        if (currentPassed) {
            passed = current;
        } else {
            failed = current;
        }
        Integer next = next();
        current = next == null ? current : next;
        return next;
    }

    private @Nullable Integer next() {
        if (failed == 0) {
            return passed == most ? null : (Integer) (int) Math.min(2L * passed, most);
        }
        if (passed == 0) {
            return failed == USERS_MIN ? null : (Integer) Math.max(failed / 2, USERS_MIN);
        }
        int gap = failed - passed;
        return gap <= Math.max(1, GAP * passed) ? null : (Integer) (passed + gap / 2);
    }
}
