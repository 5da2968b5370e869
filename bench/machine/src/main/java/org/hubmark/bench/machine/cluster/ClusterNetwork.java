package org.hubmark.bench.machine.cluster;

import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * How the hosts of a cluster are connected, each of them a network namespace with a link of its own to
 * one switch.
 *
 * @param linkBitsPerSecond what a link carries each way; null for as much as the machine does
 * @param linkDelay what a link adds each way; null for nothing
 * @param brokersApart whether each broker has a host of its own too; else it is on that of the bookie of
 *     its number
 */
public record ClusterNetwork(
        @Nullable Long linkBitsPerSecond, @Nullable Duration linkDelay, boolean brokersApart) {
    private static final long BITS_MIN = 1_000_000;
    private static final Duration DELAY_MAX = Duration.ofSeconds(1);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    public ClusterNetwork {
        if (linkBitsPerSecond != null && linkBitsPerSecond < BITS_MIN) {
            throw new IllegalArgumentException("a link of " + linkBitsPerSecond
                    + " bits a second is too slow: " + BITS_MIN + " or more");
        }
        if (linkDelay != null && (linkDelay.isZero() || linkDelay.compareTo(DELAY_MAX) > 0)) {
            throw new IllegalArgumentException("a link's delay of " + Durations.format(linkDelay)
                    + ": more than 0s and at most " + Durations.format(DELAY_MAX));
        }
    }

    /** One whose brokers are on the hosts of the bookies. */
    public ClusterNetwork(@Nullable Long linkBitsPerSecond, @Nullable Duration linkDelay) {
        this(linkBitsPerSecond, linkDelay, false);
    }
}
