package org.hubmark.bench.results;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Rate above which messages begin to wait, by a short sweep of fixed rates up to the measured one.
 *
 * @param rateMsgsPerS the highest rate before waiting set in: before the p99 of the latency, or of
 *     the time in the queue, was more than twice that at the lowest rate, or the rate was not kept;
 *     null where that didn't happen, or at the lowest rate already, or where there were too few
 *     messages for a p99 at that
 * @param steps from the lowest rate
 */
public record Knee(@Nullable Double rateMsgsPerS, List<At> steps) {
    private static final double TURNED_UP = 2;
    private static final double KEPT = 0.99;

    /**
     * One rate.
     *
     * @param ofRate its share of the rate that was measured
     * @param intendedMsgsPerS that was sent by the clock
     * @param throughputMsgsPerS that was accepted
     * @param acceptP99Ms from the intended start, what was open at the end with its age; null of too
     *     few messages
     * @param queueResidenceP99Ms null where it isn't known
     * @param machineCpuPercent of all cores
     * @param avgLogDiskQueueLength requests in flight; null where the device doesn't say
     * @param avgQueueDiskQueueLength the same of the queue volume
     */
    public record At(
            double ofRate,
            double intendedMsgsPerS,
            @Nullable Double throughputMsgsPerS,
            @Nullable Double acceptP99Ms,
            @Nullable Double queueResidenceP99Ms,
            @Nullable Double machineCpuPercent,
            @Nullable Double avgLogDiskQueueLength,
            @Nullable Double avgQueueDiskQueueLength) {
        private boolean turnsUp(At lowest) {
            return !isKept()
                    || isMore(acceptP99Ms, lowest.acceptP99Ms)
                    || isMore(queueResidenceP99Ms, lowest.queueResidenceP99Ms);
        }

        private boolean isKept() {
            return throughputMsgsPerS != null && throughputMsgsPerS >= KEPT * intendedMsgsPerS;
        }

        private static boolean isMore(@Nullable Double now, @Nullable Double lowest) {
            return now != null && lowest != null && now > TURNED_UP * lowest;
        }
    }

    /** Copies the list. */
    public Knee {
        steps = List.copyOf(steps);
    }

    /** {@return where waiting set in} */
    public static Knee of(List<At> steps) {
        At lowest = steps.getFirst();
        for (int i = 1; i < steps.size() && lowest.isKept() && lowest.acceptP99Ms != null; i++) {
            if (steps.get(i).turnsUp(lowest)) {
                return new Knee(steps.get(i - 1).intendedMsgsPerS, steps);
            }
        }
        return new Knee(null, steps);
    }

    /** {@return the last step before waiting set in; null where it didn't} */
    public @Nullable At before() {
        for (At step : steps) {
            if (rateMsgsPerS != null && step.intendedMsgsPerS == rateMsgsPerS) {
                return step;
            }
        }
        return null;
    }

    /** {@return the first step at which messages waited; null where none did} */
    public @Nullable At after() {
        At before = before();
        return before == null ? null : steps.get(steps.indexOf(before) + 1);
    }
}
