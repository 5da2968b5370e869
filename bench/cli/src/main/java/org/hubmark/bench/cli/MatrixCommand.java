package org.hubmark.bench.cli;

import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.VolumeFolders;
import org.hubmark.bench.measure.matrix.Axes;
import org.hubmark.bench.measure.matrix.CacheState;
import org.hubmark.bench.measure.matrix.CellDevices;
import org.hubmark.bench.measure.matrix.CellPlan;
import org.hubmark.bench.measure.matrix.GivenVolumes;
import org.hubmark.bench.measure.matrix.MadeVolumes;
import org.hubmark.bench.measure.matrix.MatrixRequest;
import org.hubmark.bench.measure.matrix.MatrixSession;
import org.hubmark.bench.measure.matrix.Preset;
import org.hubmark.bench.measure.matrix.VolumeLayout;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.bench.measure.run.LatencyRequest;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.cost.CostModels;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.hubmark.core.UserError;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.server.Converters;
import org.hubmark.server.ServeCommand;
import org.hubmark.server.StoreOptions;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Measures what {@code run} measures over sizes, layouts, durability, write caching and depth. */
@Command(
        name = "matrix",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures what 'run' measures for each combination of message size, layout of the"
                    + " volumes, durability class, write caching, checkpoint depth and connections,"
                    + " and fits what a message costs to its size.",
            "First says how long it will take. Continues where it was interrupted when given the"
                    + " same --output again."
        })
