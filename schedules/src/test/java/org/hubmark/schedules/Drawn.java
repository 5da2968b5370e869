package org.hubmark.schedules;

import org.pastalab.fray.core.randomness.Randomness;

import java.util.Random;

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
