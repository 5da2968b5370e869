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
 * All runs, from the first cluster to the report. Each number of hosts has a cluster of its own, and its
 * runs follow each other on it: what limits them is how long it takes to warm up. Results are written after each run, so that an interrupted session leaves what it has. Blocks; one
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
            for (int hosts : request.hosts()) {
                measure(hosts, environment);
            }
        } catch (InterruptedException | IOException | UserError e) {
            // Whatever waits fails in its own way when it is interrupted.
            boolean interrupted = Thread.interrupted() || e instanceof InterruptedException;
            if (!interrupted) {
                throw e;
            }
            if (runs.isEmpty()) {
                throw new InterruptedException();
            }
            return write(environment, false);
        } finally {
            progress.close();
        }
        return write(environment, true);
    }

    private void measure(int hosts, Environment environment)
            throws IOException, InterruptedException {
        String name = hosts + (hosts == 1 ? " host" : " hosts");
        progress.phase(name + ": start", Duration.ZERO);
        long startNanos = System.nanoTime();
        try (HostedHubs hosted =
                HostedHubs.start(request, hosts, folder.resolve("hosts-" + hosts))) {
            double startS = (System.nanoTime() - startNanos) / NANOS;
            try (HubLoads loads = HubLoads.connect(request.targets(hosted.addresses()))) {
                progress.phase(name + ": warm-up", request.warmup(hosts));
                loads.begin();
                Thread.sleep(request.warmup(hosts));
                hosted.limit();
                progress.phase(name + ": settle", request.settle());
                Thread.sleep(request.settle());
                for (int run = 1; run <= request.runs(); run++) {
                    progress.phase(
                            name + ", run " + run + " of " + request.runs(), request.measured());
                    ScaleRun measured = new RunMeter(hosted, loads)
                            .measure(run, request.measured(), startS, run == request.runs());
                    runs.add(measured);
                    progress.note(String.format(
                            Locale.ROOT,
                            "%s, run %d: %.1f messages a second",
                            name,
                            run,
                            measured.throughputMsgsPerS()));
                    var unused = write(environment, false);
                }
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
