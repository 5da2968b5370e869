package org.hubmark.bench.load;

import java.time.Duration;

/** Pace of the load, set by the server or by the clock. */
public sealed interface Pace {
    /** Messages a second; more is no rate but a typing error. */
    double RATE_MAX = 10_000_000;

    /** Each connection sends its next message when its last one was answered. */
    record ClosedLoop() implements Pace {}

    /**
     * Messages are intended by the clock, whatever the server does.
     *
     * @param ratePerSecond messages a second
     * @param seed of Poisson arrivals
     */
    record OpenLoop(double ratePerSecond, Arrivals arrivals, long seed) implements Pace {
        /** Checks the rate. */
        public OpenLoop {
            if (!(ratePerSecond > 0 && ratePerSecond <= RATE_MAX)) {
                throw new IllegalArgumentException(
                        "a rate is above 0 and up to " + (long) RATE_MAX);
            }
        }
    }

    /**
     * The highest rate that the server sustains, which has to be searched before anything is measured
     * ({@code RunSession} does it); a driver can't start with it.
     *
     * @param latencyP99Max the p99 of the latency from the intended start may be so long
     * @param seed of Poisson arrivals
     */
    record MaxSustained(Duration latencyP99Max, Arrivals arrivals, long seed) implements Pace {
        /** What asks for it, as options and results have it. */
        public static final String NAME = "max-sustained";

        /** Checks the limit. */
        public MaxSustained {
            if (!latencyP99Max.isPositive()) {
                throw new IllegalArgumentException("a limit of latency is more than 0");
            }
        }
    }

    /**
     * Reads max or a rate.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    static Pace parse(String text, Arrivals arrivals, long seed) {
        if (text.equals("max")) {
            return new ClosedLoop();
        }
        try {
            return new OpenLoop(Double.parseDouble(text), arrivals, seed);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text
                    + "' is not max, " + MaxSustained.NAME
                    + " or a number of messages per second above 0 and up to " + (long) RATE_MAX
                    + "; a run has one rate: give each rate a run of its own");
        }
    }
}
