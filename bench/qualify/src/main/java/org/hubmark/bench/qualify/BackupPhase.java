package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.qualify.result.PhaseResult;

import java.io.IOException;
import java.nio.file.Files;
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
    private static final String SNAPSHOT = "-snapshot";
    private static final double MB = 1 << 20;
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(30);

    private final PhaseContext context;
    private final TestLog log;
    private final PhaseReport report;

    BackupPhase(PhaseContext context) {
        this.context = context;
        this.log = new TestLog(context.progress());
        this.report = new PhaseReport(Phase.BACKUP, context, log);
    }

    PhaseResult run() throws IOException, InterruptedException {
        log.add("Attaching databases");
        report.sizeBefore(context);
        List<Path> snapshots = new ArrayList<>();
        try {
            try (OpenDatabases databases =
                    OpenDatabases.open(context.request(), context.places())) {
                for (MailboxDatabase database : databases.all()) {
                    Path folder = snapshot(database.place());
                    snapshots.add(folder);
                    if (Files.isDirectory(folder)) {
                        Folders.delete(folder);
                    }
                    database.snapshot(folder);
                }
                log.add("Snapshots taken; detaching databases");
            }
            stream(snapshots);
        } finally {
            for (Path folder : snapshots) {
                if (Files.isDirectory(folder)) {
                    Folders.delete(folder);
                }
            }
        }
        report.sizeAfter(context);
        log.add("backup is done");
        return report.result();
    }

    private static Path snapshot(DatabasePlace place) {
        return place.database().resolveSibling(place.database().getFileName() + SNAPSHOT);
    }

    /** Takes away what a run has left that was killed in this phase. */
    static void delete(DatabasePlace place) throws IOException {
        if (Files.isDirectory(snapshot(place))) {
            Folders.delete(snapshot(place));
        }
    }

    private void stream(List<Path> snapshots) throws IOException, InterruptedException {
        List<Instance> instances = new ArrayList<>();
        List<Callable<PhaseResult.Backup>> tasks = new ArrayList<>();
        for (int i = 0; i < snapshots.size(); i++) {
            FileOperations operations = new FileOperations();
            Instance instance = Instance.reading(context.places().get(i), operations);
            Path folder = snapshots.get(i);
            instances.add(instance);
            tasks.add(() -> stream(instance, folder));
        }
        log.add("Backing up");
        long began = System.nanoTime();
        List<PhaseResult.Backup> all =
                SampledWork.run(context, Phase.BACKUP, instances, report, SAMPLE, tasks);
        report.backup(
                all,
                SideBySide.times(
                        began, all.stream().map(PhaseResult.Backup::elapsedS).toList()));
        log.add("Backup complete");
    }

    private static PhaseResult.Backup stream(Instance instance, Path folder) throws IOException {
        long bytes = 0;
        long began = System.nanoTime();
        for (Path file : Folders.files(folder)) {
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
        double seconds = (System.nanoTime() - began) / 1e9;
        return new PhaseResult.Backup(instance.name(), bytes / MB, seconds, bytes / MB / seconds);
    }
}
