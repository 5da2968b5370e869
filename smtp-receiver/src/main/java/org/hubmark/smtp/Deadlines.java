package org.hubmark.smtp;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;

/**
 * Time limits of one connection: decides whether a peer is fast enough. Looked at now and then by
 * one task of the connection, which is cheaper than a deadline that moves with each read; so a peer
 * may be late by one period.
 *
 * <p>Only whole commands count as progress between commands, so that an octet now and then doesn't.
 * Within content octets count, against a least rate: the peer has a credit of the silence that is
 * allowed, which time uses up and octets fill up again, never beyond that.
 *
 * <p>Used by one event loop.
 */
final class Deadlines {
    private static final long PERIOD_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long PERIOD_NANOS_MAX = TimeUnit.SECONDS.toNanos(15);

    private final TimeLimits limits;
    private final Session session;
    private long heardNanos;
    private long steps;
    private long stepNanos;
    private long checkedNanos;
    private long transactions;
    private long transactionNanos;
    private boolean readingContent;
    private long contentOctets;
    private long creditNanos;

    Deadlines(TimeLimits limits, Session session, long nowNanos) {
        this.limits = limits;
        this.session = session;
        resume(nowNanos);
        checkedNanos = nowNanos;
    }

    /** {@return how often to {@link #check}} */
    static long periodNanos(TimeLimits limits) {
        long shortestNanos = Math.min(limits.command().toNanos(), limits.data().toNanos());
        return Math.clamp(shortestNanos / 8, PERIOD_NANOS_MIN, PERIOD_NANOS_MAX);
    }

    /** Octets came, and the session has made of them what it could. */
    void heard(long nowNanos) {
        heardNanos = nowNanos;
        if (session.steps() != steps) {
            steps = session.steps();
            stepNanos = nowNanos;
        }
    }

    /** The peer has its answer: it is its turn again. */
    void resume(long nowNanos) {
        heardNanos = nowNanos;
        steps = session.steps();
        stepNanos = nowNanos;
    }

    /** {@return what the peer was too slow at, or null} */
    @Nullable
    Ending check(long nowNanos) {
        long elapsedNanos = nowNanos - checkedNanos;
        checkedNanos = nowNanos;
        if (session.isWaiting()) {
            // It is our turn. None of this time is the peer's.
            resume(nowNanos);
            transactionNanos += elapsedNanos;
            return null;
        }
        if (session.transactions() != transactions) {
            transactions = session.transactions();
            transactionNanos = nowNanos;
            readingContent = false;
            creditNanos = limits.data().toNanos();
        }
        if (session.isInTransaction()
                && nowNanos - transactionNanos >= TimeLimits.TRANSACTION.toNanos()) {
            return Ending.TRANSACTION_LATE;
        }
        if (!session.isReadingContent()) {
            readingContent = false;
            return nowNanos - stepNanos >= limits.command().toNanos() ? Ending.COMMAND_LATE : null;
        }
        if (nowNanos - heardNanos >= limits.data().toNanos()) {
            return Ending.CONTENT_LATE;
        }
        return isTooSlow(elapsedNanos) ? Ending.CONTENT_SLOW : null;
    }

    /** {@return whether the credit is used up} The first look at content only begins the time. */
    private boolean isTooSlow(long elapsedNanos) {
        long octets = session.contentOctetsRead() - contentOctets;
        contentOctets += octets;
        boolean begins = !readingContent;
        readingContent = true;
        if (begins) {
            return false;
        }
        double earnedNanos = octets * 1e9 / TimeLimits.CONTENT_OCTETS_PER_SECOND_MIN;
        double leftNanos = creditNanos + earnedNanos - elapsedNanos;
        creditNanos = Math.min(limits.data().toNanos(), (long) leftNanos);
        return creditNanos < 0;
    }
}
