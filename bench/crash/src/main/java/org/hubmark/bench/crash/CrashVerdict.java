package org.hubmark.bench.crash;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What became of the mail of one server under one kind of crash in one durability class.
 *
 * @param server our own hub, or the command that starts another
 * @param durability the class
 * @param kind the kind of crash
 * @param crashes how many there were
 * @param acknowledgedMsgs messages for which a 250 was read
 * @param lostMsgs of them, those that were gone and not reported as damaged
 * @param duplicatedMsgs copies more than one
 * @param reorderedMsgs messages that came after one that the same connection had sent later
 * @param corruptedMsgs messages whose content was not what had been sent, and that nobody reported
 * @param lossWindowMs how long before the crash the oldest lost message was acknowledged; null when
 *     none was lost
 * @param recoveryMs how long the server needed to be ready again
 * @param promiseKept whether the class allows what happened
 * @param seedsOfFailures the seeds that repeat where it did not
 * @param crashesWithLoss of the crashes, those that took acknowledged mail
 * @param lossChanceUpperBound the chance that a crash takes mail is below this, from 0 to 1, with a
 *     confidence of 95 %
 * @param lossChanceMethod how that was computed: rule of three, or exact binomial
 */
public record CrashVerdict(
        String server,
        String durability,
        String kind,
        long crashes,
        long acknowledgedMsgs,
        long lostMsgs,
        long duplicatedMsgs,
        long reorderedMsgs,
        long corruptedMsgs,
        @Nullable Double lossWindowMs,
        Recovery recoveryMs,
        boolean promiseKept,
        List<Long> seedsOfFailures,
        long crashesWithLoss,
        @Nullable Double lossChanceUpperBound,
        @Nullable String lossChanceMethod) {

    /**
     * Times in milliseconds; null where there was no crash.
     *
     * @param p50 the median
     * @param max the longest
     */
    public record Recovery(@Nullable Double p50, @Nullable Double max) {}
}
