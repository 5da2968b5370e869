package org.hubmark.bench.cli;

import org.hubmark.bench.cli.MessageOptions.Messages;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.measure.hub.HubSpec;
import org.hubmark.bench.measure.matrix.Axes;
import org.hubmark.bench.measure.run.DataFolders;
import org.hubmark.bench.measure.run.HubRequest;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.bench.measure.run.LatencyRequest;
import org.hubmark.bench.measure.run.MailStudy;
import org.hubmark.bench.measure.run.RunEstimate;
import org.hubmark.bench.measure.run.RunRequest;
import org.hubmark.bench.measure.run.ScenarioRequest;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Safety;
import org.hubmark.core.ByteSize;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.server.ServeCommand;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A matrix whose volumes are not ours to make, so that they stay the same in all cells: over a server
 * that isn't ours, or over hubs that a watch starts on another machine. It is measured in one session,
 * and nothing is kept for a later one.
 */
final class MatrixElsewhere {
    /** What varies a hub of our own, or makes its volumes. */
    private static final List<String> OF_OUR_HUB = List.of(
            "--preset",
            "--layouts",
            "--durability",
            "--write-cache",
            "--checkpoint-depth",
            "--device-profile",
            "--deliver",
            "--log-volume",
            "--queue-volume",
            "--tracking-volume",
            "--volume-size",
            "--latency-at",
            "--set");

    /** What makes volumes on this machine, or changes their devices. */
    private static final List<String> OF_VOLUMES_HERE = List.of(
            "--preset",
            "--layouts",
            "--write-cache",
            "--device-profile",
            "--log-volume",
            "--queue-volume",
            "--tracking-volume",
            "--volume-size");

    private final CommandSpec spec;
    private final List<String> leftOut;
    private final DriverOptions driver;
    private final @Nullable InetSocketAddress target;
    /** The cells, once it is known where results go. */
    private final Function<Path, List<ScenarioRequest>> cells;

    /** Asks the server's machine what can be known of it. */
    @FunctionalInterface
    interface Facts {
        TargetFacts open() throws IOException;
    }

    /**
     * Over a server that isn't ours: what a driver can vary from outside. Checks what can be checked
     * before anything is sent.
     *
     * @param spec whose arguments have been parsed
     */
    static MatrixElsewhere ofTarget(
            CommandSpec spec,
            DriverOptions driver,
            InetSocketAddress target,
            List<Long> sizes,
            List<Integer> connections) {
        GivenOptions.refuse(
                spec,
                OF_OUR_HUB,
                "is for hubs of its own; with --target a matrix varies --sizes and --connections");
        List<ScenarioRequest> cells = new ArrayList<>();
        for (long size : sizes) {
            for (int open : connections) {
                driver.check(open, driver.rate);
                CommonOptions.Sizes.check("--sizes", size, Long.MAX_VALUE);
                cells.add(named(
                        driver.scenario(
                                Messages.of(size),
                                open,
                                driver.rate,
                                target,
                                null,
                                0,
                                Conditions.UNKNOWN),
                        List.of(open + "c")));
            }
        }
        return new MatrixElsewhere(spec, OF_OUR_HUB, driver, target, results -> cells);
    }

    /**
     * Over hubs that a watch starts: what needs no other volumes.
     *
     * @param spec whose arguments have been parsed
     * @param settings of all hubs, by key
     */
    static MatrixElsewhere ofHubs(
            CommandSpec spec, DriverOptions driver, Axes axes, Map<String, String> settings) {
        GivenOptions.refuse(
                spec,
                OF_VOLUMES_HERE,
                "doesn't go with --hub-on: the watch there was told the volumes; a matrix of its hubs"
                        + " varies --sizes, --durability, --checkpoint-depth and --connections");
        driver.requireNoAuth();
        return new MatrixElsewhere(
                spec,
                OF_VOLUMES_HERE,
                driver,
                null,
                results -> hubCells(driver, axes, settings, results));
    }

    private MatrixElsewhere(
            CommandSpec spec,
            List<String> leftOut,
            DriverOptions driver,
            @Nullable InetSocketAddress target,
            Function<Path, List<ScenarioRequest>> cells) {
        this.spec = spec;
        this.leftOut = leftOut;
        this.driver = driver;
        this.target = target;
        this.cells = cells;
    }

