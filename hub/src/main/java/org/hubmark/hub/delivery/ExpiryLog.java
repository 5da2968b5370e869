package org.hubmark.hub.delivery;

import org.hubmark.core.QueueId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Tells the log that messages are given up because they are too old: of the first at once, of those that
 * follow once a minute how many. Any thread.
 */
final class ExpiryLog {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiryLog.class);

    private final Executor inAMinute;
    private boolean waits;
    private long untold;

    ExpiryLog() {
        this(CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES));
    }

    /**
     * Makes one with a minute of one's choice.
     *
     * @param inAMinute runs what it is given a minute later
     */
    ExpiryLog(Executor inAMinute) {
        this.inAMinute = inAMinute;
    }

    /** A message is given up. */
    synchronized void expired(QueueId id) {
        if (waits) {
            untold++;
            return;
        }
        tell(1, "a message was given up as too old (delivery.expire-after): " + id);
    }

    private synchronized void minuteIsOver() {
        waits = false;
        if (untold > 0) {
            long count = untold;
            untold = 0;
            tell(count, count + " more messages were given up as too old within a minute");
        }
    }

    private void tell(long count, String text) {
        LOG.atWarn()
                .addKeyValue("event", "messages_expired")
                .addKeyValue("messages", count)
                .log(text);
        waits = true;
        inAMinute.execute(this::minuteIsOver);
    }
}
