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
 * Tells the log of a next hop that fails: when it begins, now and then while it lasts, and when it has been
 * over for a minute, however many deliveries notice. Under the lock of its {@link NextHopPool}.
 */
final class NextHopTrouble {
    /** While it lasts. */
    static final Duration SUMMARY_PERIOD = Duration.ofMinutes(10);

    /** Time without a failure after which it is over. */
    static final Duration CALM = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(NextHopTrouble.class);

    private final NextHop hop;
    private boolean lasts;
    private boolean hasAnswered;
    private long sinceNanos;
    private long failedNanos;
    private long answeredNanos;
    private long toldNanos;
    private long failures;
    /** Messages that it has refused without taking one, and whether the log's last word is that it does. */
    private long refused;

    private boolean refusalTold;
    private long refusalToldNanos;
    private long refusedSinceNanos;

    NextHopTrouble(NextHop hop) {
        this.hop = hop;
    }

    /** A connection could not be had, or ended without an answer. */
    void failed(String why, long nowNanos) {
        boolean isNew = !lasts;
        if (isNew) {
            lasts = true;
            failures = 0;
            sinceNanos = nowNanos;
        }
        failures++;
        failedNanos = nowNanos;
        hasAnswered = false;
        if (isNew) {
            toldNanos = nowNanos;
            tell(Level.WARN, "next_hop_failed", "can't be reached: " + why);
        } else if (nowNanos - toldNanos >= SUMMARY_PERIOD.toNanos()) {
            toldNanos = nowNanos;
            String text = "can't be reached, or not always, for " + lasted(sinceNanos, nowNanos)
                    + " now, " + failures + " attempts failed; the last one: " + why;
            tell(Level.WARN, "next_hop_failing", text);
        }
    }

    /**
     * It refuses a message, with words that aren't about the message.
     *
     * @param messages how many it has refused so in any case
     */
    void refuses(SmtpReply reply, long messages, long nowNanos) {
        if (refused == 0) {
            refusedSinceNanos = nowNanos;
        }
        refused = Math.max(refused + 1, messages);
        // One that takes some mail in between says so no more than once a minute.
        Duration period = refusalTold ? SUMMARY_PERIOD : CALM;
        if (refusalToldNanos != 0 && nowNanos - refusalToldNanos < period.toNanos()) {
            return;
        }
        refusalTold = true;
        refusalToldNanos = nowNanos | 1;
        LOG.atWarn()
                .addKeyValue("event", "next_hop_refuses")
                .addKeyValue("next_hop", hop)
                .addKeyValue("reply", reply)
                .addKeyValue("messages", refused)
                .log("{} refuses mail from this hub, {} messages so far: {}", hop, refused, reply);
    }

    /** It has taken a message. */
    void takes(long nowNanos) {
        if (refusalTold) {
            refusalTold = false;
            LOG.atInfo()
                    .addKeyValue("event", "next_hop_back")
                    .addKeyValue("next_hop", hop)
                    .addKeyValue("failures", refused)
                    .log(
                            "{} accepts mail again after {}",
                            hop,
                            lasted(refusedSinceNanos, nowNanos));
        }
        refused = 0;
    }

    /** It has answered to a message. */
    void answered(long nowNanos) {
        answeredNanos = hasAnswered ? answeredNanos : nowNanos;
        hasAnswered = true;
        look(nowNanos);
    }

    /** Looks whether it is over. */
    void look(long nowNanos) {
        if (lasts && hasAnswered && nowNanos - failedNanos >= CALM.toNanos()) {
            lasts = false;
            tell(Level.INFO, "next_hop_back", "is back after " + lasted(sinceNanos, answeredNanos));
        }
    }

    private static String lasted(long fromNanos, long nowNanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNanos - fromNanos + 999_999_999);
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
