package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.CachePairs;
import org.hubmark.bench.qualify.result.CacheSizes;
import org.hubmark.bench.qualify.result.PhaseResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs the same load on the same databases with one cache mode after the other, in rounds: each mode has
 * a block in each, and each round begins with another mode. One thread.
 */
final class CacheComparison {
    /** So many values have an interval that says something. */
    static final int ROUNDS = 5;

    private final QualifyRequest request;
    private final PhaseContext context;
    private final List<CachePairs.Block> blocks = new ArrayList<>();

    CacheComparison(PhaseContext context) {
        this.context = context;
        this.request = context.request();
    }

    /**
     * Runs all blocks.
     *
     * @throws InterruptedException when it is interrupted; the blocks that were run to their end count
     */
    void run() throws IOException, InterruptedException {
        Integer threads = request.threads();
        Duration length = request.collection().dividedBy(ROUNDS);
        for (int round = 1; round <= ROUNDS; round++) {
            List<QualifyRequest.CacheKind> caches = new ArrayList<>(request.cacheKinds());
            Collections.rotate(caches, 1 - round);
            for (QualifyRequest.CacheKind cache : caches) {
                context.progress()
                        .note("round " + round + " of " + ROUNDS + ", cache " + cache.label());
                // All caches of a round do the same transactions.
                PhaseResult result = run(
                        request.block(cache, threads, length, request.seed() + round),
                        folder(cache, round));
                // Found out once: with more threads for one cache they could not be compared.
                threads = threads == null ? result.threadsPerDatabase() : threads;
                blocks.add(CachePairs.block(
                        cache.label(), round, request.targetIops(), folder(cache, round), result));
            }
        }
    }

    private static String folder(QualifyRequest.CacheKind cache, int round) {
        return "cache/" + cache.label() + "-" + round;
    }

    private PhaseResult run(QualifyRequest block, String folder)
            throws IOException, InterruptedException {
        Path raw = Files.createDirectories(context.folder().resolve(folder));
        return new TransactionalPhase(
                        new PhaseContext(
                                block, context.places(), raw, context.progress(), context.time()),
                        Phase.PERFORMANCE)
                .run();
    }

    /** {@return what was found so far} */
    CachePairs pairs() {
        return CachePairs.of(
                request.cacheKinds().stream()
                        .map(QualifyRequest.CacheKind::label)
                        .toList(),
                blocks,
                CacheSizes.of(request.cacheSizes(), blocks));
    }
}
