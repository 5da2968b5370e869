package org.hubmark.queue;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Limit of the rate of new mail while the log is longer than it should be. A slow queue volume then
 * slows mail; it neither stops mail nor lets the log grow beyond its limit. With half of the slack
 * in use mail comes in as fast as it is moved, with less of it faster, with more slower, and the
 * nearer the bound the more so.
 *
 * <p>The checkpointer's thread says what it does, the committer's asks for pauses.
 */
final class IntakeThrottle {
    private static final double SMOOTHING = 0.3;

    /** Where the log has all but met its bound mail still trickles. */
    private static final double SLACK_USED_MAX = 0.98;

    private final double slackSegments;
    private volatile double bytesPerNano = Double.POSITIVE_INFINITY;
    private volatile @Nullable Move move;

    /** A checkpoint that is under way. */
    private record Move(long bytes, long startNanos) {
        double bytesPerNano(long nowNanos) {
            return (double) bytes / Math.max(1, nowNanos - startNanos);
        }
    }

    /**
     * Knows no speed yet.
     *
     * @param slackSegments how many segments the log may have more than it should
     */
    IntakeThrottle(int slackSegments) {
        this.slackSegments = slackSegments;
    }

    /** Notes that the given number of bytes begin to be moved. */
    void begin(long bytes, long nowNanos) {
        move = new Move(bytes, nowNanos);
    }

    /** They are not moved, for want of room. */
    void cancel() {
        move = null;
    }

    /** They are moved. */
    void end(long nowNanos) {
        double rate = Objects.requireNonNull(move).bytesPerNano(nowNanos);
        // Bad news counts at once, good news when it lasts.
        bytesPerNano =
                rate < bytesPerNano ? rate : bytesPerNano * (1 - SMOOTHING) + rate * SMOOTHING;
        move = null;
    }

    /**
     * {@return how long to pause for so many bytes of mail}
     *
     * @param segmentsOver how much longer the log is than it should be
     */
    long pauseNanos(long bytes, double segmentsOver, long nowNanos) {
        if (segmentsOver <= 0) {
            return 0;
        }
        // What takes longer than it used to is slow already, though nobody knows yet how slow.
        double rate = bytesPerNano;
        Move current = move;
        if (current != null) {
            rate = Math.min(rate, current.bytesPerNano(nowNanos));
        }
        double used = Math.min(SLACK_USED_MAX, segmentsOver / slackSegments);
        return (long) (bytes / rate * used / (1 - used));
    }
}
