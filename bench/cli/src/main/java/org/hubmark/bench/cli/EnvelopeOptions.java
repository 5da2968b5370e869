package org.hubmark.bench.cli;

import org.hubmark.core.UserError;

import picocli.CommandLine.Option;

import java.util.List;

/** From whom and to whom the driver sends. */
final class EnvelopeOptions {
    static final String SENDER = "driver@load.hubmark.example";
    static final String RECIPIENT = "mailbox@load.hubmark.example";

    /** RFC 5321 4.5.3.1.8 has servers take at least 100. */
    private static final int RECIPIENTS_MAX = 10_000;

    @Option(
            names = "--sender",
            defaultValue = SENDER,
            paramLabel = "ADDRESS",
            description = "Reverse-path. Default: ${DEFAULT-VALUE}.")
    String sender;

    @Option(
            names = "--recipient",
            defaultValue = RECIPIENT,
            paramLabel = "ADDRESS",
            description = "Forward-path. Default: ${DEFAULT-VALUE}.")
    String recipient;

    @Option(
            names = "--recipients",
            defaultValue = "1",
            paramLabel = "N",
            description = "Recipients of each message: from the second on, the local part of"
                    + " --recipient ends with -2, -3 and so on. Default: ${DEFAULT-VALUE}.")
    int recipients;

    void check() {
        Ranges.within("--recipients", recipients, 1, RECIPIENTS_MAX);
        for (String address : List.of(sender, recipient)) {
            if (address.chars().anyMatch(c -> c <= ' ' || c > '~' || c == '<' || c == '>')) {
                throw UserError.usage("'" + address
                        + "' is not an address (local-part@domain, without angle brackets)");
            }
        }
    }
}
