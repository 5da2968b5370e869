package org.hubmark.bench.cli;

import org.hubmark.bench.cli.LoadOptions.Messages;
import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.core.UserError;
import org.hubmark.server.ServeCommand;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Starts a hub, loads it with each message size, prints the table and writes the results. */
@Command(
        name = "run",
        description = "Starts a hub of its own in a child process, loads it with each message size,"
                + " prints the table and writes results.json, the report and the raw files.")
public final class RunCommand implements Callable<Integer>, OwnDefaults.Dependent {
    /** Start, warm-ups and measured time together take less than 30 s on two cores. */
    private static final String QUICK = "--sizes=57KB --repeat=2 --duration=3s --warmup=2s"
            + " --warmup-max=5s --driver-warmup=5s --latency-at=off --no-ceilings=true";

    @Mixin
    private LoadOptions load;

    @Mixin
    private CommonOptions.Extras extras;

    @Mixin
    private PublishOptions publish;

    @Mixin
    private OwnHubOptions own;

    @Mixin
    private StudyOptions shown;

    @Option(names = "--quick", description = "Takes little time; half a minute.")
    private boolean quick;

    @Override
    public String defaults() {
        return quick ? QUICK : publish.defaults();
    }

    @Override
    public Integer call() throws IOException {
        shown.check();
        boolean isOwn = load.target == null;
        if (isOwn) {
            own.check();
            if (own.isEmulated()) {
                return EmulatedCommand.run(shown.spec);
            }
        } else {
            OptionNames.refuse(
                    shown.spec,
                    OptionNames.of(shown.spec, own),
                    "doesn't go with --target: it is for a hub of its own");
        }
        List<Messages> sent = load.read(
                isOwn ? ServeCommand.messageBytesMax(own.settings.given) : Long.MAX_VALUE);
        LoadPlan plan = load.plan();
        if (quick && publish.asked()) {
            throw UserError.usage(
                    "--quick and --publish exclude each other: a quick run can't keep the run"
                            + " rules; give one of them");
        }
        publish.check(shown.spec, settings());
        own.installations.check();
        if (!isOwn) {
            var unused = TargetProbe.ask(plan);
        }
        try (Interruption interruption = new Interruption();
                TargetFacts facts = load.facts();
                NewFolder made = shown.output.make(MailReport.KIND, false);
                DataFolders folders = own.volumes.folders(made.path())) {
            Path folder = made.path();
            RunRequest request = request(sent, plan, isOwn ? own.request(folders) : null, facts);
            return shown.run(new MailStudy(request, interruption::awaitDone), settings(), folder);
        }
    }

    private RunRequest request(
            List<Messages> sent, LoadPlan plan, @Nullable HubRequest hub, TargetFacts facts) {
        List<ScenarioRequest> scenarios = load.scenarios(
                sent, plan, hub, hub == null ? Conditions.UNKNOWN : own.conditions());
        List<Path> installations = own.installations.folders;
        return new RunRequest(
                Main.program(shown.spec),
                installations.isEmpty()
                        ? scenarios
                        : installations.stream()
                                .flatMap(from -> scenarios.stream().map(one -> one.of(from)))
                                .toList(),
                load.driver.repeats(),
                load.driver.times(Duration.ZERO),
                facts,
                load.driver.sharedMachine.on,
                new RunRequest.Extras(
                        !extras.noCeilings && hub != null, extras.latencyPercent, publish.asked()),
                null);
    }

    /** What concerns a hub of our own is in force only where one is started. */
    private Map<String, Object> settings() {
        Map<String, Object> all = shown.settings();
        if (load.target != null) {
            Stream.concat(OptionNames.of(shown.spec, own).stream(), Stream.of("--latency-at"))
                    .forEach(name -> all.replace(name.substring("--".length()), null));
        }
        return all;
    }
}
