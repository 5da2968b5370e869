package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.mail.document.Results.CounterSource;
import org.hubmark.bench.mail.document.Results.DriverLateness;
import org.hubmark.bench.mail.document.Results.OpenAtEnd;
import org.hubmark.bench.mail.document.Results.QueueResidence;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/**
 * Figures measured for one scenario, or for one repeat of it. In the file all of it stands flat;
 * the groups are for code. docs/measurement.md states each formula.
 *
 * @param limiting what set the pace
 * @param measured what is made of counters, by the catalogue
 * @param queue the longest queue
 * @param counterSource where the counters of the volumes come from
 * @param groups what the log's syncs covered that messages waited for, by size; null when it isn't
 *     known
 * @param latencies of the messages that were accepted
 * @param queueResidenceMs null when it isn't known
 * @param openAtEnd null when the measured time was broken off
 * @param driverLatenessMs null but at a fixed rate
 * @param clock how the clock was found, and how far it went up and down
 */
public record Figures(
        @JsonUnwrapped Limiting limiting,
        @JsonUnwrapped Measured measured,
        @JsonUnwrapped QueueMax queue,
        CounterSource counterSource,
        @Nullable List<LogGroups> groups,
        @JsonUnwrapped Latencies latencies,
        @Nullable QueueResidence queueResidenceMs,
        @Nullable OpenAtEnd openAtEnd,
        @Nullable DriverLateness driverLatenessMs,
        @JsonUnwrapped Counts counts,
        @JsonUnwrapped Clock clock) {
    /** Copies the list. */
    public Figures {
        groups = groups == null ? null : List.copyOf(groups);
    }

    /** {@return a figure of the catalogue, or a latency; null when it isn't known} */
    public @Nullable Double get(Column figure) {
        Double latency = latencies.get(figure);
        return latency == null ? measured.get(figure) : latency;
    }

    /** {@return the same with another limit} */
    Figures limitedBy(Limiting other) {
        return with(other, counts);
    }

    /** {@return the same, whose messages were compared one by one} */
    Figures audited(Audit audit) {
        return with(limiting, counts.audited(audit));
    }

    private Figures with(Limiting limit, Counts account) {
        return new Figures(
                limit,
                measured,
                queue,
                counterSource,
                groups,
                latencies,
                queueResidenceMs,
                openAtEnd,
                driverLatenessMs,
                account,
                clock);
    }

    /**
     * Resource that limited the rate.
     *
     * @param limitingResource cpu, log_volume, queue_volume, driver or rate
     * @param limitingReason why it is that, with the figures, in words
     * @param limitingLift what would lift the limit, in words
     */
    public record Limiting(
            @Nullable String limitingResource,
            @Nullable String limitingReason,
            @Nullable String limitingLift) {
        /** What nothing is known of. */
        public static final Limiting UNKNOWN = new Limiting(null, null, null);

        /** {@return whether the rate that was asked for is what kept it from being higher} */
        public boolean rateAsked() {
            return "rate".equals(limitingResource);
        }
    }

    /**
     * The longest queue of the measured time. Null where it isn't known.
     *
     * @param aggregateQueueLengthMaxMsgs messages
     * @param queueSizeMaxMb the largest content, MB of 1000 KB
     */
    public record QueueMax(
            @Nullable Long aggregateQueueLengthMaxMsgs,
            @Nullable Double queueSizeMaxMb) {
        /** It isn't known. */
        public static final QueueMax UNKNOWN = new QueueMax(null, null);
    }

    /**
     * Clock rate of the cores while they were busy, second by second.
     *
     * @param cyclesSource where cycles come from, in a few words
     */
    public record Clock(
            @Nullable Double cpuClockMhzMin,
            @Nullable Double cpuClockMhzMax,
            @Nullable String cyclesSource) {
        /** What nothing is known of. */
        public static final Clock UNKNOWN = new Clock(null, null, null);

        /** {@return it with one second more} */
        public Clock with(@Nullable Double mhz) {
            return mhz == null
                    ? this
                    : new Clock(
                            cpuClockMhzMin == null ? mhz : (Double) Math.min(cpuClockMhzMin, mhz),
                            cpuClockMhzMax == null ? mhz : (Double) Math.max(cpuClockMhzMax, mhz),
                            cyclesSource);
        }
    }

    /**
     * Numbers of messages by their outcome, from the first message of the warm-up to the end of the
     * drain.
     *
     * @param sentMsgs whose content was sent, or whose envelope was refused before
     * @param acceptedMsgs answered with 250
     * @param refusedMsgs answered with 4xx or 5xx
     * @param failedMsgs without an answer: the connection broke
     * @param deliveredMsgs by the hub
     * @param leftInQueueMsgs still in the hub's queue at the end, dead letters too
     * @param lostMsgs accepted, but neither delivered nor left
     * @param audit the same message by message, of a share of them; null where that wasn't looked
     *     at
     */
    public record Counts(
            long sentMsgs,
            long acceptedMsgs,
            long refusedMsgs,
            long failedMsgs,
            @Nullable Long deliveredMsgs,
            @Nullable Long leftInQueueMsgs,
            @Nullable Long lostMsgs,
            @Nullable Audit audit) {
        /** What was only counted. */
        public Counts(
                long sentMsgs,
                long acceptedMsgs,
                long refusedMsgs,
                long failedMsgs,
                @Nullable Long deliveredMsgs,
                @Nullable Long leftInQueueMsgs,
                @Nullable Long lostMsgs) {
            this(
                    sentMsgs,
                    acceptedMsgs,
                    refusedMsgs,
                    failedMsgs,
                    deliveredMsgs,
                    leftInQueueMsgs,
                    lostMsgs,
                    null);
        }

        private Counts audited(Audit found) {
            return new Counts(
                    sentMsgs,
                    acceptedMsgs,
                    refusedMsgs,
                    failedMsgs,
                    deliveredMsgs,
                    leftInQueueMsgs,
                    lostMsgs,
                    found);
        }

        /** {@return the sums of several; of what none of them knows nothing is known} */
        public static Counts sum(List<Counts> all) {
            return new Counts(
                    all.stream().mapToLong(Counts::sentMsgs).sum(),
                    all.stream().mapToLong(Counts::acceptedMsgs).sum(),
                    all.stream().mapToLong(Counts::refusedMsgs).sum(),
                    all.stream().mapToLong(Counts::failedMsgs).sum(),
                    sum(all, counts -> counts.deliveredMsgs()),
                    sum(all, counts -> counts.leftInQueueMsgs()),
                    sum(all, counts -> counts.lostMsgs()),
                    Audit.sum(all.stream().map(Counts::audit).toList()));
        }

        private static @Nullable Long sum(
                List<Counts> all, Function<Counts, @Nullable Long> count) {
            Long sum = null;
            for (Counts counts : all) {
                Long known = count.apply(counts);
                if (known != null) {
                    sum = sum == null ? known : (Long) (sum + known);
                }
            }
            return sum;
        }
    }
}
