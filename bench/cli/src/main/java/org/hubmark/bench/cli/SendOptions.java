package org.hubmark.bench.cli;

import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.Transfer;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.net.InetSocketAddress;

/** How run and load send; a matrix does so in the usual way. */
final class SendOptions {
    /** RFC 5321 4.5.3.1.8 has servers take at least 100. */
    private static final int RECIPIENTS_MAX = 10_000;

    @Option(
            names = "--arrivals",
            defaultValue = "fixed",
            paramLabel = "fixed|poisson",
            description = "Spacing of the intended starts of a rate: even (fixed), or with random"
                    + " exponential gaps as from many independent senders (poisson)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Arrivals arrivals;

    @Option(
            names = "--transfer",
            defaultValue = "data",
            paramLabel = "data|bdat",
            description = "Transfer of content: by DATA, or by BDAT (RFC 3030)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Transfer transfer;

    @Option(
            names = "--no-pipelining",
            description = "Waits for the answer to each command. Default: sends the envelope in"
                    + " one write where the server announces PIPELINING.")
    private boolean noPipelining;

    @Option(
            names = "--messages-per-connection",
            defaultValue = "0",
            paramLabel = "N",
            description = "Messages after which a connection is closed and opened again; 0 for no"
                    + " limit. Default: ${DEFAULT-VALUE}.")
    private int messagesPerConnection;

    @Option(
            names = "--recipients",
            defaultValue = "1",
            paramLabel = "N",
            description = "Recipients of each message: from the second on, the local part of the"
                    + " address ends with -2, -3 and so on. Default: ${DEFAULT-VALUE}.")
    private int recipients;

    @Option(
            names = "--tls",
            description = "Begins TLS by STARTTLS on each connection; so does --tls-trust."
                    + " Default: plain text.")
    private boolean tls;

    @Mixin
    private CommonOptions.Trust trust = new CommonOptions.Trust();

    /** {@return whether what is said is encrypted} */
    boolean isEncrypted() {
        return tls || trust.isGiven();
    }

    /**
     * {@return how to send, checked}
     *
     * @param target null for a hub of our own
     * @param auth null for nobody
     */
    Sending read(
            @Nullable InetSocketAddress target,
            String sender,
            String recipient,
            @Nullable ClientAuth auth) {
        Ranges.within("--recipients", recipients, 1, RECIPIENTS_MAX);
        Ranges.atLeast("--messages-per-connection", messagesPerConnection, 0);
        ClientTls encryption = isEncrypted() ? trust.read() : null;
        return new Sending(
                target,
                new LoadPlan.Dialogue(transfer, !noPipelining, encryption, auth),
                new LoadPlan.Addresses(sender, recipient, recipients),
                messagesPerConnection,
                arrivals);
    }
}
