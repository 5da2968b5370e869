package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.measure.IdleTime;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.results.Publication;
import org.hubmark.bench.results.publish.Publishing;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Preparation before the first repeat of a result that is to be published: a hub is loaded, and the
 * machine is looked at while that hub has nothing to do. Blocks; one thread.
 */
final class Preparation {
    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(5);
    private static final int IDLE_LOOKS_MAX = 5;

    private final PublishRequest request;
    private final Progress progress;

    /** Prepares nothing yet. */
    Preparation(PublishRequest request, Progress progress) {
        this.request = request;
        this.progress = progress;
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
