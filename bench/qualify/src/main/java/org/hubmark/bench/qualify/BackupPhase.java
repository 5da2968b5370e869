package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

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
        // No phase leaves a database open, so that its file is of one moment.
        List<FileOperations> instances = new ArrayList<>();
        List<Callable<List<Repeat>>> tasks = new ArrayList<>();
        for (DatabasePlace place : context.places()) {
            FileOperations operations = new FileOperations(place.instance());
            instances.add(operations);
            tasks.add(() -> List.of(stream(operations, place.pages())));
        }
        report.log("Backing up");
        report.work(instances, SAMPLE, PhaseFigures.BACKUP, tasks);
        return report.done();
    }

    private static Repeat stream(FileOperations operations, Path file) throws IOException {
        long began = System.nanoTime();
        try (ReadChannel channel = new ReadChannel(file, operations, IoCounter.DB_READS)) {
            channel.readAll();
            return Repeat.counted()
                    .name(InstanceFigures.INSTANCE, operations.instance())
                    .count(PhaseFigures.BYTES, channel.bytes())
                    .count(PhaseFigures.ELAPSED_NS, System.nanoTime() - began)
                    .made();
        }
    }
}
