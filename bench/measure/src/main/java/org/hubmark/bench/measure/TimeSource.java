package org.hubmark.bench.measure;

import java.time.Duration;

/**
 * The time in which a measurement goes on. Whatever waits takes one, so that a test of it can run in
 * simulated time. Any thread.
 */
public interface TimeSource {
    /** The time of this JVM. */
    TimeSource SYSTEM = new TimeSource() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time);
        }
    };

    /** {@return nanoseconds since some moment, of which only differences count} */
    long nanoTime();

    /** Blocks the calling thread for that time. */
    void sleep(Duration time) throws InterruptedException;
}
