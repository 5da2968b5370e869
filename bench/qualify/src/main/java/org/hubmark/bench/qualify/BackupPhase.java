package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.io.IOException;
import java.time.Duration;

/**
 * Streaming backup: each database as it is at one moment is read from one end to the other, all databases
 * side by side. What is read goes nowhere, so that it is the volume that is measured.
 */
final class BackupPhase {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(30);

    private BackupPhase() {}

    static Repeat run(PhaseContext context) throws IOException, InterruptedException {
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
}
