package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.io.IOException;
import java.time.Duration;

/** The phases that read all databases from one end to the other, side by side. */
final class FilePhases {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(30);

    private FilePhases() {}

    /**
     * {@return what a streaming backup counted: each database as it is at one moment} What is read goes nowhere,
     * so that it is the volume that is measured.
     */
    static Repeat backup(PhaseContext context) throws IOException, InterruptedException {
        PhaseReport report = new PhaseReport(context);
        report.log("Backing up");
        report.work(SAMPLE, PhaseFigures.BACKUP, (place, operations) -> {
            long began = System.nanoTime();
            try (ReadChannel channel =
                    new ReadChannel(place.pages(), operations, IoCounter.DB_READS)) {
                channel.readAll();
                return Repeat.counted()
                        .count(PhaseFigures.BYTES, channel.bytes())
                        .count(PhaseFigures.ELAPSED_NS, System.nanoTime() - began);
            }
        });
        return report.done();
    }

    /**
     * {@return what a check of every page found}
     *
     * @param refilled whether the databases are other ones than those that were loaded
     */
    static Repeat checksum(PhaseContext context, boolean refilled)
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
