package org.hubmark.hub.relay;

import org.hubmark.core.Durations;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.smtp.client.SmtpReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Tells the log of a next hop that fails or refuses the mail of this hub: when that begins, now and then
 * while it lasts, and when it is over. Of one that comes and goes it says so once a minute at most. Under
 * the lock of its {@link NextHopPool}.
 */
final class NextHopTrouble {
    /** While it lasts. */
    private static final Duration SUMMARY_PERIOD = Duration.ofMinutes(10);

    private static final Duration PERIOD_MIN = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(NextHopTrouble.class);

    private final NextHop hop;
    /** Whether the log's last word is that something is wrong. */
    private boolean isTold;

    private boolean hasTold;
    private long toldNanos;
    private long sinceNanos;
    private long failures;

    NextHopTrouble(NextHop hop) {
        this.hop = hop;
    }

    /** A connection could not be had, or ended without an answer. */
    void failed(String why, long nowNanos) {
        happened("next_hop_failed", "can't be reached: " + why, nowNanos);
    }

    /** It refuses a message, with words that aren't about the message. */
    void refuses(SmtpReply reply, long nowNanos) {
        happened("next_hop_refuses", "refuses the mail of this hub: " + reply, nowNanos);
    }

    /** It has answered to a message. */
    void answered(long nowNanos) {
        if (isTold) {
            isTold = false;
            tell(Level.INFO, "next_hop_back", "is back after " + lasted(nowNanos));
        }
        failures = 0;
    }

    private void happened(String event, String text, long nowNanos) {
        sinceNanos = failures == 0 ? nowNanos : sinceNanos;
        failures++;
        Duration period = isTold ? SUMMARY_PERIOD : PERIOD_MIN;
        if (!hasTold || nowNanos - toldNanos >= period.toNanos()) {
            hasTold = true;
            isTold = true;
            toldNanos = nowNanos;
            String often = failures == 1 ? "" : failures + " times in " + lasted(nowNanos) + ": ";
            tell(Level.WARN, event, often + text);
        }
    }

    private String lasted(long nowNanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNanos - sinceNanos + 999_999_999);
        return Durations.format(Duration.ofSeconds(Math.max(1, seconds)));
    }

    private void tell(Level level, String event, String text) {
        LOG.atLevel(level)
                .addKeyValue("event", event)
                .addKeyValue("next_hop", hop)
                .addKeyValue("failures", failures)
                .log("{} {}", hop, text);
    }
}
