package org.hubmark.bench.measure;

import org.jspecify.annotations.Nullable;

/**
 * Names what set the pace: the first of these that holds, and where none does, whichever was nearest
 * to its bound.
 */
public final class Limit {
    /** A rate is kept when this share of it was accepted. */
    static final double RATE_KEPT = 0.99;

    /** From here on, percent, a resource that others share counts as used up. */
    static final double BUSY_PERCENT = 90;

    /** From here on, percent of a core each, the driver's event loops count as saturated. */
    static final double DRIVER_PERCENT = 95;

    private Limit() {}

    /**
     * Names it.
     *
     * @param ratePerSecond the asked rate, or null for as fast as it goes
     * @param local whether the machine's and the volumes' counters tell of the server
     * @return rate, cpu, driver, log_volume or queue_volume; null when nothing is known or nothing
     *     was accepted
     */
    public static @Nullable String of(
            Window window, @Nullable Double ratePerSecond, int driverThreads, boolean local) {
        if (window.acceptedMessages() == 0) {
            return null;
        }
        Double throughput = window.throughput();
        if (ratePerSecond != null
                && throughput != null
                && throughput >= ratePerSecond * RATE_KEPT) {
            return "rate";
        }
        Double driver = window.driverThreadPercent(driverThreads);
        String nearest = null;
        double nearness = 0;
        String[] names = {"cpu", "driver", "log_volume", "queue_volume"};
        Double[] shares = {
            local ? share(window.machineCpuPercent(), BUSY_PERCENT) : null,
            share(driver, DRIVER_PERCENT),
            local ? share(window.logBusyPercent(), BUSY_PERCENT) : null,
            local ? share(window.queueBusyPercent(), BUSY_PERCENT) : null
        };
        for (int i = 0; i < names.length; i++) {
            Double share = shares[i];
            if (share == null) {
                continue;
            }
            if (share >= 1) {
                return names[i];
            }
            // The driver is to blame only when it is saturated.
            if (share > nearness && !names[i].equals("driver")) {
                nearest = names[i];
                nearness = share;
            }
        }
        return nearest;
    }

    private static @Nullable Double share(@Nullable Double percent, double bound) {
        return percent == null ? null : percent / bound;
    }
}
