package org.hubmark.bench.cli;

import org.hubmark.core.UserError;

import picocli.CommandLine.Option;

import java.util.List;

/** From whom and to whom the driver sends to a server that is none of ours. */
final class EnvelopeOptions {
    static final String SENDER = "driver@load.hubmark.example";
    static final String RECIPIENT = "mailbox@load.hubmark.example";

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

    void check() {
        for (String address : List.of(sender, recipient)) {
            if (address.chars().anyMatch(c -> c <= ' ' || c > '~' || c == '<' || c == '>')) {
                throw UserError.usage("'" + address
                        + "' is not an address (local-part@domain, without angle brackets)");
            }
        }
    }
}
