package org.hubmark.bench.cli;

import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.measure.hub.HubSpec;
import org.hubmark.bench.measure.run.DataFolders;
import org.hubmark.bench.measure.run.HubRequest;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.bench.measure.run.LatencyRequest;
import org.hubmark.bench.measure.run.RunEstimate;
import org.hubmark.bench.measure.run.RunRequest;
import org.hubmark.bench.measure.run.RunSession;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Safety;
import org.hubmark.core.UserError;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.server.Converters;
import org.hubmark.server.ServeCommand;
import org.hubmark.server.StoreOptions;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Starts a hub, loads it with each message size, prints the table and writes the results. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Starts a hub of its own in a child process, loads it with each message size,"
                + " prints the table and writes the results.")
public final class RunCommand implements Callable<Integer> {
    private static final List<String> HUB_OPTIONS = List.of(
            "deliver",
            "log-volume",
            "queue-volume",
            "tracking-volume",
            "durability",
            "checkpoint-depth",
            "intake",
            "audit",
            "latency-at");

    /** What says how a hub of our own works, and does nothing to another server. */
    private static final List<String> NOT_OF_TARGETS = List.of(
            "--deliver",
            "--log-volume",
            "--queue-volume",
            "--tracking-volume",
            "--durability",
            "--checkpoint-depth",
            "--intake",
            "--set");

    private static final List<String> HERE_ONLY =
            List.of("--log-volume", "--queue-volume", "--tracking-volume", "--audit");

    @Spec
    private CommandSpec spec;

