package org.hubmark.bench.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the messages of one driver. Of the drivers that send from a message set one after the other,
 * in repeats and trials, each has a range of its own. Any thread.
 */
final class MessageNumbers {
    /** A million a second would take eleven days. */
    static final long OF_A_DRIVER = 1_000_000_000_000L;

    private final AtomicLong next;
    private final long end;

    /**
     * Begins with 0 in the range.
     *
     * @param driver counts from 0
     * @param max so many messages; 0 for no limit
     */
    MessageNumbers(long driver, long max) {
        long first = driver * OF_A_DRIVER;
        this.next = new AtomicLong(first);
        this.end = first + (max > 0 ? Math.min(max, OF_A_DRIVER) : OF_A_DRIVER);
    }

    /** {@return the number of the next message, or -1 if all were sent} */
    long next() {
        long number = next.getAndIncrement();
        return number < end ? number : -1;
    }

    /** {@return which message of its driver that is, from 0} */
    static long inDriver(long number) {
        return number % OF_A_DRIVER;
    }
}