public final class MatrixCommand implements Callable<Integer> {
    private static final long VOLUME_BYTES_MIN = 300_000_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description =
                    "hub-study (the servers of the 2007 study on emulated devices, beside what"
                            + " was published) or first-study (25 KB to 10 MB, and checkpoint depth); takes"
                            + " the place of the options for sizes, layouts and so on. Default: none.")
    private @Nullable String preset;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "57KB,80KB",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Sizes of the messages; the cost model takes three or more."
                    + " Default: ${DEFAULT-VALUE}.")
    private List<Long> sizes;

    @Option(
            names = "--layouts",
            split = ",",
            defaultValue = "one,apart,three",
            paramLabel = "LAYOUT",
            converter = BenchConverters.LayoutName.class,
            description = "Which volumes share a device: one (all), apart (the log has its own),"
                    + " three (each has), striped (as three, the queue over two devices)."
                    + " Default: ${DEFAULT-VALUE}.")
    private List<VolumeLayout> layouts;

    @Option(
            names = "--durability",
            split = ",",
            defaultValue = "synced",
            paramLabel = "CLASS",
            converter = Converters.DurabilityClass.class,
            description = "What a 250 promises: synced, periodic[=10ms], none."
                    + " Default: ${DEFAULT-VALUE}.")
    private List<Durability> durabilities;

    @Option(
            names = "--write-cache",
            split = ",",
            paramLabel = "on|off",
            converter = BenchConverters.Cache.class,
            description = "What answers a sync: the device's write cache (on) or the medium (off)."
                    + " Changing it on real devices takes root. Default: as the devices are.")
    private List<CacheState> caches = List.of();

    @Option(
            names = "--checkpoint-depth",
            split = ",",
            defaultValue = StoreOptions.CHECKPOINT_DEPTH_DEFAULT,
            paramLabel = "SIZE",
            converter = Converters.CheckpointDepth.class,
            description = "How much the log holds before its oldest part moves to the queue"
                    + " database; 1MiB or more. Default: ${DEFAULT-VALUE}.")
    private List<Long> depths;

    @Option(
            names = "--connections",
            split = ",",
            defaultValue = "32",
            paramLabel = "N",
            description = "Connections open at once. Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections;

    @Option(
            names = "--device-profile",
            paramLabel = "NAME",
            completionCandidates = VolumesCreateCommand.Names.class,
            converter = BenchConverters.Profile.class,
            description =
                    "The device that each volume acts like: ${COMPLETION-CANDIDATES}; needs no"
                            + " root. Default: none.")
    private @Nullable DeviceProfile profile;

    @Option(
            names = "--deliver",
            defaultValue = "discard",
            paramLabel = "discard|hold",
            description = "What the hub does with the mail; with hold all stays in the queue and"
                    + " outgrows the checkpoint depth. Default: ${DEFAULT-VALUE}.")
    private String deliver;

    @Option(
            names = "--log-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder on the device of the log; name all three volumes or none."
                    + " Default: test volumes, which are removed again.")
    private @Nullable Path logVolume;

    @Option(
            names = "--queue-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description = "Folder on the device of the queue. Default: a test volume.")
    private @Nullable Path queueVolume;

    @Option(
            names = "--tracking-volume",
            paramLabel = "DIR",
            converter = Converters.Volume.class,
            description =
                    "Folder on the device of the message tracking log. Default: a test volume.")
    private @Nullable Path trackingVolume;

    @Option(
            names = "--volume-size",
            defaultValue = "2GB",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Of a test volume for the queue; one for the log has room for the"
                    + " checkpoint depth besides. Default: ${DEFAULT-VALUE}.")
    private long volumeBytes;

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            converter = Converters.Target.class,
            description =
                    "Loads this server and starts none: for each of --sizes and --connections,"
                            + " with nothing kept of an earlier --output. Default: hubs of our own.")
    private @Nullable InetSocketAddress target;

    @Mixin
    private TargetOptions known;

    @Mixin
    private HubOnOptions hubOn;

    @Option(
            names = "--predict",
            split = ",",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Sizes for which the cost model predicts the cost. Default: none.")
    private List<Long> predicted = List.of();

    @Option(
            names = "--no-ceilings",
            description =
                    "Leaves out what the receive path, the log device and the loopback sustain by"
                            + " themselves. Default: measures that, for about 2s a cell, 4s a size"
                            + " and 10s once.")
    private boolean noCeilings;

    @Option(
            names = "--latency-at",
            defaultValue = "off",
            paramLabel = "PERCENT|off",
            converter = BenchConverters.LatencyRate.class,
            description = "Measures each cell once more after its repeats, at a fixed rate of that"
                    + " share of their median: mail from outside sees that latency, not that of a"
                    + " closed loop or of a server at its limit. Needs --rate max or max-sustained;"
                    + " else none. Default: ${DEFAULT-VALUE}.")
    private double latencyPercent;

    @Mixin
    private PublishOptions publish;

    @Option(
            names = "--dry-run",
            description = "Says what would be measured and how long that takes, and ends."
                    + " Default: ${DEFAULT-VALUE}.")
    private boolean dryRun;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description =
                    "Gets results.json, report.html, report.md and what each cell measured; of"
                            + " an earlier matrix, its finished cells are kept."
                            + " Default: hubmark-results/DATE-TIME.")
    private @Nullable Path output;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets one of the hub's settings in docs/settings.md; may be repeated."
                    + " Default: none.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Mixin
    private ScriptOptions script;

    /** Gives it the options of the load driver, but for those that it has as lists. */
    public static void addOptions(CommandLine hubmark) {
        CommandLine matrix = hubmark.getSubcommands().get("matrix");
        if (matrix != null) {
            CellDriver.addOptions(matrix.getCommandSpec());
        }
    }

    @Override
    public Integer call() throws IOException {
        script.check();
        hubOn.check();
        if (target != null || hubOn.isGiven()) {
            return elsewhere(target);
        }
        known.requireTarget();
        ServeCommand.checkSettings(given, IntakeKind.STORE, true);
        Preset chosen = preset();
        check();
        CellDriver driver = new CellDriver(spec, chosen);
        driver.requireNoAuth();
        List<Axes> axes = chosen == null ? List.of(axes(List.of(driver.rate()))) : chosen.axes();
        Path dry = output == null ? Path.of("hubmark-results", "dry-run") : output;
        try (Interruption interruption = new Interruption();
                MadeFolder made = dryRun ? null : Outcomes.folder(output);
                CellDevices devices = devices(made == null ? dry : made.path())) {
            Path folder = made == null ? dry : made.path();
            CellPlan plan = CellPlan.of(axes, devices);
            long bytesMax = ServeCommand.messageBytesMax(given);
            plan.cells().forEach(cell -> driver.check(cell, bytesMax));
            if (!plan.cells().isEmpty()) {
                publish.check(driver.publishing(plan.cells(), latencyPercent));
            }
            MatrixSession session = new MatrixSession(
                    request(plan, driver, chosen), folder, devices, driver::scenario);
            outline(plan, session, driver, devices);
            if (dryRun) {
                return 0;
            }
            Results results = session.run(interruption);
            Outcomes.Written written = Outcomes.write(results, folder);
            if (!driver.quiet() && !script.json()) {
                print(written.results(), folder);
            }
            session.failures()
                    .forEach((cell, reason) -> System.err.println(
                            "hubmark: not measured: " + cell.id() + ", " + reason));
            int code = written.exitCode(session.interrupted(), System.err);
            code = code == 0 && !session.failures().isEmpty() ? Outcomes.INVALID : code;
            return script.tell(spec, written.results(), code);
        }
    }

    private int elsewhere(@Nullable InetSocketAddress server) throws IOException {
        if (server == null) {
            publish.checkNoHubOn();
            known.requireTarget();
            ServeCommand.checkSettings(given, IntakeKind.STORE, false);
            checkDelivery();
            MatrixElsewhere matrix = MatrixElsewhere.ofHubs(spec, axes(List.of()), given);
            return dryRun
                    ? matrix.outline()
                    : matrix.run(hubOn::facts, false, latencyPercent, script, output, this::print);
        }
        if (hubOn.isGiven()) {
            throw UserError.usage("--hub-on and --target exclude each other; give one of them");
        }
        publish.checkNoTarget();
        MatrixElsewhere matrix = MatrixElsewhere.ofTarget(spec, server, sizes, connections);
        return dryRun
                ? matrix.outline()
                : matrix.run(
                        () -> known.facts(server), !noCeilings, 0, script, output, this::print);
    }

    private @Nullable Preset preset() {
        String name = preset;
        if (name == null) {
            return null;
        }
        for (String option : List.of(
                "--sizes",
                "--layouts",
                "--durability",
                "--write-cache",
                "--checkpoint-depth",
                "--connections",
                "--device-profile",
                "--deliver",
                "--rate")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw UserError.usage(
                        "--preset " + name + " has its own " + option + "; leave one of them out");
            }
        }
        try {
            return Preset.named(name);
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--preset: " + e.getMessage());
        }
    }

    private void check() {
        if (volumeBytes < VOLUME_BYTES_MIN) {
            throw UserError.usage("--volume-size " + ByteSize.format(volumeBytes)
                    + " is too small: at least " + ByteSize.format(VOLUME_BYTES_MIN));
        }
        long named = Stream.of(logVolume, queueVolume, trackingVolume)
                .filter(Objects::nonNull)
                .count();
        if (named == 1 || named == 2) {
            throw UserError.usage("--log-volume, --queue-volume and --tracking-volume: name all"
                    + " three, or none");
        }
        checkDelivery();
    }

    private void checkDelivery() {
        try {
            if (DeliverySpec.parse(deliver) instanceof DeliverySpec.Directory) {
                throw UserError.usage("--deliver is discard or hold");
            }
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--deliver: " + e.getMessage());
        }
    }

    private Axes axes(List<String> rates) {
        return new Axes(
                sizes,
                layouts,
                durabilities.stream().map(Durability::toString).toList(),
                caches,
                depths,
                connections,
                profile,
                rates,
                deliver);
    }

    private CellDevices devices(Path folder) throws IOException {
        Path log = logVolume;
        Path queue = queueVolume;
        Path tracking = trackingVolume;
        return log == null || queue == null || tracking == null
                ? new MadeVolumes(folder.resolve("volumes"), volumeBytes)
                : new GivenVolumes(new VolumeFolders(log, queue, tracking));
    }

    private MatrixRequest request(CellPlan plan, CellDriver driver, @Nullable Preset chosen) {
        Map<String, String> identity = new TreeMap<>(driver.identity());
        identity.put("--volume-size", ByteSize.format(volumeBytes));
        identity.put("--log-volume", String.valueOf(logVolume));
        identity.put("--queue-volume", String.valueOf(queueVolume));
        identity.put("--tracking-volume", String.valueOf(trackingVolume));
        identity.put("--set", new TreeMap<>(given).toString());
        if (publish.asked()) {
            identity.put("--publish", "yes");
        }
        return new MatrixRequest(
                Main.program(spec),
                plan.cells(),
                driver.repeat(),
                driver.warmup(),
                driver.warmupMax(),
                driver.duration(),
                chosen == null ? Duration.ZERO : chosen.jitWarmUp(),
                !noCeilings,
                given,
                driver.quiet(),
                Outcomes.settings(spec),
                identity,
                Outcomes.commandText(spec),
                driver.seed(),
                driver.sharedMachine(),
                latencyPercent == 0
                        ? null
                        : new LatencyRequest(latencyPercent, driver.arrivals(), List.of()),
                publish.request());
    }

    private void outline(
            CellPlan plan, MatrixSession session, CellDriver driver, CellDevices devices) {
        if (plan.cells().isEmpty()) {
            throw UserError.usage("no cell can be measured: "
                    + String.join("; ", plan.skipped().keySet()));
        }
        if (dryRun) {
            MatrixOutline.printCells(plan, System.out);
        }
        if (dryRun || !driver.quiet()) {
            MatrixOutline.print(plan, session, driver, devices, dryRun ? System.out : System.err);
        }
    }

    private void print(Results results, Path folder) {
        CostModels models = new CostModels(results.scenarios());
        List<Double> asked = predicted.stream().map(bytes -> bytes / 1000.0).toList();
        script.print(results);
        if (!asked.isEmpty() || models.models().isEmpty()) {
            models.lines(asked).forEach(System.out::println);
            System.out.println();
        }
        script.printWhere(folder);
    }
}
