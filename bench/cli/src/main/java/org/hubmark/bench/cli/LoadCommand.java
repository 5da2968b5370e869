package org.hubmark.bench.cli;

import org.hubmark.bench.cli.LoadOptions.Messages;
import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** The load driver alone, against any SMTP server. */
@Command(
        name = "load",
        description = "Sends mail to any SMTP server and prints rate, latency and counts.")
public final class LoadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions load;

    @Option(
            names = "--sender",
            defaultValue = DriverOptions.SENDER,
            paramLabel = "ADDRESS",
            converter = BenchConverters.MailAddress.class,
            description = "Reverse-path. Default: ${DEFAULT-VALUE}.")
    private String sender;

    @Option(
            names = "--recipient",
            defaultValue = DriverOptions.RECIPIENT,
            paramLabel = "ADDRESS",
            converter = BenchConverters.MailAddress.class,
            description = "Forward-path, the first of --recipients. Default: ${DEFAULT-VALUE}.")
    private String recipient;

    @Mixin
    private CommonOptions.Trust trust;

    @ArgGroup(exclusive = false)
    private @Nullable User user;

    /** The user that the driver logs on as. */
    static final class User {
        @Option(
                names = "--auth-user",
                paramLabel = "NAME",
                required = true,
                description = "User to log on as, by TLS unless the target is on"
                        + " loopback. Default: does not log on.")
        private String name;

        @Option(
                names = "--auth-password-file",
                paramLabel = "FILE",
                required = true,
                description = "File with the password of --auth-user, in UTF-8. Default: none.")
        private Path passwordFile;
    }

    @Option(
            names = "--count",
            defaultValue = "0",
            paramLabel = "N",
            description = "Messages after which each repeat ends, without a warm-up; 0 ends it by"
                    + " time. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Mixin
    private MailRun run;

    @Override
    public Integer call() throws IOException {
        run.check();
        InetSocketAddress target = load.target;
        if (target == null) {
            throw UserError.usage(
                    "Missing required option: '--target=HOST:PORT'; see hubmark load --help");
        }
        List<Messages> sent = load.read(Long.MAX_VALUE);
        Ranges.atLeast("--count", count, 0);
        LoadPlan plan = plan(target);
        var unused = TargetProbe.ask(plan);
        try (Interruption interruption = new Interruption();
                TargetFacts facts = load.facts()) {
            if (run.given() == null) {
                Path folder = Files.createTempDirectory("hubmark-load-");
                try {
                    return load(sent, plan, facts, folder, interruption);
                } finally {
                    Folders.delete(folder);
                }
            }
            try (NewFolder results = run.folder(false)) {
                return load(sent, plan, facts, results.path(), interruption);
            }
        }
    }

    private LoadPlan plan(InetSocketAddress target) {
        ClientTls tls = load.tls || trust.isGiven() ? trust.read() : null;
        if (user != null && tls == null && !isLoopback(target)) {
            throw UserError.usage("--auth-user sends the password by --tls only, unless the target"
                    + " is on loopback");
        }
        ClientAuth auth = user == null ? null : ClientAuth.read(user.name, user.passwordFile);
        return load.plan(sender, recipient, tls, auth, count);
    }

    private static boolean isLoopback(InetSocketAddress target) {
        InetAddress address =
                new InetSocketAddress(target.getHostString(), target.getPort()).getAddress();
        return address != null && address.isLoopbackAddress();
    }

    private int load(
            List<Messages> sent,
            LoadPlan plan,
            TargetFacts facts,
            Path folder,
            Interruption interruption)
            throws IOException {
        RunRequest request = new RunRequest(
                Main.PROGRAM,
                load.scenarios(sent, plan, null, Conditions.UNKNOWN),
                load.driver.repeats(),
                count == 0 ? load.driver.times(Duration.ZERO) : load.driver.untilFinished(),
                facts,
                load.driver.sharedMachine.on,
                RunRequest.Extras.NONE,
                null);
        boolean isKept = run.given() != null;
        MailStudy study = run.study(request, interruption);
        return run.measure(
                isKept ? study : study.withoutReport(), Outcomes.settings(spec), folder, isKept);
    }
}
