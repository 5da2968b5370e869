package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseResult;
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
 * Checks every block of every table, file by file, by one worker for each device: a device is told by
 * its name and not by the path of a folder on it, so that no device is read by two.
 */
final class ChecksumPhase {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(30);

    private final PhaseContext context;
    private final TestLog log;
    private final PhaseReport report;

    /** A file of an instance. */
    private record Work(Instance instance, Path file) {}

    ChecksumPhase(PhaseContext context) {
        this.context = context;
        this.log = new TestLog(context.progress());
        this.report = new PhaseReport(Phase.CHECKSUM, context, log);
    }

    PhaseResult run() throws IOException, InterruptedException {
        report.sizeBefore(context);
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
        List<Callable<List<PhaseResult.Checksum>>> tasks = new ArrayList<>();
        byDevice.values().forEach(files -> tasks.add(() -> check(files)));
        log.add("Checking every block with 1 worker per device, " + byDevice.size()
                + (byDevice.size() == 1 ? " device" : " devices"));
        long began = System.nanoTime();
        List<PhaseResult.Checksum> all =
                SampledWork.run(context, Phase.CHECKSUM, instances, report, SAMPLE, tasks).stream()
                        .flatMap(List::stream)
                        .toList();
        report.checksum(
                all,
                SideBySide.times(
                        began, all.stream().map(PhaseResult.Checksum::elapsedS).toList()));
        report.judged(reasons(all));
        report.sizeAfter(context);
        log.add("checksum is done");
        return report.result();
    }

    private static List<PhaseResult.Checksum> check(List<Work> files)
            throws IOException, InterruptedException {
        List<PhaseResult.Checksum> all = new ArrayList<>();
        for (Work work : files) {
            long began = System.nanoTime();
            TableCheck.Found found = TableCheck.check(
                    work.file(), work.instance().operations()::databaseRead, TableCheck.Pace.NONE);
            work.instance().operations().add(IoCounter.BAD_BLOCKS, found.badBlocks());
            all.add(new PhaseResult.Checksum(
                    work.file().toString(),
                    found.bytes(),
                    found.blocks(),
                    found.badBlocks(),
                    (System.nanoTime() - began) / 1e9));
        }
        return all;
    }

    private static List<String> reasons(List<PhaseResult.Checksum> all) {
        return all.stream()
                .filter(file -> file.badBlocks() > 0)
                .map(file -> file.file() + ": " + file.badBlocks() + " of " + file.blocks()
                        + " blocks bad, none is allowed")
                .toList();
    }
}
