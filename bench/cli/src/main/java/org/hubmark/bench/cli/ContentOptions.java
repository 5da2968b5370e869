package org.hubmark.bench.cli;

import org.hubmark.bench.load.Attachments;
import org.hubmark.bench.load.Composition;
import org.hubmark.bench.load.Transfer;
import org.hubmark.core.UserError;

import picocli.CommandLine.Option;

/** What generated messages are made of. */
final class ContentOptions {
    @Option(
            names = "--attachments",
            defaultValue = "none",
            paramLabel = "none|base64|binary",
            description = "Body of generated messages: lines of text (none), or an attachment after"
                    + " a line of text, in base64 or as it is (binary: BODY=BINARYMIME, which needs"
                    + " --transfer bdat and a server that announces it)."
                    + " Default: ${DEFAULT-VALUE}.")
    Attachments attachments;

    @Option(
            names = "--compressibility",
            defaultValue = "50%",
            paramLabel = "PERCENT",
            converter = BenchConverters.Percent.class,
            description = "Share by which deflate shortens the text or attachment of generated"
                    + " messages: 35%% to 70%% of text, 30%% to 95%% of base64, 0%% to 95%% of"
                    + " binary. Default: ${DEFAULT-VALUE}.")
    double compressibility;

    /**
     * {@return it}
     *
     * @throws UserError when it can't be had, or not sent that way
     */
    Composition read(Transfer transfer) {
        if (attachments == Attachments.BINARY && transfer == Transfer.DATA) {
            throw UserError.usage("--attachments binary needs --transfer bdat (RFC 3030)");
        }
        try {
            return new Composition(attachments, compressibility);
        } catch (IllegalArgumentException e) {
            throw UserError.usage(
                    "--compressibility " + e.getMessage() + " with --attachments " + attachments);
        }
    }
}
