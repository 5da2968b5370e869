package org.hubmark.bench.cli;

import org.hubmark.bench.cli.LoadOptions.Messages;
import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.Interruption;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.core.UserError;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.delivery.DeliverySpec;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Starts a hub, loads it with each message size, prints the table and writes the results. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Starts a hub of its own in a child process, loads it with each message size,"
                + " prints the table and writes results.json, the report and the raw files.")
public final class RunCommand implements Callable<Integer>, OwnDefaults.Dependent {
    /** What says how a hub of our own works, and does nothing to another server. */
    private static final List<String> HUB_OPTIONS = List.of(
            "--deliver",
            "--log-volume",
            "--queue-volume",
            "--tracking-volume",
            "--durability",
            "--checkpoint-depth",
            "--intake");

    /** Start, warm-ups and measured time together take less than 30 s on two cores. */
    private static final Map<String, String> QUICK = Map.of(
            "--sizes", "57KB",
            "--repeat", "2",
            "--duration", "3s",
            "--warmup", "2s",
            "--warmup-max", "5s",
            "--driver-warmup", "5s",
            "--latency-at", "off",
            "--no-ceilings", "true");

    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions load;

    @Option(
            names = "--deliver",
            defaultValue = "discard",
            paramLabel = "WHERE",
            description = "Delivery of the mail: discard, hold (in the queue), directory:DIR,"
                    + " smtp://HOST:PORT or lmtp://HOST:PORT[,...]. Default: ${DEFAULT-VALUE}.")
    private DeliverySpec deliver;

    @Option(
            names = "--audit",
            defaultValue = "sampled",
            paramLabel = "sampled|all|off",
            description = "Messages that are compared with those sent, where a hub of its own"
                    + " stores them; sampled: one in 128. Default: ${DEFAULT-VALUE}.")
    private AuditShare audit;

    @Mixin
    private CommonOptions.Extras extras;

    @Mixin
    private PublishOptions publish;

    @Mixin
    private HubOption hubs;

    @Mixin
    private RunVolumes volumes;

    @Mixin
    private StoreOptions store;

    @Mixin
    private MailRun run;

    @Mixin
    private CommonOptions.HubSettings settings;

    @Option(
            names = "--quick",
            description = "Gives a rough answer in half a minute: 57KB, two repeats of 3s, no"
                    + " ceilings; other options override it. Default: a full measurement.")
    private boolean quick;

    @Override
    public Map<String, String> defaults() {
        return quick ? QUICK : publish.defaults();
    }

    @Override
    public Integer call() throws IOException {
        run.check();
        InetSocketAddress target = load.target;
        if (target == null) {
            ServeCommand.checkSettings(settings.given, store.intake());
        }
        List<Messages> sent = load.read(
                target == null ? ServeCommand.messageBytesMax(settings.given) : Long.MAX_VALUE);
        LoadPlan plan = load.plan();
        hubs.check();
        if (quick && publish.asked()) {
            throw UserError.usage(
                    "--quick and --publish exclude each other: a rough answer keeps no"
                            + " run rules; give one of them");
        }
        publish.check(settings());
        if (target != null) {
            String why = "doesn't go with --target: it is for a hub of its own";
            GivenOptions.refuse(spec, HUB_OPTIONS, why);
            GivenOptions.refuse(spec, List.of("--hub", "--set"), why);
            LoadOptions.ask(plan, run.quiet());
        }
        try (Interruption interruption = new Interruption();
                TargetFacts facts = load.facts();
                NewFolder made = run.folder(false);
                DataFolders folders = volumes.folders(made.path())) {
            Path folder = made.path();
            RunRequest request = request(sent, plan, target == null ? hub(folders) : null, facts);
            return run.measure(run.study(request, interruption), settings(), folder, true);
        }
    }

    private RunRequest request(
            List<Messages> sent, LoadPlan plan, @Nullable HubRequest hub, TargetFacts facts) {
        List<ScenarioRequest> scenarios = new ArrayList<>();
        for (Path other : hubs.folders) {
            load.scenarios(sent, plan, hub, conditions())
                    .forEach(scenario -> scenarios.add(scenario.of(other)));
        }
        return new RunRequest(
                Main.program(spec),
                scenarios.isEmpty() ? load.scenarios(sent, plan, hub, conditions()) : scenarios,
                load.driver.repeats(),
                load.driver.times(Duration.ZERO),
                facts,
                load.driver.sharedMachine.on,
                new RunRequest.Extras(
                        !extras.noCeilings && hub != null,
                        extras.latency(load.driver.arrivals),
                        publish.asked()),
                null);
    }

    /** What concerns a hub of our own is in force only where one is started. */
    private Map<String, Object> settings() {
        Map<String, Object> all = Outcomes.settings(spec);
        if (load.target != null) {
            Stream.of(HUB_OPTIONS, List.of("--audit", "--latency-at"))
                    .flatMap(List::stream)
                    .forEach(name -> all.put(name.substring(2), null));
        }
        return all;
    }

    private HubRequest hub(DataFolders folders) throws IOException {
        folders.claim();
        UnseenEmulation.warn(
                Path.of(TestVolumesOption.DEFAULT), folders.volumes().all(), System.err);
        HubSpec hub = new HubSpec(
                        deliver.toString(),
                        store.durability().toString(),
                        store.checkpointDepthBytes(),
                        store.intake() == IntakeKind.STORE,
                        settings.given)
                .audited(audit);
        return new HubRequest(folders, hub, Map.of(), null);
    }

    private Conditions conditions() {
        if (load.target != null) {
            return Conditions.UNKNOWN;
        }
        String durability = store.durability().toString();
        return Conditions.UNKNOWN
                .with(Condition.DURABILITY, durability)
                .with(Condition.INTAKE, Outcomes.text(spec, "--intake"))
                .with(Condition.DELIVER, deliver.toString())
                .with(Condition.CHECKPOINT_DEPTH_MB, store.checkpointDepthBytes() / 1e6)
                .with(store.intake() == IntakeKind.STORE ? Safety.of(durability) : Safety.UNKNOWN);
    }
}
