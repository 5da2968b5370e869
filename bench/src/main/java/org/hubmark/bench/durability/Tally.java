package org.hubmark.bench.durability;

import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Counts what crashes of one kind did to one server in one durability class. One thread. */
final class Tally {
    private static final double NANOS_PER_MILLI = 1e6;

    private final String server;
    private final Durability durability;
    private final Kind kind;
    private final List<Long> recoveryNanos = new ArrayList<>();
    private final List<Long> failedSeeds = new ArrayList<>();
    private long crashes;
    private long acknowledged;
    private long lost;
    private long duplicated;
    private long reordered;
    private long corrupted;
    private long inDoubt;
    private long reported;
    private long felt;
    private long lossWindowNanos = -1;

    Tally(String server, Durability durability, Kind kind) {
        this.server = server;
        this.durability = durability;
        this.kind = kind;
    }

    Durability durability() {
        return durability;
    }

    Kind kind() {
        return kind;
    }

    long crashes() {
        return crashes;
    }

    long acknowledged() {
        return acknowledged;
    }

    /** A check that is told to end sees files closed under it, and would take them for damage. */
    static void requireUninterrupted() throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("told to end during a check, which says nothing");
        }
    }

    /** Copies that may rightly be there: what was under way at a crash and was sent again. */
    long inDoubt() {
        return inDoubt;
    }

    /** Crashes after which the server itself reported damage. */
    long reported() {
        return reported;
    }

    /** Crashes before which the fault was seen to have an effect: a refusal, a death, a report. */
    long felt() {
        return felt;
    }

    void crashed(boolean faultFelt) {
        crashes++;
        felt += faultFelt ? 1 : 0;
    }

    void acknowledged(long messages) {
        acknowledged += messages;
    }

    void inDoubt(long messages) {
        inDoubt += messages;
    }

    void recovered(long nanos) {
        recoveryNanos.add(nanos);
    }

    void failed(long seed) {
        if (!failedSeeds.contains(seed)) {
            failedSeeds.add(seed);
        }
    }

    /**
     * Compares the ledger with what was found, and remembers what was counted.
     *
     * @param crashNanos when it happened: a 250 read later does not count
     * @param allowedNanos how old a lost message of the class periodic may be
     * @return what breaks the promise of the class; null if nothing does
     */
    @Nullable
    String judge(Ledger ledger, Survivors survivors, long crashNanos, long allowedNanos) {
        boolean damageReported = !survivors.damage().isEmpty();
        reported += damageReported ? 1 : 0;
        long lostNow = 0;
        long windowNow = -1;
        for (Ledger.Entry entry : ledger.entries()) {
            int copies = survivors.copies(entry);
            int extra = Math.max(0, copies + entry.delivered - 1);
            duplicated += Math.max(0, extra - entry.extraCopies);
            entry.extraCopies = Math.max(entry.extraCopies, extra);
            if (!entry.acked
                    || entry.lost
                    || copies + entry.delivered > 0
                    || entry.ackedNanos - crashNanos > 0) {
                continue;
            }
            if (survivors.corrupted().contains(entry) || (kind == Kind.FLIP && damageReported)) {
                continue;
            }
            entry.lost = true;
            lostNow++;
            windowNow = Math.max(windowNow, crashNanos - entry.ackedNanos);
        }
        long corruptedNow = survivors.strange();
        for (Ledger.Entry entry : survivors.corrupted()) {
            corruptedNow += entry.corrupted ? 0 : 1;
            entry.corrupted = true;
        }
        lost += lostNow;
        corrupted += corruptedNow;
        for (Ledger.Entry entry : survivors.reordered()) {
            reordered += entry.reordered ? 0 : 1;
            entry.reordered = true;
        }
        lossWindowNanos = Math.max(lossWindowNanos, windowNow);
        return broken(lostNow, corruptedNow, windowNow, allowedNanos, survivors.damage());
    }

    private @Nullable String broken(
            long lostNow,
            long corruptedNow,
            long windowNow,
            long allowedNanos,
            List<String> damage) {
        if (corruptedNow > 0) {
            return corruptedNow + " messages came back with another content";
        }
        if (!damage.isEmpty() && kind != Kind.FLIP) {
            return "the queue is damaged: " + damage.getFirst();
        }
        if (lostNow == 0) {
            return null;
        }
        String loss = lostNow + " acknowledged messages lost, the oldest "
                + windowNow / NANOS_PER_MILLI + " ms before the crash";
        if (!kind.losesUnsynced()) {
            return loss + ", and the operating system was not crashed";
        }
        return switch (durability) {
            case Durability.Synced synced -> loss;
            case Durability.Periodic periodic ->
                windowNow <= allowedNanos
                        ? null
                        : loss + ", more than the window of " + allowedNanos / NANOS_PER_MILLI
                                + " ms";
            case Durability.None none -> null;
        };
    }

    Verdict verdict() {
        List<Long> sorted = new ArrayList<>(recoveryNanos);
        Collections.sort(sorted);
        Verdict.Recovery recovery = sorted.isEmpty()
                ? new Verdict.Recovery(null, null)
                : new Verdict.Recovery(
                        millis(sorted.get((sorted.size() - 1) / 2)), millis(sorted.getLast()));
        return new Verdict(
                server,
                durability.toString(),
                kind.text(),
                crashes,
                acknowledged,
                lost,
                duplicated,
                reordered,
                corrupted,
                lossWindowNanos < 0 ? null : millis(lossWindowNanos),
                recovery,
                failedSeeds.isEmpty(),
                List.copyOf(failedSeeds));
    }

    private static double millis(long nanos) {
        return Math.round(nanos / NANOS_PER_MILLI * 1000) / 1000.0;
    }
}
