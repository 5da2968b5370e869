package org.hubmark.bench.scale;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.scale.report.ScaleReport;
import org.hubmark.bench.scale.result.ScalePoint;
import org.hubmark.bench.scale.result.ScaleResults;
import org.hubmark.bench.scale.result.ScaleRun;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * All runs, from the first cluster to the report. Each run has a cluster of its own; numbers of hosts
 * take turns, up in odd runs and down in even ones, so that none has the better time of the machine.
 * Results are written after each run, so that an interrupted session leaves what it has. Blocks; one
 * thread.
 */
public final class ScaleSession {
    private static final double NANOS = 1e9;

    private final ScaleRequest request;
    private final Path folder;
    private final Progress progress;
    private final String startedAt = now();
    private final List<ScaleRun> runs = new ArrayList<>();

    /**
     * Prepares.
     *
     * @param folder of the results; exists
     * @throws UserError where this machine can't play hosts
     */
    public ScaleSession(ScaleRequest request, Path folder) throws IOException {
        this.request = request;
        this.folder = folder;
        this.progress = new Progress(System.err, request.quiet());
        String obstacle = HostedHubs.obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed("scale-out plays hosts on one machine: " + obstacle);
        }
    }

    /** {@return what was found, as far as it went} */
    public ScaleResults run() throws IOException, InterruptedException {
        Environment environment = Machine.inspect(List.of()).with(Disclosure.of(null, null));
        try {
            for (int run = 1; run <= request.runs(); run++) {
                List<Integer> order =
                        run % 2 == 1 ? request.hosts() : request.hosts().reversed();
                for (int hosts : order) {
                    runs.add(measure(run, hosts));
                    var unused = write(environment, false);
                }
            }
        } catch (InterruptedException e) {
            if (runs.isEmpty()) {
                throw e;
            }
            return write(environment, false);
        } finally {
            progress.close();
        }
        return write(environment, true);
    }

    private ScaleRun measure(int run, int hosts) throws IOException, InterruptedException {
        String name = hosts + (hosts == 1 ? " host" : " hosts") + ", run " + run + " of "
                + request.runs();
        progress.phase(name + ": start", Duration.ZERO);
        long startNanos = System.nanoTime();
        try (HostedHubs hosted =
                HostedHubs.start(request, hosts, folder.resolve("hosts-" + hosts))) {
            double startS = (System.nanoTime() - startNanos) / NANOS;
            try (HubLoads loads = HubLoads.connect(request, hosted.addresses(), run)) {
                progress.phase(name + ": load", request.loaded(hosts));
                loads.begin();
                Thread.sleep(request.warmup(hosts));
                hosted.limit();
                Thread.sleep(request.settle());
                ScaleRun measured =
                        new RunMeter(hosted, loads).measure(run, request.measured(), startS);
                progress.note(String.format(
                        Locale.ROOT,
                        "%s: %.1f messages a second",
                        name,
                        measured.throughputMsgsPerS()));
                return measured;
            }
        }
    }

    private ScaleResults write(Environment environment, boolean complete) throws IOException {
        ScaleResults results = ScaleResults.of(
                request.program().tool(),
                startedAt,
                now(),
                environment,
                request.command(),
                request.settings(),
                request.scaling().name().toLowerCase(Locale.ROOT),
                request.users(),
                request.hostCores(),
                request.runs(),
                complete,
                request.hosts().stream()
                        .filter(hosts -> !of(hosts).isEmpty())
                        .map(this::point)
                        .toList());
        results.write(folder);
        ScaleReport.write(results, folder);
        return results;
    }

    private ScalePoint point(int hosts) {
        ClusterLayout layout = HostedHubs.layout(request, hosts, folder);
        return ScalePoint.of(
                layout.copies(), layout.synced(), request.offered(hosts), of(hosts), of(1));
    }

    private List<ScaleRun> of(int hosts) {
        return runs.stream().filter(run -> run.hosts() == hosts).toList();
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
