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
 * Tells the log of a next hop that fails: when it begins, now and then while it lasts, and when it is
 * over, however many deliveries notice. Of one that comes and goes it says so once a minute at most.
 * Under the lock of its {@link NextHopPool}.
 */
final class NextHopTrouble {
    /** While it lasts. */
    static final Duration SUMMARY_PERIOD = Duration.ofMinutes(10);

    /** Time without a failure after which the next failure begins another trouble. */
    static final Duration CALM = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(NextHopTrouble.class);

    private final NextHop hop;
    private boolean lasts;
    private boolean comesAndGoes;
    /** Whether the log's last word is that it fails. */
    private boolean isTold;

    private boolean hasAnswered;
    private long sinceNanos;
    private long failedNanos;
    private long toldNanos;
    private long failures;
    private boolean fullTold;
    private long fullNanos;

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
        boolean isNew = !lasts && (failures == 0 || isCalm(nowNanos));
        comesAndGoes = !isNew && (comesAndGoes || !lasts);
        if (isNew) {
            failures = 0;
            sinceNanos = nowNanos;
        }
        failures++;
        failedNanos = nowNanos;
        lasts = true;
        hasAnswered = false;
        if (isNew) {
            tell(Level.WARN, "next_hop_failed", "can't be reached: " + why, nowNanos);
        } else if (!isTold && nowNanos - toldNanos >= CALM.toNanos()) {
            tell(Level.WARN, "next_hop_failed", "can't be reached again: " + why, nowNanos);
        } else if (isTold && nowNanos - toldNanos >= SUMMARY_PERIOD.toNanos()) {
            String text = (comesAndGoes ? "comes and goes for " : "can't be reached for ")
                    + lasted(sinceNanos, nowNanos) + " now, " + failures
                    + " attempts failed; the last one: "
                    + why;
            tell(Level.WARN, "next_hop_failing", text, nowNanos);
        }
    }

    /** It takes no more connections than it has. */
    void full(int connections, String why, long nowNanos) {
        if (fullTold && nowNanos - fullNanos < SUMMARY_PERIOD.toNanos()) {
            return;
        }
        fullTold = true;
        fullNanos = nowNanos;
        LOG.atInfo()
                .addKeyValue("event", "next_hop_full")
                .addKeyValue("next_hop", hop)
                .addKeyValue("connections", connections)
                .log(
                        "{} takes only {} connections now, and mail waits for them: {}",
                        hop,
                        connections,
                        why);
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
                .log(
                        "{} refuses the mail of this hub, {} messages so far: {}",
                        hop,
                        refused,
                        reply);
    }

    /** It has taken a message. */
    void takes(long nowNanos) {
        if (refusalTold) {
            refusalTold = false;
            LOG.atInfo()
                    .addKeyValue("event", "next_hop_back")
                    .addKeyValue("next_hop", hop)
                    .addKeyValue("failures", refused)
                    .log("{} takes mail again after {}", hop, lasted(refusedSinceNanos, nowNanos));
        }
        refused = 0;
    }

    /** It has answered to a message. */
    void answered(long nowNanos) {
        hasAnswered = true;
        look(nowNanos);
    }

    /** Looks whether it is over. */
    void look(long nowNanos) {
        if (!lasts || !hasAnswered || (comesAndGoes && !isCalm(nowNanos))) {
            return;
        }
        lasts = false;
        if (isTold) {
            tell(
                    Level.INFO,
                    "next_hop_back",
                    "is back after " + lasted(sinceNanos, nowNanos),
                    nowNanos);
            isTold = false;
        }
    }

    private boolean isCalm(long nowNanos) {
        return nowNanos - failedNanos >= CALM.toNanos();
    }

    private static String lasted(long fromNanos, long nowNanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNanos - fromNanos + 999_999_999);
        return Durations.format(Duration.ofSeconds(Math.max(1, seconds)));
    }

    private void tell(Level level, String event, String text, long nowNanos) {
        isTold = true;
        toldNanos = nowNanos;
        LOG.atLevel(level)
                .addKeyValue("event", event)
                .addKeyValue("next_hop", hop)
                .addKeyValue("failures", failures)
                .log("{} {}", hop, text);
    }
}
