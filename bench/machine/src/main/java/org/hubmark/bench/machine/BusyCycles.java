package org.hubmark.bench.machine;

/**
 * Cycles that the cores ran, and in what time: over an interval, the quotient of their growth is the
 * mean clock of the cores while they were busy.
 *
 * @param megacycles so far, of all cores
 * @param ticks of 10 ms, busy, in which they ran those
 */
public record BusyCycles(double megacycles, double ticks) {
    /** USER_HZ is 100 on every architecture that a current JDK runs on. */
    static final double TICKS_PER_SECOND = 100;

    /** Before anything ran. */
    static final BusyCycles NONE = new BusyCycles(0, 0);
}
