package org.hubmark.bench.cli;

import org.hubmark.bench.load.Corpus;
import org.hubmark.bench.load.SizeMix;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Messages of a load: generated ones of one size or several, or files. */
final class MessageOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private CommonOptions.Sizes sizes = new CommonOptions.Sizes();

    @Option(
            names = "--size-mix",
            paramLabel = "SIZE=SHARE,...",
            description = "Messages of several sizes in random order, measured together, in place"
                    + " of --sizes. The new mail of LoadSim 5.0's medium user, with attachments of"
                    + " 10 KB: 1KB=64,2KB=17,4KB=4,11KB=15. Default: none.")
    private @Nullable SizeMix mix;

    @Option(
            names = "--corpus",
            paramLabel = "DIR",
            description = "Folder whose files are sent, each one message, in place of generated"
                    + " ones. Default: none.")
    private @Nullable Path corpus;

    /**
     * Messages that are measured together: those of a folder, or generated ones.
     *
     * @param id of the scenario
     * @param title of the scenario
     * @param option that they come from
     * @param content in words, for the conditions of a result
     * @param corpus null where they are generated
     * @param mix of the generated ones; null with a corpus
     */
    record Messages(
            String id,
            String title,
            String option,
            String content,
            @Nullable Path corpus,
            @Nullable SizeMix mix) {
        static Messages of(long sizeBytes) {
            String size = ByteSize.format(sizeBytes);
            return new Messages(
                    size.toLowerCase(Locale.ROOT),
                    size,
                    "--sizes",
                    "generated",
                    null,
                    SizeMix.of(sizeBytes));
        }
    }

    /**
     * {@return what is measured, one after the other} Checks it first.
     *
     * @param bytesMax the largest message that the server takes, as far as that is known
     */
    List<Messages> read(long bytesMax) {
        ParseResult line = spec.commandLine().getParseResult();
        for (String other : List.of("--size-mix", "--corpus")) {
            if (line.hasMatchedOption("--sizes") && line.hasMatchedOption(other)) {
                throw UserError.usage(
                        "--sizes and " + other + " exclude each other; give one of them");
            }
        }
        Path folder = corpus;
        SizeMix weights = mix;
        if (folder != null && weights != null) {
            throw UserError.usage("--size-mix and --corpus exclude each other; give one of them");
        }
        if (folder != null) {
            checkCorpus(folder, bytesMax);
            return List.of(
                    new Messages("corpus", "corpus", "--corpus", "corpus " + folder, folder, null));
        }
        if (weights != null) {
            if (weights.sizeBytesMax() > bytesMax) {
                throw UserError.usage("--size-mix has messages of "
                        + ByteSize.format(weights.sizeBytesMax())
                        + ", more than the server takes: up to " + ByteSize.format(bytesMax));
            }
            String content = "mix " + Outcomes.text(spec, "--size-mix");
            return List.of(new Messages("mix", "mix", "--size-mix", content, null, weights));
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
}
