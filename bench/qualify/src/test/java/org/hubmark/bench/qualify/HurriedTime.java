package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Clock;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A time in which nobody waits for a collection to begin: until then, a wait that is not short is over at
 * once. Then it goes on as it does. Any thread.
 */
final class HurriedTime implements Clock {
    private static final Duration SHORT = Duration.ofMillis(100);

    private final CountDownLatch collecting = new CountDownLatch(1);
    private final AtomicLong skippedNanos = new AtomicLong();

    /** Is told what begins. */
    void phase(String name, Duration expected) {
        if (name.equals("Collecting")) {
            collecting.countDown();
        }
    }

    /** Waits until a collection has begun. */
    void awaitCollecting() throws InterruptedException {
        collecting.await();
    }

    @Override
    public long nanos() {
        return System.nanoTime() + skippedNanos.get();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (time.compareTo(SHORT) < 0 || collecting.getCount() == 0) {
            Thread.sleep(time);
        } else {
            skippedNanos.addAndGet(time.toNanos());
        }
    }
}
