package org.hubmark.bench.machine.volumes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Writes and reads a volume in turn until its rates are steady, or the time is over: what a burst of
 * credits, a cache of flash or a fresh image gives is gone by then, or it is said that it may not be.
 * One thread.
 */
final class SteadyLoad {
    /** A window is a minute of an hour. */
    private static final int WINDOWS_MAX = 60;

    private static final Duration WINDOW_MAX = Duration.ofMinutes(1);
    private static final double MB_PER_S = 1e3;

    private final Medium volume;
    private final LongSupplier clock;
    private final long turnBytes;

    /** A volume, or one that is simulated. */
    interface Medium {
        /** Makes what is written next, which is no part of a rate. */
        void prepare();

        /** Writes as much as a turn has; the next one goes on behind it. */
        void write() throws IOException;

        /** Reads as much. */
        void read() throws IOException;
    }

    SteadyLoad(Medium volume, long turnBytes, LongSupplier clock) {
        this.volume = volume;
        this.turnBytes = turnBytes;
        this.clock = clock;
    }

    /** {@return the length of a window} */
    static Duration window(Duration atMost) {
        Duration share = atMost.dividedBy(WINDOWS_MAX);
        return share.compareTo(WINDOW_MAX) > 0 ? WINDOW_MAX : share;
    }

    /**
     * Loads it.
     *
     * @param heard gets each window as it ends
     */
    Steadiness run(Duration atMost, Consumer<Steadiness.Rates> heard) throws IOException {
        long windowNanos = Math.max(1, window(atMost).toNanos());
        long deadline = clock.getAsLong() + atMost.toNanos();
        List<Steadiness.Rates> windows = new ArrayList<>();
        Steadiness found = Steadiness.of(windowNanos / 1e9, windows);
        while (!found.steady() && clock.getAsLong() < deadline) {
            Steadiness.Rates rates = window(windowNanos);
            windows.add(rates);
            heard.accept(rates);
            found = Steadiness.of(windowNanos / 1e9, windows);
        }
        return found;
    }

    private Steadiness.Rates window(long windowNanos) throws IOException {
        long turns = 0;
        long writing = 0;
        long reading = 0;
        long begun = clock.getAsLong();
        do {
            volume.prepare();
            long start = clock.getAsLong();
            volume.write();
            long written = clock.getAsLong();
            volume.read();
            reading += clock.getAsLong() - written;
            writing += written - start;
            turns++;
        } while (clock.getAsLong() - begun < windowNanos);
        return new Steadiness.Rates(rate(turns, writing), rate(turns, reading));
    }

    private double rate(long turns, long nanos) {
        return (double) turns * turnBytes * MB_PER_S / Math.max(1, nanos);
    }
}
