package org.hubmark.bench.durability;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Counts what crashes of one kind did to one server in one durability class. One thread. */
final class Tally {
    private static final double NANOS_PER_MILLI = 1e6;

    private final String server;
    private final Durability durability;
    private final CrashKind kind;
    private final Histogram recoveryNanos = new Histogram(3);
    private final List<Long> failedSeeds = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<Counter, Long> counts = new LinkedHashMap<>();
    private @Nullable String unfelt;
    private long lossWindowNanos = -1;

    Tally(String server, Durability durability, CrashKind kind) {
        this.server = server;
        this.durability = durability;
        this.kind = kind;
        CrashResult.COUNTED.forEach(counter -> counts.put(counter, 0L));
    }

    Durability durability() {
        return durability;
    }

    CrashKind kind() {
        return kind;
    }

    /** {@return how much was counted so far} */
    long count(Counter counter) {
        return Objects.requireNonNull(counts.get(counter), counter.key());
    }

    private void count(Counter counter, long more) {
        counts.merge(counter, more, Long::sum);
    }

    /** {@return why the fault was never felt, or nothing at stake; null if there is a verdict} */
    @Nullable
    String skipped() {
        long crashes = crashes();
        if (!failedSeeds.isEmpty() || (crashes > 0 && count(CrashResult.ACKNOWLEDGED) > 0)) {
            return null;
        }
        if (crashes > 0) {
            return "nothing was acknowledged, in " + crashes
                    + (crashes == 1 ? " crash" : " crashes") + ": nothing could be lost";
        }
        long attempts = attempts();
        return unfelt == null
                ? "not tried before the end"
                : "never felt, in " + attempts + (attempts == 1 ? " attempt: " : " attempts: ")
                        + unfelt;
    }

    /** A check that is told to end sees files closed under it, and would take them for damage. */
    static void requireUninterrupted() throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("interrupted during a check, without a verdict");
        }
    }

    /** A crash of this kind. */
    void crashed() {
        count(CrashResult.ATTEMPTS, 1);
        count(CrashResult.CRASHES, 1);
    }

    /** The server was killed, but that says nothing of it: the fault had not reached it, for instance. */
    void unfelt(String reason) {
        count(CrashResult.ATTEMPTS, 1);
        unfelt = reason;
    }

    /** {@return why the last such attempt says nothing; null if there was none} */
    @Nullable
    String unfelt() {
        return unfelt;
    }

    void acknowledged(long messages) {
        count(CrashResult.ACKNOWLEDGED, messages);
    }

    void inDoubt(long messages) {
        count(CrashResult.IN_DOUBT, messages);
    }

    void recovered(long nanos) {
        recoveryNanos.recordValue(nanos);
    }

    /**
     * A history broke the promise.
     *
     * @param failure what did, and how to repeat it
     */
    void failed(long seed, String failure) {
        failedSeeds.add(seed);
        failures.add(failure);
    }

    /**
     * Compares the ledger with what was found, and remembers what was counted.
     *
     * @param crashNanos when it happened: a 250 read later does not count
     * @param window what the crash may have taken
     * @return what breaks the promise of the class; null if nothing does
     */
    @Nullable
    String judge(Ledger ledger, Survivors survivors, long crashNanos, LossWindow window) {
        count(CrashResult.REPORTED, survivors.damage().isEmpty() ? 0 : 1);
        long lostNow = 0;
        long windowNow = -1;
        for (Ledger.Entry entry : ledger.entries()) {
            int copies = survivors.copies(entry);
            int extra = Math.max(0, copies + entry.delivered - 1);
            count(CrashResult.DUPLICATED, Math.max(0, extra - entry.extraCopies));
            entry.extraCopies = Math.max(entry.extraCopies, extra);
            if (!entry.acked
                    || entry.lost
                    || copies + entry.delivered > 0
                    || entry.ackedNanos - crashNanos > 0) {
                continue;
            }
            if (survivors.corrupted().contains(entry)
                    || (kind.changesMedium() && survivors.reported(entry))) {
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
        count(CrashResult.LOST, lostNow);
        count(CrashResult.CORRUPTED, corruptedNow);
        for (Ledger.Entry entry : survivors.reordered()) {
            count(CrashResult.REORDERED, entry.reordered ? 0 : 1);
            entry.reordered = true;
        }
        lossWindowNanos = Math.max(lossWindowNanos, windowNow);
        return broken(lostNow, corruptedNow, windowNow, window, survivors.damage());
    }

    private @Nullable String broken(
            long lostNow,
            long corruptedNow,
            long windowNow,
            LossWindow window,
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
                kind.changesMedium() && windowNow <= window.nanos() ? null : loss;
            case Durability.Periodic periodic -> {
                if (windowNow > window.nanos()) {
                    yield loss + ", more than the window of " + window.nanos() / NANOS_PER_MILLI
                            + " ms";
                }
                Long promisedNanos = window.promisedNanos();
                yield promisedNanos == null || windowNow <= promisedNanos + window.stalledNanos()
                        ? null
                        : loss + ", and two periods and the longest sync are "
                                + promisedNanos / NANOS_PER_MILLI + " ms";
            }
            case Durability.None none -> null;
        };
    }

    /** {@return what tells it from others in the results} */
    Map<Name, Object> names() {
        return Map.of(
                CrashResult.KIND_OF_CRASH,
                kind.toString(),
                CrashResult.DURABILITY,
                durability.toString(),
                CrashResult.SERVER,
                server);
    }

    /** {@return what was counted, for the results} */
    Repeat counted() {
        Repeat.Builder counted = Repeat.counted()
                .name(CrashResult.SEEDS_OF_FAILURES, List.copyOf(failedSeeds))
                .name(CrashResult.FAILURES, List.copyOf(failures))
                .count(CrashResult.BROKEN, failedSeeds.size())
                .count(
                        CrashResult.LOSS_WINDOW_NS,
                        lossWindowNanos < 0 ? null : (Long) lossWindowNanos)
                .times(CrashResult.RECOVERY, recoveryNanos.copy());
        counts.forEach(counted::count);
        return counted.made();
    }

    /** Adds what another one of the same kind and class has counted, perhaps in an interrupted run. */
    void add(Repeat other) {
        CrashResult.COUNTED.forEach(counter -> count(counter, (long) other.count(counter)));
        recoveryNanos.add(other.times(CrashResult.RECOVERY));
        other.texts(CrashResult.SEEDS_OF_FAILURES)
                .forEach(seed -> failedSeeds.add(Long.valueOf(seed)));
        failures.addAll(other.texts(CrashResult.FAILURES));
        double windowNanos = other.count(CrashResult.LOSS_WINDOW_NS);
        if (!Double.isNaN(windowNanos)) {
            lossWindowNanos = Math.max(lossWindowNanos, (long) windowNanos);
        }
    }

    /** {@return crashes in which the fault was felt} */
    long crashes() {
        return count(CrashResult.CRASHES);
    }

    /** {@return crashes, those among them that were a kill and nothing else} */
    long attempts() {
        return count(CrashResult.ATTEMPTS);
    }

    /** {@return messages that were lost so far} */
    long lost() {
        return count(CrashResult.LOST);
    }
}
