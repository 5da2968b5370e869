package org.hubmark.hub.delivery;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;

/**
 * Times of messages in the queue, from the start of their mail transaction until they were
 * delivered, in nanoseconds, since the hub started. Any thread records without waiting.
 *
 * <p>By the clock on the wall, since a message outlives the process; what a clock set back would
 * make negative counts as 0.
 */
public final class ResidenceHistogram {
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Longer ones count as this: more than the age at which messages expire. */
    private static final long NANOS_MAX = Duration.ofDays(30).toNanos();

    private final Recorder recorder = new Recorder(1, NANOS_MAX, SIGNIFICANT_DIGITS);
    private final Histogram total = new Histogram(1, NANOS_MAX, SIGNIFICANT_DIGITS);
    private @Nullable Histogram recycled;

    void record(Instant receivedAt, Instant settledAt) {
        long seconds = settledAt.getEpochSecond() - receivedAt.getEpochSecond();
        long nanos = Math.clamp(seconds, -1, Duration.ofDays(30).toSeconds()) * 1_000_000_000L
                + settledAt.getNano()
                - receivedAt.getNano();
        recorder.recordValue(Math.clamp(nanos, 0, NANOS_MAX));
    }

    /** {@return all that was recorded, in HdrHistogram's compressed V2 encoding, as base 64} */
    public synchronized String encoded() {
        Histogram interval = recorder.getIntervalHistogram(recycled);
        total.add(interval);
        recycled = interval;
        ByteBuffer bytes = ByteBuffer.allocate(total.getNeededByteBufferCapacity());
        int length = total.encodeIntoCompressedByteBuffer(bytes, Deflater.BEST_SPEED);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
