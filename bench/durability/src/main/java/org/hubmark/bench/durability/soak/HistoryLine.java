package org.hubmark.bench.durability.soak;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A line of the file of a soak: one history, or some simulated ones with seeds in a row, each of one
 * kind in one class.
 *
 * @param schema form of the line
 * @param finishedAt when it ended, as ISO 8601 has it, in UTC
 * @param build that was crashed
 * @param machine it was crashed on
 * @param kind of crash
 * @param durability class that was promised
 * @param seeds that repeat it
 * @param counts what was counted
 * @param times how long it took
 * @param verdict whether the promise was kept
 */
public record HistoryLine(
        int schema,
        String finishedAt,
        Build build,
        Machine machine,
        String kind,
        String durability,
        @JsonUnwrapped Seeds seeds,
        @JsonUnwrapped Counts counts,
        @JsonUnwrapped Times times,
        @JsonUnwrapped Verdict verdict) {
    /** The form that is written. */
    public static final int SCHEMA = 1;

    /** The kind whose histories are simulated in one process. */
    static final String SIMULATED = "simulated";

    /** {@return whether nothing but a simulation was crashed} */
    boolean isSimulated() {
        return kind.equals(SIMULATED);
    }

    /**
     * What was crashed.
     *
     * @param version of Hubmark; null where it isn't known
     * @param commit of the sources; null where it isn't known
     * @param storeFormat as {@code hubmark-store} on the volumes says
     */
    public record Build(@Nullable String version, @Nullable String commit, String storeFormat) {}

    /**
     * Where it was crashed; null for what isn't known.
     *
     * @param filesystem of the folder of the soak; recorded devices have one of their own
     * @param sideBySide how many real histories ran at once at most
     */
    public record Machine(
            @Nullable String cpuModel,
            int logicalCores,
            @Nullable Long memoryBytes,
            @Nullable String os,
            @Nullable String kernel,
            @Nullable String jdk,
            @Nullable String filesystem,
            int sideBySide) {}

    /**
     * Seeds in a row.
     *
     * @param seedFirst of the first history
     * @param seedLast of the last one, the same for one history
     * @param livesPlanned crashes of each history; with other numbers a seed draws others
     */
    public record Seeds(long seedFirst, long seedLast, int livesPlanned) {
        /** Refuses none. */
        public Seeds {
            if (seedLast < seedFirst) {
                throw new IllegalArgumentException(
                        "seeds from " + seedFirst + " to " + seedLast + " are none");
            }
        }

        long histories() {
            return seedLast - seedFirst + 1;
        }
    }

    /**
     * What was counted, as in durability.json.
     *
     * @param crashes in which the fault took effect
     * @param attempts all crashes
     */
    public record Counts(
            long crashes,
            long attempts,
            long acknowledgedMsgs,
            long lostMsgs,
            long duplicatedMsgs,
            long reorderedMsgs,
            long corruptedMsgs,
            long inDoubtMsgs,
            long crashesWithLoss,
            long crashesWithReportedDamage) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(
                    crashes + other.crashes,
                    attempts + other.attempts,
                    acknowledgedMsgs + other.acknowledgedMsgs,
                    lostMsgs + other.lostMsgs,
                    duplicatedMsgs + other.duplicatedMsgs,
                    reorderedMsgs + other.reorderedMsgs,
                    corruptedMsgs + other.corruptedMsgs,
                    inDoubtMsgs + other.inDoubtMsgs,
                    crashesWithLoss + other.crashesWithLoss,
                    crashesWithReportedDamage + other.crashesWithReportedDamage);
        }
    }

    /**
     * How long it took, by the clock on the wall.
     *
     * @param lossWindowMs how long before its crash the oldest lost message was acknowledged; null of none
     * @param recoveryMsMax longest opening of the store after a crash; null of none
     * @param seconds all of it
     * @param phases the parts of it; null where they were not told apart
     */
    public record Times(
            @Nullable Double lossWindowMs,
            @Nullable Double recoveryMsMax,
            double seconds,
            @Nullable Phases phases) {}

    /**
     * Seconds of parts of histories; the rest is what is between them.
     *
     * @param devicesS making, mounting and removing devices, and filling used volumes
     * @param startS from the start of a server until it takes mail
     * @param loadS mail, the fault, and the end of the server
     * @param copyS copying the volumes
     * @param checkS opening the store, reading all of it and verifying it
     */
    public record Phases(
            double devicesS, double startS, double loadS, double copyS, double checkS) {
        static final Phases NONE = new Phases(0, 0, 0, 0, 0);

        Phases plus(Phases other) {
            return new Phases(
                    devicesS + other.devicesS,
                    startS + other.startS,
                    loadS + other.loadS,
                    copyS + other.copyS,
                    checkS + other.checkS);
        }

        double sum() {
            return devicesS + startS + loadS + copyS + checkS;
        }
    }

    /**
     * Whether the promise was kept.
     *
     * @param promiseKept null where the test itself failed, so that nothing is known
     * @param failures what broke it, or why there is no verdict, and how to repeat it, a line each
     */
    public record Verdict(@Nullable Boolean promiseKept, List<String> failures) {
        /** Copies. */
        public Verdict {
            failures = List.copyOf(failures);
        }
    }
}