    @Mixin
    private DriverOptions driver;

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            converter = Converters.Target.class,
            description = "Loads this server and starts none; what can't be known of it stays"
                    + " unknown. Default: a hub of our own.")
    private @Nullable InetSocketAddress target;

    @Option(
            names = "--deliver",
            defaultValue = "discard",
            paramLabel = "WHERE",
            description = "What the hub does with the mail: discard, hold (it stays in the queue),"
                    + " directory:DIR, smtp://HOST:PORT[,HOST:PORT...] or the same with lmtp://"
                    + " (docs/delivery.md). Default:"
                    + " ${DEFAULT-VALUE}.")
    private String deliver;

    @Option(
            names = "--audit",
            defaultValue = "sampled",
            paramLabel = "sampled|all|off",
            converter = Converters.Share.class,
            description = "Which messages are compared, one by one, where the hub delivers them:"
                    + " whether each is there once, with the octets that were sent. sampled: one in"
                    + " 128. Of what is held, once the hub has ended. Needs a hub of its own with"
                    + " --intake store, and none of a next hop's mail is. Default:"
                    + " ${DEFAULT-VALUE}.")
    private AuditShare audit;

    @Option(
            names = "--latency-at",
            defaultValue = "70%",
            paramLabel = "PERCENT|off",
            converter = BenchConverters.LatencyRate.class,
            description = "Measures each size once more after its repeats, at a fixed rate of that"
                    + " share of their median: mail from outside sees that latency, not that of a"
                    + " closed loop or of a server at its limit. Needs a hub of its own and --rate"
                    + " max or max-sustained; else none. Default: ${DEFAULT-VALUE}.")
    private double latencyPercent;

    @Mixin
    private PublishOptions publish;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Gets results.json, report.html, report.md, samples.csv and the .hlog"
                    + " files. Default: hubmark-results/DATE-TIME.")
    private @Nullable Path output;

    @Mixin
    private RunVolumes volumes;

    @Mixin
    private StoreOptions store;

    @Mixin
    private TargetOptions known;

    @Mixin
    private ScriptOptions script;

    @Mixin
    private HubOnOptions hubOn;

    @Option(
            names = "--no-ceilings",
            description =
                    "Leaves out what the receive path, the log device and the loopback sustain by"
                            + " themselves. Default: measures that, for about 20s a size.")
    private boolean noCeilings;

    @Option(
            names = "--knee",
            description = "After the repeats sends at 0.5, 0.7, 0.8, 0.9 and 1 times the rate that"
                    + " was measured, to see above which of them messages begin to wait; takes"
                    + " about 50s a size. Default: ${DEFAULT-VALUE}.")
    private boolean knee;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets one of the hub's settings in docs/settings.md; may be repeated."
                    + " Default: none.")
    private Map<String, String> given = new LinkedHashMap<>();

    /** What it stands for {@link QuickForm} puts there, before the options are parsed. */
    @Option(
            names = QuickForm.OPTION,
            description = "A rough answer in half a minute: --sizes 57KB --repeat 2 --duration 3s"
                    + " --warmup 2s --warmup-max 5s --driver-warmup 5s --latency-at off --no-ceilings, but for what"
                    + " is given beside it. Default: ${DEFAULT-VALUE}.")
    private boolean quick;

    @Override
    public Integer call() throws IOException {
        script.check();
        if (target == null) {
            ServeCommand.checkSettings(given, store.intake(), !hubOn.isGiven());
        }
        driver.check(target == null ? ServeCommand.messageBytesMax(given) : Long.MAX_VALUE);
        checkPublish();
        checkHubOn();
        checkTarget();
        if (target != null) {
            TargetProbe.ask(target, driver.tls(), driver.auth(target));
        }
        try (Interruption interruption = new Interruption();
                TargetFacts facts = hubOn.isGiven() ? hubOn.facts() : known.facts(target);
                MadeFolder made = Outcomes.folder(output);
                DataFolders folders = volumes.folders(made.path())) {
            return run(made.path(), folders, facts, interruption);
        }
    }

    private int run(Path folder, DataFolders folders, TargetFacts facts, Interruption interruption)
            throws IOException {
        HubRequest hub = null;
        if (target == null && hubOn.isGiven()) {
            hub = hub(folders, AuditShare.OFF);
        } else if (target == null) {
            folders.claim();
            UnseenEmulation.warn(
                    Path.of(TestVolumesOption.DEFAULT), folders.volumes().all(), System.err);
            hub = hub(folders, audit);
        }
        RunRequest request = new RunRequest(
                        Main.program(spec),
                        driver.scenarios(target, hub, 0, conditions(facts)),
                        driver.repeat,
                        driver.warmup,
                        driver.warmupMax(),
                        driver.measuredTime(),
                        !noCeilings && !hubOn.isGiven(),
                        facts,
                        driver.quiet,
                        settings(),
                        Outcomes.commandText(spec),
                        driver.seed)
                .shared(driver.sharedMachine)
                .sweeping(knee)
                .beside(latency())
                .published(publish.request());
        if (!driver.quiet) {
            System.err.println(RunEstimate.of(request).words());
        }
        Results measured;
        @Nullable String failure;
        boolean interrupted;
        try (RunSession session = new RunSession(request, folder, interruption)) {
            measured = session.run();
            failure = session.failure();
            interrupted = session.interrupted();
        }
        if (failure != null && measured.scenarios().isEmpty()) {
            throw UserError.failed(failure);
        }
        Outcomes.Written written = Outcomes.write(measured, folder);
        if (!driver.quiet) {
            script.print(written.results());
            script.printWhere(folder);
        }
        if (failure != null) {
            throw UserError.failed(failure);
        }
        return script.tell(spec, written.results(), written.exitCode(interrupted, System.err));
    }

    private @Nullable LatencyRequest latency() {
        return latencyPercent == 0
                ? null
                : new LatencyRequest(latencyPercent, driver.arrivals, List.of());
    }

    private void checkPublish() {
        if (quick && publish.asked()) {
            throw UserError.usage(QuickForm.OPTION + " and --publish exclude each other: a rough"
                    + " answer keeps no run rules; give one of them");
        }
        if (target != null) {
            publish.checkNoTarget();
            return;
        }
        if (hubOn.isGiven()) {
            publish.checkNoHubOn();
        }
        publish.check(audit, store.durability(), store.intake());
        publish.check(driver.publishing(latencyPercent, deliver));
    }

    private void checkHubOn() {
        hubOn.check();
        if (!hubOn.isGiven()) {
            return;
        }
        if (target != null) {
            throw UserError.usage("--hub-on and --target exclude each other; give one of them");
        }
        known.requireTarget();
        for (String option : HERE_ONLY) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw UserError.usage(option + " doesn't go with --hub-on: "
                        + (option.equals("--audit")
                                ? "no message is compared on another machine"
                                : "the watch there was told the volumes"));
            }
        }
    }

    private void checkTarget() {
        if (target == null) {
            return;
        }
        GivenOptions.refuse(
                spec,
                NOT_OF_TARGETS,
                "doesn't go with --target: it says how a hub of our own works");
    }

    /** What concerns a hub of our own is in force only where one is started. */
    private Map<String, Object> settings() {
        Map<String, Object> settings = Outcomes.settings(spec);
        if (target != null) {
            HUB_OPTIONS.forEach(name -> settings.put(name, null));
        }
        if (hubOn.isGiven()) {
            HERE_ONLY.forEach(name -> settings.put(name.replaceFirst("^--", ""), null));
        }
        return settings;
    }

    private HubRequest hub(DataFolders folders, AuditShare compared) {
        checkDelivery();
        HubSpec hub = new HubSpec(
                        deliver,
                        store.durability().toString(),
                        store.checkpointDepthBytes(),
                        store.intake() == IntakeKind.STORE,
                        given)
                .audited(compared);
        return new HubRequest(folders, hub, Map.of());
    }

    private void checkDelivery() {
        try {
            var unused = DeliverySpec.parse(deliver);
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--deliver: " + e.getMessage());
        }
    }

    private Conditions conditions(TargetFacts facts) {
        if (target != null) {
            return Conditions.UNKNOWN.with(facts.safety());
        }
        String durability = store.durability().toString();
        return Conditions.UNKNOWN
                .with(Condition.DURABILITY, durability)
                .with(Condition.INTAKE, Outcomes.text(spec, "--intake"))
                .with(Condition.DELIVER, deliver)
                .with(Condition.CHECKPOINT_DEPTH_MB, store.checkpointDepthBytes() / 1e6)
                .with(store.intake() == IntakeKind.STORE ? Safety.of(durability) : Safety.UNKNOWN);
    }
}
