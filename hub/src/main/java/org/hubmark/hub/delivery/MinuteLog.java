package org.hubmark.hub.delivery;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Tells the log of what may happen to many messages: of the first at once, of those that follow once a
 * minute how many. Any thread.
 */
final class MinuteLog {
    private static final Logger LOG = LoggerFactory.getLogger(MinuteLog.class);

    private final String event;
    private final String words;
    private final Executor inAMinute;
    private boolean waits;
    private long untold;

    /**
     * Makes one.
     *
     * @param event its name in the log
     * @param words what happened to messages
     */
    MinuteLog(String event, String words) {
        this(event, words, CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES));
    }

    /**
     * Makes one with a minute of one's choice.
     *
     * @param inAMinute runs what it is given a minute later
     */
    MinuteLog(String event, String words, Executor inAMinute) {
        this.event = event;
        this.words = words;
        this.inAMinute = inAMinute;
    }

    /** It has happened to a message. */
    synchronized void happened(String message) {
        if (waits) {
            untold++;
            return;
        }
        tell(1, words + ": " + message);
    }

    private synchronized void minuteIsOver() {
        waits = false;
        if (untold > 0) {
            long count = untold;
            untold = 0;
            tell(count, count + " more " + words);
        }
    }

    private void tell(long count, String text) {
        LOG.atWarn().addKeyValue("event", event).addKeyValue("messages", count).log(text);
        waits = true;
        inAMinute.execute(this::minuteIsOver);
    }
}
