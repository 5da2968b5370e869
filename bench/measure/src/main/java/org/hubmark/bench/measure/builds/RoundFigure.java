package org.hubmark.bench.measure.builds;

import com.fasterxml.jackson.annotation.JsonValue;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.statistics.Interval;

/** What the builds are compared by; docs/measurement.md states each formula. */
public enum RoundFigure {
    /** Messages passed on to the next hop a second, until the last one was. */
    RELAYED("relayed_msgs_per_s", "relayed, msg/s", true),
    /** Messages accepted a second while the load lasted. */
    ACCEPTED("accepted_msgs_per_s", "accepted, msg/s", true),
    /** CPU time of the server's process for a message. */
    CPU("server_cpu_us_per_msg", "CPU, us/msg", false),
    /** From the start of the process to the first 250 after a message. */
    FIRST_REPLY("first_reply_ms", "first 250, ms", false),
    /** The same as CPU, but from the start of the process on. */
    FIRST_CPU("first_cpu_us_per_msg", "CPU from the start, us/msg", false);

    private final String key;
    private final String title;
    private final boolean moreIsBetter;

    RoundFigure(String key, String title, boolean moreIsBetter) {
        this.key = key;
        this.title = title;
        this.moreIsBetter = moreIsBetter;
    }

    /** {@return its name in files} */
    @JsonValue
    String key() {
        return key;
    }

    /** {@return its name for people, with the unit} */
    String title() {
        return title;
    }

    /** {@return whether a build of that ratio to the first is worse by a share} */
    Regression.Outcome regression(PairedRatio ratio, double limit) {
        if (ratio.distinguishable() && slowdown(ratio.median()) >= limit) {
            return Regression.Outcome.WORSE;
        }
        Interval interval = ratio.ci95();
        return interval != null
                        && Math.max(slowdown(interval.low()), slowdown(interval.high())) < limit
                ? Regression.Outcome.NOT_WORSE
                : Regression.Outcome.TOO_NOISY;
    }

    /** By what share a build of that ratio is worse; below 0 when it's better. */
    private double slowdown(double ratio) {
        return moreIsBetter ? 1 - ratio : ratio - 1;
    }
}
