package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Checks every block of every file, file by file, by one worker for each device: a device is told by its
 * name and not by the path of a folder on it, so that no device is read by two.
 */
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
        Map<FileOperations, Path> files = new LinkedHashMap<>();
        Map<String, List<FileOperations>> byDevice = new TreeMap<>();
        for (DatabasePlace place : context.places()) {
            FileOperations operations = new FileOperations(place.instance());
            files.put(operations, place.pages());
            byDevice.computeIfAbsent(
                            DatabasePlace.device(place.database()), device -> new ArrayList<>())
                    .add(operations);
        }
        List<Callable<List<Repeat>>> tasks = new ArrayList<>();
        byDevice.values()
                .forEach(instances -> tasks.add(() -> {
                    List<Repeat> all = new ArrayList<>();
                    for (FileOperations operations : instances) {
                        all.add(check(operations, Objects.requireNonNull(files.get(operations))));
                    }
                    return all;
                }));
        report.log("Checking every block, by a worker for each of " + tasks.size() + " devices");
        report.work(List.copyOf(files.keySet()), SAMPLE, PhaseFigures.CHECKSUM, tasks);
        return report.done();
    }

    private static Repeat check(FileOperations operations, Path file)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        PageCheck.Found found =
                PageCheck.check(file, operations, IoCounter.DB_READS, PageCheck.Pace.NONE);
        return Repeat.counted()
                .name(PhaseFigures.FILE, file.toString())
                .count(PhaseFigures.BYTES, found.bytes())
                .count(PhaseFigures.BLOCKS, found.pages())
                .count(PhaseFigures.BAD_BLOCKS, found.badPages())
                .count(PhaseFigures.ELAPSED_NS, System.nanoTime() - began)
                .made();
    }
}
