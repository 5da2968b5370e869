package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.PhaseFigures;

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

    /** A file of an instance. */
    private record Work(Instance instance, Path file) {}

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
        List<Instance> instances = new ArrayList<>();
        Map<String, List<Work>> byDevice = new TreeMap<>();
        for (DatabasePlace place : context.places()) {
            Instance instance = Instance.of(place);
            instances.add(instance);
            String device = DatabasePlace.device(place.database());
            byDevice.computeIfAbsent(device, unused -> new ArrayList<>())
                    .add(new Work(instance, place.pages()));
        }
        List<Callable<List<Repeat>>> tasks = new ArrayList<>();
        byDevice.values().forEach(files -> tasks.add(() -> check(files)));
        report.log("Checking every block with 1 worker per device, " + byDevice.size()
                + (byDevice.size() == 1 ? " device" : " devices"));
        SampledWork.run(context, report, instances, SAMPLE, PhaseFigures.CHECKSUM, tasks);
        return report.done(Phase.CHECKSUM);
    }

    private static List<Repeat> check(List<Work> files) throws IOException, InterruptedException {
        List<Repeat> all = new ArrayList<>();
        for (Work work : files) {
            long began = System.nanoTime();
            PageCheck.Found found = PageCheck.check(
                    work.file, work.instance.operations(), IoCounter.DB_READS, PageCheck.Pace.NONE);
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
