package org.hubmark.hub.pressure;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * One resource of a hub and its level, with hysteresis: a level is entered at its own threshold and
 * left at the one below. What counts is the best of the last samples, so that a level is entered only
 * when a shortage has lasted for all of them, and left with the first sign of relief.
 *
 * <p>The thread of {@link BackPressure} samples; any thread reads.
 */
public final class WatchedResource {
    /** A second: what is short for less is a burst, which queues are there for. */
    static final int SAMPLES = 10;

    /**
     * Thresholds of the levels. They grow from normal to high, or shrink where less is worse.
     *
     * @param normal medium ends on this side of it
     * @param medium medium begins here, and high ends on this side of it
     * @param high high begins here
     */
    record Thresholds(long normal, long medium, long high) {
        boolean shrink() {
            return high < normal;
        }
    }

    private final String name;
    private final String title;
    private final String unit;
    private final String refusal;
    private final Thresholds thresholds;
    private final LongSupplier source;
    private final long[] recent = new long[SAMPLES];
    private final LongAdder nanosAboveNormal = new LongAdder();
    private int next;
    private long value;
    private volatile PressureLevel level = PressureLevel.NORMAL;

    /**
     * Watches a resource.
     *
     * @param name for metrics
     * @param title for the log
     * @param unit of its values and thresholds
     * @param refusal what a peer is told when it is used up
     * @param source its value now; doesn't block
     */
    WatchedResource(
            String name,
            String title,
            String unit,
            String refusal,
            Thresholds thresholds,
            LongSupplier source) {
        this.name = name;
        this.title = title;
        this.unit = unit;
        this.refusal = refusal;
        this.thresholds = thresholds;
        this.source = source;
        Arrays.fill(recent, Long.MIN_VALUE);
    }

    /** {@return what metrics call it} */
    public String name() {
        return name;
    }

    /** {@return what a peer is told when it is used up} */
    String refusal() {
        return refusal;
    }

    /** {@return its level as of the last sample} */
    public PressureLevel level() {
        return level;
    }

    /** {@return for how long its level was above normal, in nanoseconds} */
    public LongAdder nanosAboveNormal() {
        return nanosAboveNormal;
    }

    /** Looks at it, so long after the last time. */
    void sample(long elapsedNanos) {
        if (level != PressureLevel.NORMAL) {
            nanosAboveNormal.add(elapsedNanos);
        }
        try {
            value = source.getAsLong();
        } catch (RuntimeException e) {
            // What nobody knows refuses no mail: the hard limits of store and receiver are behind
            // it.
            level = PressureLevel.NORMAL;
            throw e;
        }
        recent[next] = badness(value);
        next = (next + 1) % SAMPLES;
        long least = Arrays.stream(recent).min().getAsLong();
        boolean isHigh = least >= badness(thresholds.high());
        boolean isMedium = least >= badness(thresholds.medium());
        boolean isRelieved = least < badness(thresholds.normal());
        if (isHigh) {
            level = PressureLevel.HIGH;
        } else if (isMedium) {
            level = level == PressureLevel.HIGH ? level : PressureLevel.MEDIUM;
        } else if (isRelieved) {
            level = PressureLevel.NORMAL;
        } else if (level == PressureLevel.HIGH) {
            level = PressureLevel.MEDIUM;
        }
    }

    /** {@return whether it was one and the same, and normal, at the last looks} */
    boolean isStill() {
        return level == PressureLevel.NORMAL
                && Arrays.stream(recent).allMatch(one -> one == badness(value));
    }

    /** {@return its value and the thresholds, in words} */
    String describe() {
        return title + " is " + value + " " + unit + " (normal " + thresholds.normal() + ", medium "
                + thresholds.medium() + ", high " + thresholds.high() + ")";
    }

    /** Number in the direction in which more is worse. */
    private long badness(long number) {
        return thresholds.shrink() ? -number : number;
    }
}
