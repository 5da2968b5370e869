package org.hubmark.bench.kit.document;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Clock that a measurement waits by, so that a test of it can run in simulated time. Any thread. */
public interface Clock {
    /** The clock of this machine. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now().truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time);
        }
    };

    /** {@return nanoseconds since some moment, of which only differences count} */
    long nanos();

    /** {@return the time of day, to the millisecond; of a simulated time that since it began} */
    default Instant now() {
        return Instant.EPOCH.plusNanos(nanos()).truncatedTo(ChronoUnit.MILLIS);
    }

    /** Waits. */
    void sleep(Duration time) throws InterruptedException;
}
