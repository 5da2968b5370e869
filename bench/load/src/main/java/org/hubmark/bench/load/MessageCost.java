package org.hubmark.bench.load;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * CPU time that a message takes, sample by sample, and whether it falls no more: of code that is not yet
 * compiled it does. One thread.
 */
public final class MessageCost {
    /** Length of a sample. */
    public static final Duration SAMPLE = Duration.ofMillis(500);

    /** Two seconds, the length of a look: a JVM compiles in steps, and each seems level for a second. */
    public static final int LOOK = 4;

    /** From one look to the next the cost may fall by so much, which is noise. */
    private static final double FALL_MAX = 0.05;

    private final long clockNanos;
    private final List<Long> messages = new ArrayList<>();
    private final List<@Nullable Long> nanos = new ArrayList<>();

    /**
     * Begins without a sample.
     *
     * @param clockNanos by which the clock of the CPU time is wrong at the begin and at the end of a look
     */
    public MessageCost(long clockNanos) {
        this.clockNanos = clockNanos;
    }

    /**
     * Adds the next sample.
     *
     * @param cpuNanos null where it isn't known
     */
    public void add(long accepted, @Nullable Long cpuNanos) {
        messages.add(accepted);
        nanos.add(cpuNanos);
    }

    /** {@return how many samples there are} */
    public int size() {
        return messages.size();
    }

    /** {@return CPU time of a message, nanoseconds; NaN where it isn't known} */
    public double of(int from, int to) {
        long accepted =
                messages.subList(from, to).stream().mapToLong(Long::longValue).sum();
        return accepted == 0 ? Double.NaN : nanos(from, to) / accepted;
    }

    /** {@return whether the clock is fine enough to see so large a change of it} */
    public boolean isSeen(int from, int to, double change) {
        return 2 * clockNanos <= change * nanos(from, to);
    }

    private double nanos(int from, int to) {
        double sum = 0;
        for (Long one : nanos.subList(from, to)) {
            sum += one == null ? Double.NaN : one;
        }
        return sum;
    }

    /**
     * {@return whether each of the last looks cost no less than the one before; null where there are too few
     * samples, or that isn't known}
     */
    public @Nullable Boolean isLevel(int looks) {
        int last = size();
        if (last < looks * LOOK) {
            return null;
        }
        Boolean level = true;
        double before = 0;
        for (int from = last - looks * LOOK; from < last; from += LOOK) {
            double cost = of(from, from + LOOK);
            if (Double.isNaN(cost) || !isSeen(from, from + LOOK, FALL_MAX)) {
                return null;
            }
            level = level && cost >= before * (1 - FALL_MAX);
            before = cost;
        }
        return level;
    }
}
