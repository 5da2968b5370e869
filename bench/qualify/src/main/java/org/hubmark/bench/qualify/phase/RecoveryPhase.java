package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.pages.MessageSizes;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.bench.qualify.result.Figures;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * Soft recovery: all databases are written to until the log of each has so much that is needed after a
 * crash, and are left as a crash leaves them; then they are opened side by side, which replays it. Logs and
 * pages are past the page cache, so that what the end of a process would take away is gone as well.
 */
final class RecoveryPhase {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(4);

    /** Cache of the writing, whatever that of the load: what is replayed does not depend on it. */
    private static final long CACHE_BYTES_MIN = 64 << 20;

    private static final long CACHE_BYTES_MAX = 4 * CACHE_BYTES_MIN;
    private static final int SYNC_EVERY = 3;
    private static final int LOOK_EVERY = 64;

    private RecoveryPhase() {}

    /** @param form of what is counted of each database */
    static Repeat run(PhaseContext context, Form form) throws IOException, InterruptedException {
        PhaseReport report = new PhaseReport(context);
        QualifyRequest request = context.request();
        report.log("Log generation: " + (request.test().recoveryLogBytes() >> 20)
                + " MB for each database");
        generate(context);
        report.log("Left as after a crash; recovering");
        try (PageCache cache = request.caches().cache()) {
            report.work(SAMPLE, form, (place, operations) -> {
                long began = System.nanoTime();
                MailboxDatabase database = MailboxDatabase.open(place, cache, 0, false, operations);
                long elapsed = System.nanoTime() - began;
                database.close();
                return Repeat.counted()
                        .count(Figures.BYTES, database.replayedBytes())
                        .count(Figures.ELAPSED_NS, elapsed);
            });
        }
        return report.done();
    }

    private static void generate(PhaseContext context) throws IOException, InterruptedException {
        QualifyRequest request = context.request();
        List<MailboxDatabase> open = new ArrayList<>();
        try (PageCache cache = new PageCache(CacheMode.ALL, CACHE_BYTES_MIN, CACHE_BYTES_MAX)) {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (DatabasePlace place : context.places()) {
                MailboxDatabase database =
                        MailboxDatabase.open(place, cache, 0, true, new FileOperations(""));
                long seed = request.load().seed() + open.size();
                open.add(database);
                tasks.add(() -> write(database, request.test().recoveryLogBytes(), seed));
            }
            var unused = SideBySide.run(tasks, Duration.ofDays(1), () -> {});
        } finally {
            for (MailboxDatabase database : open) {
                database.abandon();
            }
        }
    }

    private static boolean write(MailboxDatabase database, long logBytes, long seed)
            throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        MessageSizes sizes = new MessageSizes(random.split());
        for (long i = 0; i % LOOK_EVERY != 0 || database.logBytes() < logBytes; i++) {
            database.run(TransactionMix.DEFAULT.draw(random), sizes, random, i % SYNC_EVERY == 0);
        }
        return true;
    }
}
