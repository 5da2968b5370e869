package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
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
        List<Instance> instances = context.places().stream().map(Instance::of).toList();
        List<Callable<List<Repeat>>> tasks = new ArrayList<>();
        for (DatabasePlace place : context.places()) {
            Instance instance = instances.get(tasks.size());
            tasks.add(() -> List.of(stream(instance, place.pages())));
        }
        report.log("Backing up");
        SampledWork.run(context, report, instances, SAMPLE, PhaseFigures.BACKUP, tasks);
        report.log("Backup complete");
        return report.done(Phase.BACKUP);
    }

    private static Repeat stream(Instance instance, Path file) throws IOException {
        long began = System.nanoTime();
        try (ReadChannel channel =
                new ReadChannel(file, instance.operations(), IoCounter.DB_READS)) {
            while (channel.next().hasRemaining()) {
                // Read is all that is wanted.
            }
            return Repeat.counted()
                    .name(InstanceFigures.INSTANCE, instance.name())
                    .count(PhaseFigures.BYTES, channel.bytes())
                    .count(PhaseFigures.ELAPSED_NS, System.nanoTime() - began)
                    .made();
        }
    }
}
