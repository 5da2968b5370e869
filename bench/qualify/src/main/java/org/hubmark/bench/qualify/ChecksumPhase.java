package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.io.IOException;
import java.time.Duration;

/** Checks every page of every database, all databases side by side. */
final class ChecksumPhase {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(30);

    private ChecksumPhase() {}

    /**
     * {@return what was found}
     *
     * @param refilled whether the databases are other ones than those that were loaded
     */
    static Repeat run(PhaseContext context, boolean refilled)
            throws IOException, InterruptedException {
        PhaseReport report = new PhaseReport(context);
        report.found().count(PhaseFigures.REFILLED, refilled ? 1 : 0);
        report.log("Checking every page");
        report.work(SAMPLE, PhaseFigures.CHECKSUM, (place, operations) -> {
            long began = System.nanoTime();
            PageCheck.Found found = PageCheck.check(
                    place.pages(), operations, IoCounter.DB_READS, PageCheck.Pace.NONE);
            return Repeat.counted()
                    .name(PhaseFigures.FILE, place.pages().toString())
                    .count(PhaseFigures.BYTES, found.bytes())
                    .count(PhaseFigures.BLOCKS, found.pages())
                    .count(PhaseFigures.BAD_BLOCKS, found.badPages())
                    .count(PhaseFigures.ELAPSED_NS, System.nanoTime() - began);
        });
        return report.done();
    }
}