    private static List<ScenarioRequest> hubCells(
            DriverOptions driver, Axes axes, Map<String, String> settings, Path results) {
        long bytesMax = ServeCommand.messageBytesMax(settings);
        List<ScenarioRequest> cells = new ArrayList<>();
        for (String durability : axes.durabilities()) {
            for (long depth : axes.depthsBytes()) {
                HubSpec hub = new HubSpec(axes.deliver(), durability, depth, true, settings);
                for (int connections : axes.connections()) {
                    driver.check(connections, driver.rate);
                    for (long size : axes.sizesBytes()) {
                        CommonOptions.Sizes.check("--sizes", size, bytesMax);
                        cells.add(cell(driver, size, connections, hub, results));
                    }
                }
            }
        }
        return cells;
    }

    private static ScenarioRequest cell(
            DriverOptions driver, long size, int connections, HubSpec hub, Path results) {
        ScenarioRequest made = driver.scenario(
                Messages.of(size),
                connections,
                driver.rate,
                null,
                ownHub(hub, results),
                0,
                conditions(hub));
        return named(
                made,
                List.of(
                        hub.durability().replace('=', '-'),
                        "depth-" + ByteSize.format(hub.checkpointDepthBytes()),
                        connections + "c"));
    }

    private static ScenarioRequest named(ScenarioRequest made, List<String> parts) {
        return new ScenarioRequest(
                made.id() + "_" + String.join("_", parts).toLowerCase(Locale.ROOT),
                made.title() + " " + String.join(" ", parts),
                made.source(),
                made.hub(),
                made.conditions());
    }

    /**
     * {@return a request that equals no other, so that no two cells share a hub} Its folders are never
     * made: the volumes are where the watch is.
     */
    private static HubRequest ownHub(HubSpec hub, Path results) {
        DataFolders folders = new DataFolders(VolumeFolders.same(results.resolve("volumes")));
        return new HubRequest(folders, hub, Map.of());
    }

    private static Conditions conditions(HubSpec hub) {
        return Conditions.UNKNOWN
                .with(Condition.DURABILITY, hub.durability())
                .with(Condition.INTAKE, "store")
                .with(Condition.DELIVER, hub.deliver())
                .with(Condition.CHECKPOINT_DEPTH_MB, hub.checkpointDepthBytes() / 1e6)
                .with(Safety.of(hub.durability()));
    }

    /** Says what would be measured. */
    int outline() {
        RunRequest request =
                request(Path.of("hubmark-results", "dry-run"), TargetFacts.UNKNOWN, false, null);
        request.scenarios().forEach(cell -> System.out.println(cell.id()));
        System.out.println(outline(request));
        return 0;
    }

    private String outline(RunRequest request) {
        int all = request.scenarios().size();
        return all + (all == 1 ? " cell" : " cells") + ", each measured " + driver.repeat
                + (driver.repeat == 1 ? " time; " : " times; ")
                + RunEstimate.of(request).words();
    }

    /**
     * Measures.
     *
     * @param known of the server's machine; what it opens is closed here
     * @param latency what is measured of each cell after its repeats; null for none
     * @param print shows the results and the folder that they are in
     * @return the exit code
     */
    int run(
            Facts known,
            @Nullable LatencyRequest latency,
            ScriptOptions script,
            CommonOptions.Output output,
            BiConsumer<Results, Path> print)
            throws IOException {
        InetSocketAddress server = target;
        if (server != null) {
            driver.ask(server, script.quiet());
        }
        try (Interruption interruption = new Interruption();
                TargetFacts facts = known.open();
                MadeFolder made = MailRun.folder(output)) {
            Path folder = made.path();
            RunRequest request = request(folder, facts, latency);
            if (!script.quiet()) {
                System.err.println(outline(request));
            }
            MailRun run = new MailRun(spec, script, folder, true);
            MailStudy study = new MailStudy(request, interruption, run.progress());
            return run.measure(
                    study.ofMatrix(),
                    settings(),
                    study::failure,
                    results -> print.accept(results, folder));
        }
    }

    private RunRequest request(Path results, TargetFacts facts, @Nullable LatencyRequest latency) {
        return new RunRequest(
                Main.program(spec),
                cells.apply(results),
                driver.repeats(),
                driver.times(),
                facts,
                driver.sharedMachine.on,
                new RunRequest.Extras(false, latency, null));
    }

    /** What was left out is in force nowhere. */
    private Map<String, Object> settings() {
        Map<String, Object> settings = Outcomes.settings(spec);
        leftOut.stream()
                .map(option -> option.replaceFirst("^--", ""))
                .filter(settings::containsKey)
                .forEach(name -> settings.put(name, null));
        return settings;
    }
}
