package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.LogCheck;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.hub.volumes.VolumeStack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Checks every block of every file and every record of the logs, file by file, by one worker for each device:
 * a device is told by its name and not by the path of a folder on it, so that no device is read by two.
 */
final class ChecksumPhase {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(30);

    private final PhaseContext context;
    private final TestLog log;
    private final PhaseReport report;

    /** Looks at a file of a database, or at a log. */
    @FunctionalInterface
    private interface Check {
        PageCheck.Found found() throws IOException, InterruptedException;
    }

    /** A file of an instance, or a log. */
    private record Work(Instance instance, String device, Path file, boolean isLog, Check check) {}

    /** What was counted of one. */
    private record Checked(boolean isLog, Repeat counted) {}

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
            for (Work work : works(place, instance)) {
                byDevice.computeIfAbsent(work.device, unused -> new ArrayList<>())
                        .add(work);
            }
        }
        List<Callable<List<Checked>>> tasks = new ArrayList<>();
        byDevice.values().forEach(files -> tasks.add(() -> check(files)));
        log.add("Checking every block and record with 1 worker per device, " + byDevice.size()
                + (byDevice.size() == 1 ? " device" : " devices"));
        long began = System.nanoTime();
        List<Checked> all = SampledWork.run(context, instances, report, SAMPLE, tasks).stream()
                .flatMap(List::stream)
                .toList();
        report.elapsed(began, all.stream().map(Checked::counted).toList());
        report.found()
                .parts(PhaseFigures.CHECKSUM, counted(all, false))
                .parts(PhaseFigures.LOG_CHECKSUM, counted(all, true));
        report.sizeAfter();
        log.add("checksum is done");
        return report.result();
    }

    private static List<Repeat> counted(List<Checked> all, boolean isLog) {
        return all.stream()
                .filter(one -> one.isLog == isLog)
                .map(Checked::counted)
                .toList();
    }

    private List<Work> works(DatabasePlace place, Instance instance) throws IOException {
        List<Work> works = new ArrayList<>();
        String device = String.valueOf(VolumeStack.of(place.database()).deviceName());
        FileOperations operations = instance.operations();
        for (Path file : place.tables()) {
            works.add(new Work(
                    instance,
                    device,
                    file,
                    false,
                    () -> PageCheck.check(file, operations::databaseRead, PageCheck.Pace.NONE)));
        }
        if (!Files.isDirectory(place.log())) {
            return works;
        }
        String logDevice = String.valueOf(VolumeStack.of(place.log()).deviceName());
        works.add(new Work(instance, logDevice, place.log(), true, () -> {
            LogCheck.Found found =
                    LogCheck.check(place.database(), place.log(), operations::logRead);
            return new PageCheck.Found(found.bytes(), found.records(), found.bad());
        }));
        return works;
    }

    private static List<Checked> check(List<Work> files) throws IOException, InterruptedException {
        List<Checked> all = new ArrayList<>();
        for (Work work : files) {
            long began = System.nanoTime();
            PageCheck.Found found = work.check.found();
            work.instance.operations().add(IoCounter.BAD_BLOCKS, found.badPages());
            all.add(new Checked(
                    work.isLog,
                    Repeat.counted()
                            .name(PhaseFigures.FILE, work.file.toString())
                            .count(PhaseFigures.BYTES, found.bytes())
                            .count(PhaseFigures.BLOCKS, found.pages())
                            .count(PhaseFigures.BAD_BLOCKS, found.badPages())
                            .count(PhaseFigures.ELAPSED_NS, System.nanoTime() - began)
                            .made()));
        }
        return all;
    }
}
