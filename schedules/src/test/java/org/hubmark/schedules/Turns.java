package org.hubmark.schedules;

import org.pastalab.fray.core.ThreadContext;
import org.pastalab.fray.core.randomness.Randomness;
import org.pastalab.fray.core.scheduler.POSScheduler;
import org.pastalab.fray.core.scheduler.Scheduler;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides whose turn it is. In the first schedule, by which classes are loaded, all go on in order. After it
 * four ways take turns, since each finds races that the others seldom meet: partial order sampling, a random
 * walk, priorities that change at some steps, and one thread that is stopped at some step of its own until
 * nothing else can go on. Seed and number decide a schedule, so it can be had again without those before it.
 */
final class Turns extends Scheduler {
    private static final int PRIORITY_CHANGES = 3;

    private final long seed;
    private final int number;
    private final int second;
    private final Random random;
    private final Way way;

    /** The steps of each thread in the first schedule, and in this one. */
    private final Map<Integer, Integer> lengths;

    private final Map<Integer, Integer> taken = new HashMap<>();
    private int steps;

    private interface Way {
        ThreadContext choose(List<ThreadContext> enabled, Collection<ThreadContext> all);
    }

    /** Random numbers for Fray. */
    record Drawn(Random random) implements Randomness {
        /** {@return the same numbers each time} */
        static Drawn same() {
            return new Drawn(new Random(0));
        }

        @Override
        public int nextInt() {
            return random.nextInt(Integer.MAX_VALUE);
        }

        @Override
        public double nextDouble() {
            return random.nextDouble();
        }

        @Override
        public double nextDouble(double from, double to) {
            return from + (to - from) * random.nextDouble();
        }

        @Override
        public void done() {}
    }

    /**
     * Begins.
     *
     * @param seed of the turns
     * @param second number of the schedule that follows the first one: 1, or that of a schedule to be repeated
     */
    Turns(long seed, int second) {
        this(seed, 0, second, Map.of(), Drawn.same());
    }

    private Turns(
            long seed,
            int number,
            int second,
            Map<Integer, Integer> lengths,
            Randomness randomness) {
        super(randomness);
        this.seed = seed;
        this.number = number;
        this.second = second;
        this.lengths = lengths;
        this.random = new Random(seed + number);
        this.way = number == 0 ? (enabled, all) -> enabled.getFirst() : way();
    }

    private Way way() {
        return switch (number % 4) {
            case 0 -> new POSScheduler(new Drawn(random))::scheduleNextOperation;
            case 1 -> (enabled, all) -> enabled.get(random.nextInt(enabled.size()));
            case 2 -> byPriority();
            default -> withOneStopped();
        };
    }

    /** {@return its number; 0 is the first} */
    int number() {
        return number;
    }

    @Override
    public ThreadContext scheduleNextOperation(
            List<ThreadContext> enabled, Collection<ThreadContext> all) {
        if (enabled.size() == 1) {
            return enabled.getFirst();
        }
        ThreadContext next = way.choose(enabled, all);
        taken.merge(next.getIndex(), 1, Integer::sum);
        steps++;
        return next;
    }

    @Override
    public Turns nextIteration(Randomness randomness) {
        return number == 0
                ? new Turns(seed, second, second, Map.copyOf(taken), randomness)
                : new Turns(seed, number + 1, second, lengths, randomness);
    }

    /** The highest priority goes on; at some steps the one that would go becomes the lowest. */
    private Way byPriority() {
        int length = lengths.values().stream().mapToInt(Integer::intValue).sum();
        Set<Integer> changes = random.ints(PRIORITY_CHANGES, 0, Math.max(100, length))
                .boxed()
                .collect(Collectors.toSet());
        Map<Integer, Double> priorities = new HashMap<>();
        Comparator<ThreadContext> lowestFirst = Comparator.comparing(context ->
                priorities.computeIfAbsent(context.getIndex(), index -> random.nextDouble()));
        return (enabled, all) -> {
            ThreadContext next = Collections.max(enabled, lowestFirst);
            if (changes.contains(steps)) {
                priorities.put(next.getIndex(), -1.0 - steps);
                next = Collections.max(enabled, lowestFirst);
            }
            return next;
        };
    }

    /** A random walk of all but one, which stops at some step of its own. */
    private Way withOneStopped() {
        List<Integer> threads = lengths.keySet().stream().sorted().toList();
        int stopped = threads.isEmpty() ? 1 : threads.get(random.nextInt(threads.size()));
        int end = random.nextInt(Math.max(10, lengths.getOrDefault(stopped, 0)));
        return (enabled, all) -> {
            List<ThreadContext> others = taken.getOrDefault(stopped, 0) < end
                    ? enabled
                    : enabled.stream()
                            .filter(context -> context.getIndex() != stopped)
                            .toList();
            return others.get(random.nextInt(others.size()));
        };
    }
}
