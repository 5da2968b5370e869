package org.hubmark.bench.cli;

import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.Corpus;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What run and load send, how, and to which server. */
final class LoadOptions {
    /** RFC 5321 4.5.3.1.8 has servers take at least 100. */
    private static final int RECIPIENTS_MAX = 10_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--target",
            converter = Converters.Target.class,
            description = "SMTP server to load; load needs one.")
    @Nullable
    InetSocketAddress target;

    @Mixin
    private CommonOptions.Sizes sizes = new CommonOptions.Sizes();

    @Option(names = "--corpus", description = "Folder of the messages, one a file.")
    private @Nullable Path corpus;

    @Mixin
    private CommonOptions.Connections connections = new CommonOptions.Connections();

    @Option(names = "--transfer", description = "Transfer by DATA or BDAT (RFC 3030).")
    private Transfer transfer = Transfer.DATA;

    @Option(names = "--no-pipelining", description = "Waits for each answer.")
    private boolean noPipelining;

    @Option(
            names = "--messages-per-connection",
            description = "Messages of a connection; 0: no limit.")
    private long messagesPerConnection = 0;

    @Option(names = "--recipients", description = "Recipients of each message.")
    private int recipients = 1;

    @Option(names = "--tls", description = "Begins TLS by STARTTLS.")
    boolean tls;

    @Mixin
    DriverOptions driver = new DriverOptions();

    @Mixin
    private ServerMachineOptions machine = new ServerMachineOptions();

    /**
     * Messages that are measured together: those of a folder, or generated ones.
     *
     * @param title of the scenario; in small letters its id
     * @param content in words, for the conditions of a result
     * @param corpus null where they are generated
     * @param sizeBytes of the generated ones; 0 with a corpus
     */
    record Messages(String title, String content, @Nullable Path corpus, long sizeBytes) {
        static Messages of(long sizeBytes) {
            return new Messages(ByteSize.format(sizeBytes), "generated", null, sizeBytes);
        }

        String id() {
            return title.toLowerCase(Locale.ROOT);
        }

        /** {@return them, made for a server} */
        MessageSet made(long seed, LoadPlan plan, TargetProbe.Announced server, Instant at) {
            if (corpus != null) {
                return MessageSet.of(Corpus.read(corpus), plan, server);
            }
            Long sizeMax = server.sizeMax();
            if (sizeMax != null && sizeMax > 0 && sizeBytes > sizeMax) {
                throw UserError.usage("--sizes " + ByteSize.format(sizeBytes)
                        + " is more than the target takes: up to " + ByteSize.format(sizeMax));
            }
            return MessageSet.generate(
                    Math.toIntExact(sizeBytes),
                    new MessageGenerator(
                            seed,
                            at,
                            plan.addresses().sender(),
                            plan.addresses().recipient()),
                    plan,
                    server);
        }
    }

    /**
     * {@return what is measured, one after the other} Checks it first.
     *
     * @param bytesMax the largest message that the server takes, as far as that is known
     */
    List<Messages> read(long bytesMax) {
        driver.check();
        Ranges.within("--recipients", recipients, 1, RECIPIENTS_MAX);
        Ranges.atLeast("--messages-per-connection", messagesPerConnection, 0);
        Path folder = corpus;
        if (folder == null) {
            sizes.check(bytesMax);
            return sizes.bytes.stream().map(Messages::of).toList();
        }
        OptionNames.refuse(spec, List.of("--sizes"), "and --corpus exclude each other");
        checkCorpus(folder, bytesMax);
        return List.of(new Messages("corpus", "corpus " + folder, folder, 0));
    }

    private static void checkCorpus(Path folder, long bytesMax) {
        for (byte[] content : Corpus.read(folder)) {
            if (content.length > bytesMax) {
                throw UserError.usage("--corpus " + folder + " has a message of "
                        + ByteSize.format(content.length) + ", more than the server takes: up to "
                        + ByteSize.format(bytesMax));
            }
        }
    }

    /**
     * {@return what is known of the target; the caller's, who closes it} Starts the watch of a target on
     * another machine.
     */
    TargetFacts facts() throws IOException {
        return machine.facts("a --target", target != null);
    }

    /** {@return the load of the target, or of a hub of our own} Checks it. */
    LoadPlan plan() {
        return plan(
                DriverOptions.SENDER,
                DriverOptions.RECIPIENT,
                tls ? ClientTls.trustingAll() : null,
                null,
                0);
    }

    /**
     * {@return a load of a target that has to be told more}
     *
     * @param encrypted null for what --tls says
     * @param auth null for nobody
     * @param messagesMax ends each repeat after that many messages; 0 to end it by time
     */
    LoadPlan plan(
            String sender,
            String recipient,
            @Nullable ClientTls encrypted,
            @Nullable ClientAuth auth,
            long messagesMax) {
        LoadPlan plain = driver.plan(connections.count, driver.rate);
        return new LoadPlan(
                target == null ? plain.target() : target,
                plain.connections(),
                plain.threads(),
                plain.pace(),
                messagesPerConnection,
                messagesMax,
                new LoadPlan.Dialogue(transfer, !noPipelining, encrypted, auth),
                new LoadPlan.Addresses(sender, recipient, recipients));
    }

    /**
     * {@return what is to be measured}
     *
     * @param hub to start; null with a target
     * @param known what is known of the conditions besides those of the load
     */
    List<ScenarioRequest> scenarios(
            List<Messages> sent, LoadPlan plan, @Nullable HubRequest hub, Conditions known) {
        return sent.stream()
                .map(each -> driver.scenario(each, plan, driver.rate, hub, known))
                .toList();
    }
}
