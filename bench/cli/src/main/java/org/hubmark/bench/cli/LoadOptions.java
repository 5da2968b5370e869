package org.hubmark.bench.cli;

import org.hubmark.bench.load.Corpus;
import org.hubmark.bench.load.SizeMix;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What run and load send, how, and to which server. */
final class LoadOptions {
    private static final List<String> CONTENTS = List.of("--sizes", "--size-mix", "--corpus");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            converter = Converters.Target.class,
            description =
                    "SMTP server to load, which is already running; what can't be known of it"
                            + " is null in the results. Default: run starts hubs of its own, load needs it.")
    @Nullable
    InetSocketAddress target;

    @Mixin
    private CommonOptions.Sizes sizes = new CommonOptions.Sizes();

    @Option(
            names = "--size-mix",
            paramLabel = "SIZE=SHARE,...",
            description =
                    "Messages of several sizes in random order, measured together, in place of"
                            + " --sizes. LoadSim 5.0's medium user: 1KB=64,2KB=17,4KB=4,11KB=15."
                            + " Default: none.")
    private @Nullable SizeMix mix;

    @Option(
            names = "--corpus",
            paramLabel = "DIR",
            description = "Folder whose files are sent, each one message, in place of generated"
                    + " ones. Default: none.")
    private @Nullable Path corpus;

    @Mixin
    private CommonOptions.Connections connections = new CommonOptions.Connections();

    @Mixin
    DriverOptions driver = new DriverOptions();

    @Mixin
    private ServerMachineOptions machine = new ServerMachineOptions();

    @Option(
            names = "--target-volume",
            paramLabel = "DIR",
            description = "Folder that the target writes to on this machine: the log columns"
                    + " show the writes of its device. Default: unknown.")
    private @Nullable Path volume;

    /**
     * Messages that are measured together: those of a folder, or generated ones.
     *
     * @param title of the scenario; in small letters its id
     * @param option that they come from
     * @param content in words, for the conditions of a result
     * @param corpus null where they are generated
     * @param mix of the generated ones; null with a corpus
     */
    record Messages(
            String title,
            String option,
            String content,
            @Nullable Path corpus,
            @Nullable SizeMix mix) {
        static Messages of(long sizeBytes) {
            return new Messages(
                    ByteSize.format(sizeBytes),
                    "--sizes",
                    "generated",
                    null,
                    SizeMix.of(sizeBytes));
        }

        String id() {
            return title.toLowerCase(Locale.ROOT);
        }
    }

    /**
     * {@return what is measured, one after the other} Checks it first.
     *
     * @param bytesMax the largest message that the server takes, as far as that is known
     */
    List<Messages> read(long bytesMax) {
        driver.check();
        driver.check(connections.count, driver.rate);
        List<String> given = CONTENTS.stream()
                .filter(spec.commandLine().getParseResult()::hasMatchedOption)
                .toList();
        if (given.size() > 1) {
            throw UserError.usage(given.get(0) + " and " + given.get(1)
                    + " exclude each other; give one of them");
        }
        Path folder = corpus;
        SizeMix weights = mix;
        if (folder != null) {
            checkCorpus(folder, bytesMax);
            return List.of(new Messages("corpus", "--corpus", "corpus " + folder, folder, null));
        }
        if (weights != null) {
            if (weights.sizeBytesMax() > bytesMax) {
                throw UserError.usage("--size-mix has messages of "
                        + ByteSize.format(weights.sizeBytesMax())
                        + ", more than the server takes: up to " + ByteSize.format(bytesMax));
            }
            String content = "mix " + Outcomes.text(spec, "--size-mix");
            return List.of(new Messages("mix", "--size-mix", content, null, weights));
        }
        sizes.check(bytesMax);
        return sizes.bytes.stream().map(Messages::of).toList();
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
        return machine.facts(
                "a --target", target != null, volume == null ? Map.of() : Map.of("log", volume));
    }

    /**
     * {@return what is to be measured}
     *
     * @param hub to start; null with a target
     * @param messagesMax ends each repeat after that many messages; 0 to end it by time
     * @param known what is known of the conditions besides those of the load
     */
    List<ScenarioRequest> scenarios(
            List<Messages> sent, @Nullable HubRequest hub, long messagesMax, Conditions known) {
        return sent.stream()
                .map(each -> driver.scenario(
                        each, connections.count, driver.rate, target, hub, messagesMax, known))
                .toList();
    }
}
