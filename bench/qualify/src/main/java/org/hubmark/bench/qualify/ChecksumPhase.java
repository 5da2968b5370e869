package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.hub.volumes.VolumeStack;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Checks every block of every file, file by file, by one worker for each device: a device is told by its
 * name and not by the path of a folder on it, so that no device is read by two.
 */
final class ChecksumPhase {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(30);

    private final PhaseContext context;
    private final TestLog log;
    private final PhaseReport report;

    /** A file of an instance. */
    private record Work(Instance instance, Path file) {}

    /**
     * Prepares.
     *
     * @param refilled whether the databases are other ones than those that were loaded
     */
    ChecksumPhase(PhaseContext context, boolean refilled) {
        this.context = context;
        this.log = new TestLog(context.progress());
        this.report = new PhaseReport(context, log);
        report.found().count(PhaseFigures.REFILLED, refilled ? 1 : 0);
    }

    Repeat run() throws IOException, InterruptedException {
        report.sizeBefore();
        List<Instance> instances = new ArrayList<>();
        Map<String, List<Work>> byDevice = new TreeMap<>();
        for (DatabasePlace place : context.places()) {
            Instance instance = Instance.reading(place, new FileOperations());
            instances.add(instance);
            String device = String.valueOf(VolumeStack.of(place.database()).deviceName());
            for (Path file : place.tables()) {
                byDevice.computeIfAbsent(device, unused -> new ArrayList<>())
                        .add(new Work(instance, file));
            }
        }
        List<Callable<List<Repeat>>> tasks = new ArrayList<>();
        byDevice.values().forEach(files -> tasks.add(() -> check(files)));
        log.add("Checking every block with 1 worker per device, " + byDevice.size()
                + (byDevice.size() == 1 ? " device" : " devices"));
        long began = System.nanoTime();
        List<Repeat> all = SampledWork.run(context, instances, report, SAMPLE, tasks).stream()
                .flatMap(List::stream)
                .toList();
        report.elapsed(began, all);
        report.found().parts(PhaseFigures.CHECKSUM, all);
        report.sizeAfter();
        log.add("checksum is done");
        return report.result();
    }

    private static List<Repeat> check(List<Work> files) throws IOException, InterruptedException {
        List<Repeat> all = new ArrayList<>();
        for (Work work : files) {
            long began = System.nanoTime();
            FileOperations operations = work.instance.operations();
            PageCheck.Found found =
                    PageCheck.check(work.file, operations::databaseRead, PageCheck.Pace.NONE);
            operations.add(IoCounter.BAD_BLOCKS, found.badPages());
            all.add(Repeat.counted()
                    .name(PhaseFigures.FILE, work.file.toString())
                    .count(PhaseFigures.BYTES, found.bytes())
                    .count(PhaseFigures.BLOCKS, found.pages())
                    .count(PhaseFigures.BAD_BLOCKS, found.badPages())
                    .count(PhaseFigures.ELAPSED_NS, System.nanoTime() - began)
                    .made());
        }
        return all;
    }
}
