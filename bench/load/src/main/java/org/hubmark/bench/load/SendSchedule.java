package org.hubmark.bench.load;

import org.HdrHistogram.Histogram;

import java.util.SplittableRandom;

/**
 * The intended starts of an open loop, from which all lanes take: whichever has a free connection
 * sends what is due first, so that no message waits for one lane while another could send it.
 *
 * <p>It also tells a late driver from a slow server. A message waits by the driver's fault while a
 * connection is free, and while the driver is behind: replies may have come that nobody looked at.
 *
 * <p>Any thread. Each call holds the lock for some dozens of nanoseconds and never waits inside it;
 * a cursor without a lock would not do, since with Poisson arrivals each start is made from the one
 * before.
 */
final class SendSchedule {
    private static final double NANOS = 1e9;

    private final Pace.OpenLoop pace;
    private final SplittableRandom random;
    private long originNanos;
    /** Seconds after the origin: when the next message is due. */
    private double at;

    private long nextDueNanos;
    private boolean begun;
    private boolean ended;
    private int free;
    private long freeSinceNanos;
    private long behindFromNanos;
    private long behindToNanos;

    /** The first message, as a lane was told of it. */
    static final class First {
        /** When it is due. */
        long dueNanos;
        /** For how long it has waited by the driver's fault. */
        long lateNanos;
    }

    SendSchedule(Pace.OpenLoop pace) {
        this.pace = pace;
        this.random = new SplittableRandom(pace.seed());
    }

    synchronized void begin(long startNanos) {
        begun = true;
        originNanos = startNanos;
        nextDueNanos = startNanos;
        if (pace.arrivals() == Arrivals.POISSON) {
            advance();
        }
    }

    /** A connection has become free. */
    synchronized void freed(long nowNanos) {
        if (free++ == 0) {
            freeSinceNanos = nowNanos;
        }
    }

    /** A free connection is gone. */
    synchronized void lost() {
        free--;
    }

    /**
     * A lane did nothing in that time though it had to look. Of several such times the longest counts,
     * until everything that became due in it is sent: loops are behind by microseconds all the time.
     */
    synchronized void behind(long fromNanos, long toNanos) {
        boolean over = nextDueNanos - behindToNanos > 0;
        if (over || toNanos - fromNanos > behindToNanos - behindFromNanos) {
            behindFromNanos = fromNanos;
            behindToNanos = toNanos;
        }
    }

    /**
     * Tells of the first message and, if it is due, hands it out for a free connection.
     *
     * @return whether it is the caller's to send
     */
    synchronized boolean take(long nowNanos, First first) {
        long dueNanos = nextDueNanos;
        first.dueNanos = dueNanos;
        if (ended || dueNanos - nowNanos > 0) {
            return false;
        }
        first.lateNanos = Math.max(
                since(nowNanos, freeSinceNanos, dueNanos),
                since(behindToNanos, behindFromNanos, dueNanos));
        advance();
        free--;
        return true;
    }

    /** All that was to be sent is taken: nothing is due any more. */
    synchronized void done() {
        begun = false;
    }

    /** Hands out nothing more. */
    synchronized void end() {
        ended = true;
    }

    /** Records how old each message is that was due and not taken when the schedule was ended. */
    synchronized void ages(long nowNanos, Histogram into) {
        if (!begun) {
            return;
        }
        while (nextDueNanos - nowNanos <= 0) {
            Lane.record(into, nowNanos - nextDueNanos);
            advance();
        }
    }

    /** {@return about how many messages are due and not taken} */
    synchronized long overdue(long nowNanos) {
        long late = nowNanos - nextDueNanos;
        return !begun || late < 0 ? 0 : late / intervalNanos() + 1;
    }

    private long intervalNanos() {
        return Math.max(1, Math.round(NANOS / pace.ratePerSecond()));
    }

    /** Goes on to the next start. The gaps of Poisson arrivals are exponential. */
    private void advance() {
        double gaps = switch (pace.arrivals()) {
            case FIXED -> 1;
            case POISSON -> -Math.log(1 - random.nextDouble());
        };
        at += gaps / pace.ratePerSecond();
        nextDueNanos = originNanos + Math.round(at * NANOS);
    }

    /** {@return the time from the later of two to an end; not above 0 if that comes first} */
    private static long since(long endNanos, long oneNanos, long otherNanos) {
        return Math.min(endNanos - oneNanos, endNanos - otherNanos);
    }
}
