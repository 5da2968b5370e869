package org.hubmark.schedules;

import org.pastalab.fray.core.ThreadContext;
import org.pastalab.fray.core.randomness.Randomness;
import org.pastalab.fray.core.scheduler.POSScheduler;
import org.pastalab.fray.core.scheduler.Scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Decides whose turn it is, and remembers it. Four ways take turns, since each finds races that the others
 * seldom meet, after a first schedule in order: partial order sampling, a random walk, priorities that change at some steps, and one thread
 * that is stopped at some step of its own until nothing else can go on.
 */
final class Turns extends Scheduler {
    private static final int WAYS = 4;
    private static final int PRIORITY_CHANGES = 3;

    private final long seed;
    private final int iteration;
    private final List<Integer> steps = new ArrayList<>();
    private final Random random;
    private final Way way;

    /** The steps of the longest schedule so far, and of its threads. */
    private final Map<Integer, Integer> lengths;

    private interface Way {
        ThreadContext choose(List<ThreadContext> enabled, Collection<ThreadContext> all);
    }

    /**
     * Begins.
     *
     * @param seed of the turns
     * @param randomness what Fray gives threads is drawn from: the same for each schedule, so that a replay,
     *     which draws no turns, gives the same
     */
    Turns(long seed, Randomness randomness) {
        this(seed, 0, randomness, new HashMap<>());
    }

    private Turns(long seed, int iteration, Randomness randomness, Map<Integer, Integer> lengths) {
        super(randomness);
        this.seed = seed;
        this.iteration = iteration;
        this.lengths = lengths;
        this.random = new Random(seed + iteration);
        this.way = iteration == 0 ? (enabled, all) -> enabled.getFirst() : way();
    }

    private Way way() {
        return switch (iteration % WAYS) {
            case 0 -> {
                POSScheduler sampling = new POSScheduler(new Drawn(random));
                yield sampling::scheduleNextOperation;
            }
            case 1 -> (enabled, all) -> enabled.get(random.nextInt(enabled.size()));
            case 2 -> new Priorities();
            default -> new Stopped();
        };
    }

    /** {@return whether this is the first, in which classes are loaded and all threads go on in order} */
    boolean isFirst() {
        return iteration == 0;
    }

    /** {@return which thread went on at each step so far} */
    List<Integer> steps() {
        return steps;
    }

    @Override
    public ThreadContext scheduleNextOperation(
            List<ThreadContext> enabled, Collection<ThreadContext> all) {
        if (enabled.size() == 1) {
            return enabled.getFirst();
        }
        ThreadContext next = way.choose(enabled, all);
        steps.add(next.getIndex());
        return next;
    }

    @Override
    public Turns nextIteration(Randomness randomness) {
        Map<Integer, Integer> counts = new HashMap<>();
        steps.forEach(thread -> counts.merge(thread, 1, Integer::sum));
        counts.forEach((thread, count) -> lengths.merge(thread, count, Math::max));
        return new Turns(seed, iteration + 1, randomness, lengths);
    }

    private static ThreadContext of(List<ThreadContext> enabled, int thread) {
        for (ThreadContext context : enabled) {
            if (context.getIndex() == thread) {
                return context;
            }
        }
        return enabled.getFirst();
    }

    /** The highest priority goes on; at some steps the one that would go becomes the lowest. */
    private final class Priorities implements Way {
        private final Map<Integer, Double> priorities = new HashMap<>();
        private final List<Integer> changes = new ArrayList<>();
        private double lowest;

        Priorities() {
            int length = lengths.values().stream().mapToInt(Integer::intValue).sum();
            for (int i = 0; i < PRIORITY_CHANGES; i++) {
                changes.add(random.nextInt(Math.max(100, length)));
            }
        }

        @Override
        public ThreadContext choose(List<ThreadContext> enabled, Collection<ThreadContext> all) {
            for (ThreadContext context : enabled) {
                priorities.computeIfAbsent(context.getIndex(), index -> random.nextDouble());
            }
            ThreadContext next = highest(enabled);
            if (changes.contains(steps.size())) {
                lowest--;
                priorities.put(next.getIndex(), lowest);
                next = highest(enabled);
            }
            return next;
        }

        private ThreadContext highest(List<ThreadContext> enabled) {
            ThreadContext best = enabled.getFirst();
            for (ThreadContext context : enabled) {
                if (priorities.getOrDefault(context.getIndex(), 0.0)
                        > priorities.getOrDefault(best.getIndex(), 0.0)) {
                    best = context;
                }
            }
            return best;
        }
    }

    /** A random walk of all but one, which stops at some step of its own. */
    private final class Stopped implements Way {
        private final int stopped;
        private final int at;
        private int taken;

        Stopped() {
            List<Integer> threads = List.copyOf(lengths.keySet());
            stopped = threads.isEmpty() ? 1 : threads.get(random.nextInt(threads.size()));
            at = random.nextInt(Math.max(10, lengths.getOrDefault(stopped, 0)));
        }

        @Override
        public ThreadContext choose(List<ThreadContext> enabled, Collection<ThreadContext> all) {
            List<ThreadContext> others = new ArrayList<>(enabled);
            if (taken >= at) {
                others.removeIf(context -> context.getIndex() == stopped);
            }
            ThreadContext next = others.get(random.nextInt(others.size()));
            if (next.getIndex() == stopped) {
                taken++;
            }
            return of(enabled, next.getIndex());
        }
    }
}
