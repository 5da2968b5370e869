package org.hubmark.bench.cli;

import org.hubmark.bench.cli.MessageOptions.Messages;
import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.Interruption;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.core.UserError;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.audit.AuditShare;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.server.ServeCommand;
import org.hubmark.server.StoreOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Starts a hub, loads it with each message size, prints the table and writes the results. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Starts a hub of its own in a child process, loads it with each message size,"
                + " prints the table and writes results.json, report.html, report.md, series.csv"
                + " and times.hlog.")
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
    private MessageOptions messages;

    @Mixin
    private CommonOptions.Connections connections;

    @Mixin
    private DriverOptions driver;

    @Mixin
    private CommonOptions.Target server;

    @Option(
            names = "--deliver",
            defaultValue = "discard",
            paramLabel = "WHERE",
            description = "Delivery of the accepted mail: discard, hold (stays in the queue),"
                    + " directory:DIR, smtp://HOST:PORT[,HOST:PORT...] or the same with lmtp://"
                    + " (docs/delivery.md). Default: ${DEFAULT-VALUE}.")
    private DeliverySpec deliver;

    @Option(
            names = "--audit",
            defaultValue = "sampled",
            paramLabel = "sampled|all|off",
            description = "Messages whose delivery is compared, one by one, with the message sent:"
                    + " each must be there once, with the same octets. sampled takes one in 128;"
                    + " held messages are compared after the hub has ended. Applies to a hub of"
                    + " its own with --intake store that does not pass mail on."
                    + " Default: ${DEFAULT-VALUE}.")
    private AuditShare audit;

    @Mixin
    private CommonOptions.Extras extras;

    @Mixin
    private PublishOptions publish;

    @Mixin
    private CommonOptions.Output output;

    @Mixin
    private HubOption hubs;

    @Mixin
    private RunVolumes volumes;

    @Mixin
    private StoreOptions store;

    @Mixin
    private TargetOptions known;

    @Mixin
    private ScriptOptions script;

    @Mixin
    private CommonOptions.HubSettings settings;

    @Option(
            names = "--quick",
            description = "Gives a rough answer in half a minute: --sizes 57KB --repeat 2"
                    + " --duration 3s --warmup 2s --warmup-max 5s --driver-warmup 5s"
                    + " --latency-at off --no-ceilings; options that are given override these."
                    + " Default: a full measurement.")
    private boolean quick;

    @Override
    public Map<String, String> defaults() {
        return quick ? QUICK : publish.defaults();
    }

    @Override
    public Integer call() throws IOException {
        script.check();
        InetSocketAddress target = server.address;
        if (target == null) {
            ServeCommand.checkSettings(settings.given, store.intake());
        }
        driver.check();
        hubs.check();
        driver.check(connections.count, driver.rate);
        List<Messages> sent = messages.read(
                target == null ? ServeCommand.messageBytesMax(settings.given) : Long.MAX_VALUE);
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
            driver.ask(target, script.quiet());
        }
        try (Interruption interruption = new Interruption();
                TargetFacts facts = known.facts(target);
                MadeFolder made = MailRun.folder(output, false);
                DataFolders folders = volumes.folders(made.path())) {
            return run(sent, made.path(), folders, facts, interruption);
        }
    }

    private int run(
            List<Messages> sent,
            Path folder,
            DataFolders folders,
            TargetFacts facts,
            Interruption interruption)
            throws IOException {
        InetSocketAddress target = server.address;
        HubRequest hub = null;
        if (target == null) {
            folders.claim();
            UnseenEmulation.warn(
                    Path.of(TestVolumesOption.DEFAULT), folders.volumes().all(), System.err);
            hub = hub(folders);
        }
        HubRequest started = hub;
        Supplier<Stream<ScenarioRequest>> scenarios = () -> sent.stream()
                .map(each -> driver.scenario(
                        each, connections.count, driver.rate, target, started, 0, conditions()));
        RunRequest request = new RunRequest(
                Main.program(spec),
                hubs.folders.isEmpty()
                        ? scenarios.get().toList()
                        : hubs.folders.stream()
                                .flatMap(other -> scenarios.get().map(each -> each.of(other)))
                                .toList(),
                driver.repeats(),
                driver.times(Duration.ZERO),
                facts,
                driver.sharedMachine.on,
                new RunRequest.Extras(
                        !extras.noCeilings && target == null,
                        extras.latency(driver.arrivals),
                        publish.request()));
        MailRun run = new MailRun(spec, script, folder, true);
        MailStudy study = new MailStudy(request, interruption, run.progress()).timed();
        return run.measure(
                study, settings(), study::failure, results -> script.print(results, folder));
    }

    /** What concerns a hub of our own is in force only where one is started. */
    private Map<String, Object> settings() {
        Map<String, Object> all = Outcomes.settings(spec);
        if (server.address != null) {
            Stream.of(HUB_OPTIONS, List.of("--audit", "--latency-at"))
                    .flatMap(List::stream)
                    .forEach(name -> all.put(name.substring(2), null));
        }
        return all;
    }

    private HubRequest hub(DataFolders folders) {
        HubSpec hub = new HubSpec(
                        deliver.toString(),
                        store.durability().toString(),
                        store.checkpointDepthBytes(),
                        store.intake() == IntakeKind.STORE,
                        settings.given)
                .audited(audit);
        return new HubRequest(folders, hub, Map.of());
    }

    private Conditions conditions() {
        if (server.address != null) {
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
