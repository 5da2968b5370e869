package org.hubmark.bench.mail.meter;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.mail.document.CheckpointCycles;
import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Locale;

/**
 * Fits a measured time to the checkpoints of our hub: it begins when one has ended, and ends with the
 * first that ends after the time that was asked for. A load whose mail is settled before the log is full
 * has no checkpoints at all, and any time of it is as good as another.
 *
 * @param depthBytes of the log: after so much has been written a checkpoint is due, if one is needed
 * @param waitMax for the end of one, before and after the measured time
 */
public record CheckpointFit(long depthBytes, Duration waitMax) {
    /** How exactly an end is met. */
    static final Duration POLL = Duration.ofMillis(100);

    static final String CHECKPOINTS = "hubmark_checkpoints_total";
    private static final String LOG_BYTES = "hubmark_log_written_bytes_total";

    /** A load that has written the log over so many times without a checkpoint needs none. */
    private static final double DEPTHS_WITHOUT = 2;

    /** Begin or end of a measured time. */
    enum Edge {
        /** When a checkpoint had ended. */
        ENDED,
        /** Anywhere in a load that has no checkpoints. */
        FREE,
        /** Within a cycle: none ended in the time that was allowed. */
        WITHIN,
        /** Nobody knows: the server counts no checkpoints. */
        UNKNOWN
    }

    /**
     * {@return where a measured time would begin or end now; null while that has to be waited for}
     *
     * @param begun when the load began
     * @param since when the wait did
     */
    @Nullable
    Edge edge(
            @Nullable HubCounters begun,
            @Nullable HubCounters since,
            @Nullable HubCounters now,
            long waitedNanos) {
        Double ended = HubCounters.growth(since, now, CHECKPOINTS);
        if (ended == null) {
            return Edge.UNKNOWN;
        }
        if (ended > 0) {
            return Edge.ENDED;
        }
        if (isFree(begun, now, depthBytes)) {
            return Edge.FREE;
        }
        return waitedNanos >= waitMax.toNanos() ? Edge.WITHIN : null;
    }

    /** {@return whether a load has shown that it needs no checkpoints} */
    static boolean isFree(@Nullable HubCounters begun, @Nullable HubCounters now, long depthBytes) {
        Double checkpoints = HubCounters.growth(begun, now, CHECKPOINTS);
        Double written = HubCounters.growth(begun, now, LOG_BYTES);
        return checkpoints != null
                && checkpoints == 0
                && written != null
                && written >= DEPTHS_WITHOUT * depthBytes;
    }

    /**
     * {@return whether a measured time is made of whole cycles}
     *
     * @param checkpoints that ended in it
     */
    CheckpointCycles judge(Edge from, Edge to, @Nullable Double checkpoints) {
        boolean whole = from == to && (to == Edge.ENDED || to == Edge.FREE);
        return new CheckpointCycles(whole, words(from, to, checkpoints));
    }

    private String words(Edge from, Edge to, @Nullable Double checkpoints) {
        String within = "no checkpoint ended within " + Durations.format(waitMax) + " ";
        if (from == Edge.WITHIN) {
            return within + "before the measured time";
        }
        return switch (to) {
            case ENDED ->
                from == Edge.FREE
                        ? "the first checkpoint of the load came in the measured time"
                        : String.format(
                                Locale.ROOT,
                                "%.0f checkpoints, from the end of one to the end of another",
                                checkpoints);
            case FREE ->
                String.format(
                        Locale.ROOT,
                        "this load has no checkpoints: none came while the log was written over"
                                + " more than %.0f times",
                        DEPTHS_WITHOUT);
            case WITHIN -> within + "after the measured time";
            case UNKNOWN -> "the server counts no checkpoints";
        };
    }
}
