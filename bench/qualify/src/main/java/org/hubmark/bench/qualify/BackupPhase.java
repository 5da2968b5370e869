package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Streaming backup: a snapshot of each database, of one moment, is read from one end to the other, all
 * databases side by side. What is read goes nowhere, so that it is the volume that is measured.
 */
final class BackupPhase {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(30);

    private final PhaseContext context;
    private final TestLog log;
    private final PhaseReport report;

    BackupPhase(PhaseContext context) {
        this.context = context;
        this.log = new TestLog(context.progress());
        this.report = new PhaseReport(context, log);
    }

    Repeat run() throws IOException, InterruptedException {
        log.add("Attaching databases");
        report.sizeBefore();
        List<List<Path>> snapshots = new ArrayList<>();
        try (OpenDatabases databases = OpenDatabases.open(context.request(), context.places())) {
            for (MailboxDatabase database : databases.all()) {
                snapshots.add(database.snapshot());
            }
            log.add("Snapshots taken; detaching databases");
        }
        stream(snapshots);
        report.sizeAfter();
        log.add("backup is done");
        return report.result();
    }

    private void stream(List<List<Path>> snapshots) throws IOException, InterruptedException {
        List<Instance> instances = new ArrayList<>();
        List<Callable<Repeat>> tasks = new ArrayList<>();
        for (int i = 0; i < snapshots.size(); i++) {
            FileOperations operations = new FileOperations();
            Instance instance = Instance.reading(context.places().get(i), operations);
            List<Path> files = snapshots.get(i);
            instances.add(instance);
            tasks.add(() -> stream(instance, files));
        }
        log.add("Backing up");
        long began = System.nanoTime();
        List<Repeat> all = SampledWork.run(context, instances, report, SAMPLE, tasks);
        report.elapsed(began, all);
        report.found().parts(PhaseFigures.BACKUP, all);
        log.add("Backup complete");
    }

    private static Repeat stream(Instance instance, List<Path> files) throws IOException {
        long bytes = 0;
        long began = System.nanoTime();
        for (Path file : files) {
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
            try (ReadChannel channel = new ReadChannel(file, instance.operations()::databaseRead)) {
                while (channel.next().hasRemaining()) {
                    // Read is all that is wanted.
                }
                bytes += channel.bytes();
            }
        }
        return Repeat.counted()
                .name(InstanceFigures.INSTANCE, instance.name())
                .count(PhaseFigures.BYTES, bytes)
                .count(PhaseFigures.ELAPSED_NS, System.nanoTime() - began)
                .made();
    }
}
