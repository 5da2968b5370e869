package org.hubmark.bench.cli;

import org.hubmark.bench.load.ClientTls;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** How the driver speaks TLS, if it does. */
final class TlsOptions {
    @Option(
            names = "--tls",
            description = "Begins TLS by STARTTLS on each connection and takes any certificate."
                    + " Default: plain text.")
    private boolean tls;

    @Option(
            names = "--tls-trust",
            paramLabel = "FILE",
            description =
                    "With --tls, or in its place: takes only certificates that one of those in"
                            + " this PEM file vouches for and that name the target. Default: any.")
    private @Nullable Path trust;

    /** {@return null for plain text} */
    @Nullable
    ClientTls read() {
        Path authorities = trust;
        if (authorities != null) {
            return ClientTls.trusting(authorities);
        }
        return tls ? ClientTls.trustingAll() : null;
    }
}
