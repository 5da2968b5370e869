package org.hubmark.bench.cli;

import org.hubmark.bench.load.ClientTls;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the driver speaks TLS, if it does. */
final class TlsOptions {
    @Option(
            names = "--tls",
            description = "Begins TLS by STARTTLS on each connection; so does --tls-trust."
                    + " Default: plain text.")
    private boolean tls;

    @Mixin
    private CommonOptions.Trust trust = new CommonOptions.Trust();

    /** {@return null for plain text} */
    @Nullable
    ClientTls read() {
        return tls || trust.isGiven() ? trust.read() : null;
    }
}
