package org.hubmark.bench.cli;

import org.hubmark.bench.cli.LoadOptions.Messages;
import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** The load driver alone, against any SMTP server. */
@Command(
        name = "load",
        description =
                "Sends mail to any SMTP server, prints rate and latency, and writes the results.")
public final class LoadCommand implements Callable<Integer> {
    @Mixin
    private LoadOptions load;

    @Option(
            names = "--sender",
            paramLabel = "ADDRESS",
            converter = BenchConverters.MailAddress.class,
            description = "Reverse-path.")
    private String sender = DriverOptions.SENDER;

    @Option(
            names = "--recipient",
            paramLabel = "ADDRESS",
            converter = BenchConverters.MailAddress.class,
            description = "Forward-path, the first of --recipients.")
    private String recipient = DriverOptions.RECIPIENT;

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
                description = "User to log on as, by TLS unless the target is on loopback.")
        private String name;

        @Option(
                names = "--auth-password-file",
                paramLabel = "FILE",
                required = true,
                description = "File with the password of --auth-user, in UTF-8.")
        private Path passwordFile;
    }

    @Option(
            names = "--count",
            description = "Messages after which a repeat without a warm-up ends; 0: by time.")
    private long count = 0;

    @Mixin
    private StudyOptions shown;

    @Override
    public Integer call() throws IOException {
        shown.check();
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
                TargetFacts facts = load.facts();
                NewFolder made = shown.output.make(MailReport.KIND, false)) {
            RunRequest request = new RunRequest(
                    Main.PROGRAM,
                    load.scenarios(sent, plan, null, Conditions.UNKNOWN),
                    load.driver.repeats(),
                    count == 0 ? load.driver.times(Duration.ZERO) : load.driver.untilFinished(),
                    facts,
                    load.driver.sharedMachine.on,
                    RunRequest.Extras.NONE,
                    null);
            return shown.run(
                    new MailStudy(request, interruption::awaitDone), shown.settings(), made.path());
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
}
