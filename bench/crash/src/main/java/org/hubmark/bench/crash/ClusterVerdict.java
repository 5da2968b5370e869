package org.hubmark.bench.crash;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What became of the mail of a hub while parts of its cluster failed.
 *
 * @param kind of fault
 * @param crashes how many there were
 * @param acknowledgedMsgs messages for which a 250 was read
 * @param refusedMsgs answered with another code; their senders try again
 * @param inDoubtMsgs whose connection ended before an answer
 * @param lostMsgs of those acknowledged, those that were never delivered
 * @param doubleMsgs deliveries beyond the first, of acknowledged messages
 * @param corruptedMsgs deliveries with another content than was sent
 * @param gapP50Ms the longest time without a 250 after a fault, median over the faults; null without one
 * @param gapMaxMs the longest of them
 * @param promiseKept whether nothing acknowledged was lost or changed, and mail was accepted again each
 *     time
 * @param failures what broke it, a line each
 * @param faults how mail was accepted after each
 */
public record ClusterVerdict(
        String kind,
        int crashes,
        long acknowledgedMsgs,
        long refusedMsgs,
        long inDoubtMsgs,
        long lostMsgs,
        long doubleMsgs,
        long corruptedMsgs,
        @Nullable Double gapP50Ms,
        @Nullable Double gapMaxMs,
        boolean promiseKept,
        List<String> failures,
        List<Fault> faults) {
    /** Copies. */
    public ClusterVerdict {
        failures = List.copyOf(failures);
        faults = List.copyOf(faults);
    }

    /**
     * One fault, from its beginning until mail was accepted again and all ran again.
     *
     * @param gapMs the longest time without a 250
     * @param acknowledgedBySecond messages for which a 250 was read in each whole second
     */
    public record Fault(double gapMs, List<Long> acknowledgedBySecond) {
        /** Copies. */
        public Fault {
            acknowledgedBySecond = List.copyOf(acknowledgedBySecond);
        }
    }
}
