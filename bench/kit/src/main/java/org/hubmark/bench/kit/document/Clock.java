package org.hubmark.bench.kit.document;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Clock that a study waits by. One thread. */
public sealed interface Clock {
    /** {@return nanoseconds since some moment} */
    long nanos();

    /** {@return the time of day, to the millisecond} */
    Instant now();

    /** Waits. */
    void sleep(Duration time) throws InterruptedException;

    /** The clock of this machine. */
    record Real() implements Clock {
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
    }

    /** One that nobody waits for: it goes on only when somebody sleeps. */
    final class Simulated implements Clock {
        private Instant now;
        private final Instant begin;

        /** One that stands at a moment. */
        public Simulated(Instant begin) {
            this.begin = begin;
            this.now = begin;
        }

        @Override
        public long nanos() {
            return Duration.between(begin, now).toNanos();
        }

        @Override
        public Instant now() {
            return now;
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            now = now.plus(time);
        }
    }
}
