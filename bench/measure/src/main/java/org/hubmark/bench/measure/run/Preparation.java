package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.volumes.Preconditioned;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.measure.IdleTime;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.results.Publication;
import org.hubmark.bench.results.publish.Publishing;
import org.hubmark.core.ByteSize;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Preparation before the first repeat of a result that is to be published: the file systems of the
 * volumes are written, a hub on them is loaded, and the machine is looked at while that hub has
 * nothing to do. Blocks; one thread.
 */
final class Preparation {
    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(5);
    private static final int IDLE_LOOKS_MAX = 5;

    private final PublishRequest request;
    private final long seed;
    private final Progress progress;

    /**
     * Prepares nothing yet.
     *
     * @param seed of what is written
     */
    Preparation(PublishRequest request, long seed, Progress progress) {
        this.request = request;
        this.seed = seed;
        this.progress = progress;
    }

    /** Writes each file system that volumes lie on; they stay empty. */
    List<Preconditioned> precondition(HubRequest hub) throws InterruptedException {
        hub.folders().claim();
        List<Preconditioned> written = new ArrayList<>();
        try {
            for (List<Path> volumes : byFileSystem(hub).values()) {
                long bytes = Preconditioned.bytes(volumes.getFirst(), request.preconditionBytes());
                progress.phase(
                        "precondition: " + ByteSize.format(bytes) + " on " + volumes.getFirst()
                                + " until its rates are steady",
                        request.steadyMax());
                Preconditioned one = Preconditioned.untilSteady(
                        volumes,
                        new Preconditioned.Effort(
                                request.preconditionBytes(), request.steadyMax(), seed),
                        rates -> progress.note(rates.words()));
                progress.note("preconditioned " + volumes.getFirst() + ": " + one.words());
                written.add(one);
            }
        } catch (IOException e) {
            throw UserError.failed(
                    "a volume can't be preconditioned (" + FileErrors.reason(e) + ")");
        }
        return written;
    }

    private static Map<FileStore, List<Path>> byFileSystem(HubRequest hub) throws IOException {
        Map<FileStore, List<Path>> all = new LinkedHashMap<>();
        for (Path volume : hub.folders().volumes().all()) {
            all.computeIfAbsent(Files.getFileStore(volume), store -> new ArrayList<>())
                    .add(volume);
        }
        return all;
    }

    /**
     * Loads the hub as fast as it goes, and then lets it be. Where others do not let the machine be, it
     * says so and looks again, some times at most: an hour of measuring would follow that nobody can publish.
     */
    Publication.Idle idle(
            Part part,
            @Nullable MeasuredHub hub,
            Instruments instruments,
            List<VolumeDisclosure> volumes,
            int logicalCores)
            throws IOException, InterruptedException {
        var address = hub == null ? null : hub.address();
        String title = part.request().title();
        progress.phase(title + " warm load", request.warmLoad());
        try (Workload work = part.request().source().trial(address, new Pace.ClosedLoop())) {
            work.begin();
            instruments.time().sleep(request.warmLoad());
            work.stop(ANSWERS_TIMEOUT);
        }
        List<String> looks = new ArrayList<>();
        while (true) {
            progress.phase(title + " idle", request.idle());
            try (Workload nothing = part.request().source().trial(address, new Pace.ClosedLoop())) {
                Publication.Idle idle = IdleTime.measure(
                        part.request().id(),
                        nothing,
                        instruments,
                        volumes,
                        logicalCores,
                        request.idle());
                String unrest = Publishing.unrest(idle);
                if (unrest == null || looks.size() + 1 == IDLE_LOOKS_MAX) {
                    return idle.after(looks);
                }
                looks.add(unrest);
                progress.note("not idle, looking again: " + unrest);
            }
        }
    }
}
