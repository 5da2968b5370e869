package org.hubmark.bench.cli;

import org.hubmark.bench.cli.LoadOptions.Messages;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.matrix.Axes;
import org.hubmark.bench.mail.matrix.CacheState;
import org.hubmark.bench.mail.matrix.Cell;
import org.hubmark.bench.mail.matrix.CellDevices;
import org.hubmark.bench.mail.matrix.CellPlan;
import org.hubmark.bench.mail.matrix.CellVolumes;
import org.hubmark.bench.mail.matrix.GivenVolumes;
import org.hubmark.bench.mail.matrix.MadeVolumes;
import org.hubmark.bench.mail.matrix.Preset;
import org.hubmark.bench.mail.matrix.RoleProfiles;
import org.hubmark.bench.mail.matrix.VolumeLayout;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.RunEstimate;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.server.Converters;
import org.hubmark.server.ServeCommand;
import org.hubmark.server.StoreOptions;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** Measures what {@code run} measures over sizes, layouts, durability, write caching and depth. */
@Command(
        name = "matrix",
        description = {
            "Measures as 'run' does for each combination of message size, layout of the volumes,"
                    + " durability class, write caching, checkpoint depth and connections, and"
                    + " shows the effect of each factor.",
            "Prints first how long it will take. Continues an interrupted matrix if given the same"
                    + " --output again."
        })
public final class MatrixCommand implements Callable<Integer>, OwnDefaults.Dependent {
    private static final long VOLUME_BYTES_MIN = 300_000_000;

    /** So small that mail which waits outgrows it within a second or two at the rate of a disk. */
    private static final String WAITING_DEPTH = "16MiB";

    /** What 170 MB/s make in 25 s, and as much again while the database compacts. */
    private static final String WAITING_VOLUME = "8GB";

