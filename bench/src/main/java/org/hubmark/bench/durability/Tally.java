package org.hubmark.bench.durability;

import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Counts what crashes of one kind did to one server in one durability class. One thread. */
final class Tally {
    private static final double NANOS_PER_MILLI = 1e6;

    /** One to wait, and at most one for what is under way when it is over. */
    private static final int PERIODS_MAX = 2;
    /** A single sync may be late on a busy machine; half of so many is not. */
    private static final int WAITS_MIN = 8;

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
    private long attempts;
    private long waits;
    private long lateWaits;
    private @Nullable String unfelt;
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

    /** Crashes in which the fault was felt. */
    long crashes() {
        return crashes;
    }

    /** Crashes, those among them that were a kill and nothing else. */
    long attempts() {
        return attempts;
    }

    /** {@return why the fault was never felt, or nothing at stake; null if there is a verdict} */
    @Nullable
    String skipped() {
        if (!failedSeeds.isEmpty() || (crashes > 0 && acknowledged > 0)) {
            return null;
        }
        if (crashes > 0) {
            return "nothing was acknowledged, in " + crashes
                    + (crashes == 1 ? " crash" : " crashes") + ": nothing could be lost";
        }
        return unfelt == null
                ? "not tried before the end"
                : "never felt, in " + attempts + (attempts == 1 ? " attempt: " : " attempts: ")
                        + unfelt;
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

    /** A crash of this kind. */
    void crashed() {
        attempts++;
        crashes++;
    }

    /** The server was killed, but the fault had not reached it. */
    void unfelt(String reason) {
        attempts++;
        unfelt = reason;
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
     * @param window what the crash may have taken
     * @return what breaks the promise of the class; null if nothing does
     */
    @Nullable
    String judge(Ledger ledger, Survivors survivors, long crashNanos, Window window) {
        note(window);
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
            if (survivors.corrupted().contains(entry) || (kind.changesMedium() && damageReported)) {
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
        return broken(lostNow, corruptedNow, windowNow, window.nanos(), survivors.damage());
    }

    private void note(Window window) {
        Long waitNanos = window.waitNanos();
        if (waitNanos != null && durability instanceof Durability.Periodic periodic) {
            waits++;
            lateWaits += waitNanos > PERIODS_MAX * periodic.period().toNanos() ? 1 : 0;
        }
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
        if (!damage.isEmpty() && !kind.changesMedium()) {
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
            case Durability.Synced synced ->
                kind.resemblesTornEnd() && windowNow <= allowedNanos ? null : loss;
            case Durability.Periodic periodic -> {
                if (windowNow > allowedNanos) {
                    yield loss + ", more than the window of " + allowedNanos / NANOS_PER_MILLI
                            + " ms";
                }
                yield waits >= WAITS_MIN && 2 * lateWaits > waits
                        ? loss + ", and in " + lateWaits + " of " + waits
                                + " crashes a sync had been due for longer than the period"
                        : null;
            }
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
