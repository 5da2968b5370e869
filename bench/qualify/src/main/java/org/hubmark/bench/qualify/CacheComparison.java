package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.PhaseContext;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.bench.qualify.phase.TransactionalPhase;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Runs the same load on the same databases with one cache mode after the other, in rounds: each mode has
 * a block in each, in an order that is drawn for it, so that none always follows the same other one. One
 * thread.
 */
record CacheComparison(PhaseContext phases, Context study) {
    /** Number of rounds, whose values have a usable interval. */
    static final int ROUNDS = 5;

    /**
     * Runs all blocks.
     *
     * @throws InterruptedException when it is interrupted; the blocks that were run to their end count
     */
    void run() throws IOException, InterruptedException {
        QualifyRequest request = phases.request();
        List<CacheMode> caches = request.caches().modes();
        Integer threads = request.load().threads();
        caches.forEach(cache -> study.expect(CacheFigures.CACHES, names(cache)));
        for (int round = 1; round <= ROUNDS; round++) {
            for (CacheMode cache : order(caches, request.load().seed(), round)) {
                study.note("round " + round + " of " + ROUNDS + ", cache " + cache);
                Repeat block = block(cache, threads, round);
                // Found out once: with more threads for one cache they could not be compared.
                threads = threads == null
                        ? (Integer) (int) block.count(PhaseFigures.THREADS)
                        : threads;
            }
        }
    }

    /** {@return caches in the order of a round: the same seed repeats it} */
    static <T> List<T> order(List<T> caches, long seed, int round) {
        Random random = new Random(seed);
        List<T> order = new ArrayList<>(caches);
        for (int i = 0; i < round; i++) {
            Collections.shuffle(order, random);
        }
        return order;
    }

    private static Map<Name, Object> names(CacheMode cache) {
        return Map.of(CacheFigures.CACHE, cache.toString());
    }

    private Repeat block(CacheMode cache, @Nullable Integer threads, int round)
            throws IOException, InterruptedException {
        QualifyRequest request = phases.request();
        Duration length = request.test().comparison().dividedBy(ROUNDS);
        // All caches of a round do the same transactions.
        QualifyRequest block = request.block(cache, threads, request.load().seed() + round);
        return study.repeat(
                CacheFigures.CACHES,
                names(cache),
                round,
                () -> new TransactionalPhase(phases.of(block), length)
                        .run()
                        .whole()
                        .named(CacheFigures.ROUND, round));
    }
}
