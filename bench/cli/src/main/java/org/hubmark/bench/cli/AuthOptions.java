package org.hubmark.bench.cli;

import org.hubmark.bench.load.ClientAuth;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** The user that the driver logs on as to a target, if any. */
final class AuthOptions {
    @Option(
            names = "--auth-user",
            paramLabel = "NAME",
            description =
                    "User to log on as to a --target (AUTH PLAIN or LOGIN), by TLS unless that is"
                            + " on loopback, with --auth-password-file. Default: does not log on.")
    private @Nullable String user;

    @Option(
            names = "--auth-password-file",
            paramLabel = "FILE",
            description = "File with the password of --auth-user, in UTF-8. Default: none.")
    private @Nullable Path passwordFile;

    /**
     * {@return null for nobody}
     *
     * @param tls whether what is said is encrypted
     */
    @Nullable
    ClientAuth read(InetSocketAddress target, boolean tls) {
        String name = user;
        Path file = passwordFile;
        if (name == null && file == null) {
            return null;
        }
        if (name == null || file == null) {
            throw UserError.usage("--auth-user and --auth-password-file: give both or neither");
        }
        if (!tls && !isLoopback(target)) {
            throw UserError.usage("--auth-user sends the password by --tls only, unless the target"
                    + " is on loopback");
        }
        return ClientAuth.read(name, file);
    }

    private static boolean isLoopback(InetSocketAddress target) {
        InetAddress address =
                new InetSocketAddress(target.getHostString(), target.getPort()).getAddress();
        return address != null && address.isLoopbackAddress();
    }

    /** A hub of our own asks nobody who it is. */
    void requireNone() {
        if (user != null || passwordFile != null) {
            throw UserError.usage(
                    "--auth-user goes with a --target: a hub of our own does not ask");
        }
    }
}