    /** What a preset has its own of. */
    private static final List<String> OF_CELLS =
            List.of(("--sizes --layouts --durability --write-cache"
                            + " --checkpoint-depth --connections --device-profile --deliver --rate --hub")
                    .split(" ", -1));

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description = "Cells of hub-study (2007, on emulated devices) or first-study.")
    private @Nullable Preset preset;

    @Option(names = "--at", description = "Rates of hub-study.")
    private At at = At.BOTH;

    /** Which cells of hub-study; as that preset names the rates. */
    private enum At {
        PUBLISHED,
        SUSTAINED,
        BOTH
    }

    @Mixin
    private CommonOptions.Sizes sizes;

    @Option(
            names = "--layouts",
            split = ",",
            defaultValue = "one,apart,three",
            paramLabel = "LAYOUT",
            description = "Layouts (docs/matrix.md).")
    private List<VolumeLayout> layouts;

    @Option(
            names = "--durability",
            split = ",",
            defaultValue = "synced",
            paramLabel = "CLASS",
            description = StoreOptions.DURABILITY)
    private List<Durability> durabilities;

    @Option(
            names = "--write-cache",
            split = ",",
            description = "Write cache of the devices: it answers syncs (on), or the medium does"
                    + " (off). Default: as it is.")
    private List<CacheState> caches = List.of();

    @Option(
            names = "--checkpoint-depth",
            split = ",",
            defaultValue = StoreOptions.CHECKPOINT_DEPTH_DEFAULT,
            converter = Converters.CheckpointDepth.class,
            description = StoreOptions.CHECKPOINT_DEPTH)
    private List<Long> depths;

    @Option(
            names = "--connections",
            split = ",",
            defaultValue = CommonOptions.Connections.DEFAULT,
            description = CommonOptions.Connections.TEXT)
    private List<Integer> connections;

    @Option(
            names = "--device-profile",
            paramLabel = "NAME|ROLE=NAME,...",
            description = "Device to act like; of each volume, or log=sata-7200,queue=raid10.")
    private @Nullable RoleProfiles profile;

    @Option(
            names = "--deliver",
            paramLabel = "discard|hold",
            description = "Delivery of the mail; hold by default with more than one layout.")
    private String deliver = "discard";

    @Mixin
    private HubOption hub;

    @Mixin
    private RunVolumes volumes;

    @Option(
            names = "--volume-size",
            defaultValue = "2GB",
            converter = Converters.Size.class,
            description = "Size of the queue's test volume. Default: ${DEFAULT-VALUE}; "
                    + WAITING_VOLUME + " where mail is held.")
    private long volumeBytes;

    @Mixin
    private CommonOptions.Extras extras;

    @Mixin
    private PublishOptions publish;

    @Option(names = "--dry-run", description = "Prints the cells and the time.")
    private boolean dryRun;

    @Mixin
    private DriverOptions driver;

    @Mixin
    private CommonOptions.HubSettings settings;

    @Mixin
    private StudyOptions shown;

    @Override
    public String defaults() {
        Preset chosen = preset();
        // Mail that is delivered at once is never written to the queue volume.
        boolean waits = chosen == null
                && new HashSet<>(layouts).size() > 1
                && !OptionNames.isGiven(shown.spec, "--deliver")
                && !publish.asked();
        String all = waits ? "--deliver=hold --checkpoint-depth=" + WAITING_DEPTH : "";
        if (waits || deliver.equals("hold")) {
            all += " --volume-size=" + WAITING_VOLUME;
        }
        if (chosen != null) {
            all += " --duration=" + Durations.format(chosen.duration()) + " --warmup="
                    + Durations.format(chosen.warmup()) + " --repeat=" + chosen.repeat();
        }
        return all + " " + publish.defaults();
    }

    @Override
    public Integer call() throws IOException {
        shown.check();
        driver.check();
        ServeCommand.checkSettings(settings.given, IntakeKind.STORE);
        Preset chosen = preset();
        check();
        if (EmulatedCommand.isNeeded(TestVolumesOption.USUAL, volumes.given())) {
            return EmulatedCommand.run(shown.spec);
        }
        hub.check();
        List<Axes> axes = chosen == null ? List.of(axes()) : chosen.axes();
        Path given = shown.output.folder;
        Path dry = given == null ? Path.of("hubmark-results", "dry-run") : given;
        try (Interruption interruption = new Interruption();
                NewFolder made = dryRun ? null : shown.output.make(MailReport.KIND, true);
                CellDevices devices = devices(made == null ? dry : made.path())) {
            Path folder = made == null ? dry : made.path();
            CellPlan plan = CellPlan.of(axes, devices);
            check(plan);
            List<Cell> unfinished = new ArrayList<>();
            List<ScenarioRequest> scenarios = plan.cells().stream()
                    .map(cell -> scenario(cell, unfinished, devices, folder))
                    .toList();
            RunRequest request = request(scenarios, chosen);
            Results earlier = earlier(folder);
            for (int i = 0; i < scenarios.size(); i++) {
                if (request.isUnfinished(scenarios.get(i), earlier)) {
                    unfinished.add(plan.cells().get(i));
                }
            }
            if (dryRun) {
                plan.cells()
                        .forEach(cell -> System.out.println(
                                cell.id() + (cell.safety().dangers().isEmpty() ? "" : "  UNSAFE")));
            }
            if (dryRun || !shown.quiet.on) {
                outline(plan, request, dryRun ? System.out : System.err);
            }
            devices.check(unfinished);
            if (dryRun) {
                return 0;
            }
            return shown.run(
                    new MailStudy(request, interruption::awaitDone), shown.settings(), folder);
        }
    }

    private static @Nullable Results earlier(Path folder) throws IOException {
        return DocumentFile.isIn(folder, MailReport.KIND)
                ? new Results(DocumentFile.read(folder, MailReport.KIND))
                : null;
    }

    private void check(CellPlan plan) {
        if (plan.cells().isEmpty()) {
            throw UserError.usage("no cell can be measured: "
                    + String.join("; ", plan.skipped().keySet()));
        }
        long bytesMax = ServeCommand.messageBytesMax(settings.given);
        for (Cell cell : plan.cells()) {
            var unused = driver.plan(cell.connections(), cell.rate());
            CommonOptions.Sizes.check("--sizes", cell.sizeBytes(), bytesMax);
            Map<String, Object> asked = shown.settings();
            asked.putAll(Map.of("rate", cell.rate(), "deliver", cell.deliver()));
            publish.check(shown.spec, asked);
        }
    }

    private @Nullable Preset preset() {
        if (OptionNames.isGiven(shown.spec, "--at")
                && (preset == null || !preset.name().equals("hub-study"))) {
            throw UserError.usage("--at goes with --preset hub-study only");
        }
        if (preset == null) {
            return null;
        }
        OptionNames.refuse(
                shown.spec,
                OF_CELLS,
                "doesn't go with --preset " + preset.name() + ", which has its own");
        return at == At.BOTH ? preset : preset.at(at == At.SUSTAINED);
    }

    private void check() {
        if (volumeBytes < VOLUME_BYTES_MIN) {
            throw UserError.usage("--volume-size " + ByteSize.format(volumeBytes)
                    + " is too small: at least " + ByteSize.format(VOLUME_BYTES_MIN));
        }
        var unused = volumes.named();
        if (!deliver.equals("discard") && !deliver.equals("hold")) {
            throw UserError.usage("--deliver " + deliver + ": discard or hold");
        }
    }

    private Axes axes() {
        return new Axes(
                sizes.bytes,
                layouts,
                durabilities.stream().map(Durability::toString).toList(),
                caches,
                depths,
                connections,
                profile,
                List.of(driver.rate),
                deliver,
                hub.folders);
    }

    private CellDevices devices(Path folder) throws IOException {
        VolumeFolders named = volumes.named();
        if (named != null) {
            return new GivenVolumes(named, settings.given, null);
        }
        Path own = folder.resolve("volumes");
        String obstacle = MadeVolumes.obstacle();
        return obstacle == null
                ? new MadeVolumes(own, volumeBytes, settings.given)
                : new GivenVolumes(VolumeFolders.below(own), settings.given, obstacle);
    }

    private ScenarioRequest scenario(
            Cell cell, List<Cell> unfinished, CellDevices devices, Path folder) {
        HubRequest hub = cell.planned(
                settings.given, publish.asked() ? AuditShare.ALL : AuditShare.SAMPLED, folder);
        return driver.scenario(
                        Messages.of(cell.sizeBytes()),
                        driver.plan(cell.connections(), cell.rate()),
                        cell.rate(),
                        hub,
                        cell.conditions())
                .on(
                        cell.id(),
                        planned -> new CellVolumes(
                                cell, unfinished, devices, folder.resolve("emulation"), planned));
    }

    private RunRequest request(List<ScenarioRequest> scenarios, @Nullable Preset chosen) {
        return new RunRequest(
                Main.program(shown.spec),
                scenarios,
                driver.repeats(),
                driver.times(chosen == null ? Duration.ZERO : chosen.jitWarmUp()),
                TargetFacts.UNKNOWN,
                driver.sharedMachine.on,
                new RunRequest.Extras(!extras.noCeilings, extras.latencyPercent, publish.asked()),
                extent());
    }

    /** Those of the driver, of the volumes and of the hubs are the same in all runs that go on with one. */
    private Set<String> extent() {
        Set<String> extent = new TreeSet<>(shown.settings().keySet());
        extent.removeAll(driver.identity());
        extent.removeAll(
                List.of("volume-size", "log-volume", "queue-volume", "tracking-volume", "publish"));
        extent.removeAll(settings.given.keySet());
        return extent;
    }

    /** Says what it will do, and how long that takes. */
    private void outline(CellPlan plan, RunRequest request, PrintStream out) {
        plan.skipped()
                .forEach((reason, count) -> out.println(
                        "skipped " + count + (count == 1 ? " cell: " : " cells: ") + reason));
        int cells = plan.cells().size();
        out.println(cells + (cells == 1 ? " cell, " : " cells, ") + "each measured "
                + driver.repeat + (driver.repeat == 1 ? " time" : " times")
                + (dryRun ? "; " + RunEstimate.of(request, null).words() : ""));
    }
}
