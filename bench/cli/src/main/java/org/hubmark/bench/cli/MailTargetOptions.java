package org.hubmark.bench.cli;

import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.users.MailTarget;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** A mail system that is there already, and how its users log on. */
final class MailTargetOptions {
    /** What the scripts in docs/users give their accounts. */
    private static final String PASSWORD = "hubmark";

    @Option(
            names = "--user-format",
            paramLabel = "FORMAT",
            description = "Address and name of a user; %%d is its number, from 1.")
    private String userFormat = "user%d@example.test";

    @ArgGroup(exclusive = false)
    private @Nullable MailSystem system;

    @Mixin
    private CommonOptions.Trust trust;

    /** Servers of a mail system, and how its users log on. */
    private static final class MailSystem {
        @Option(
                names = "--smtp",
                paramLabel = "HOST:PORT",
                required = true,
                converter = Converters.Server.class,
                description = "Server to submit mail to, with --imap. Default: a hub of its own.")
        private InetSocketAddress smtp;

        @Option(
                names = "--imap",
                paramLabel = "HOST:PORT",
                required = true,
                converter = Converters.Server.class,
                description = "Server to read mail from. Default: an embedded mailbox server.")
        private InetSocketAddress imap;

        @Option(
                names = "--password-file",
                paramLabel = "FILE",
                description = "File with a password for all, or a line for each. Default: hubmark.")
        private @Nullable Path passwordFile;

        @Option(names = "--smtp-auth", description = "Logs on by SMTP too (AUTH PLAIN or LOGIN).")
        private boolean smtpAuth;

        @Option(
                names = "--smtp-tls",
                description = "Encrypts connections to --smtp from the first octet.")
        private boolean smtpTls;

        @Option(
                names = "--imap-tls",
                description = "Encrypts connections to --imap from the first octet.")
        private boolean imapTls;
    }

    /**
     * {@return null when there is none}
     *
     * @param users that need a password
     */
    @Nullable
    MailTarget read(int users) {
        requireFormat();
        if (trust.isGiven() && (system == null || (!system.smtpTls && !system.imapTls))) {
            throw UserError.usage("--tls-trust goes with --smtp-tls or --imap-tls");
        }
        return system == null
                ? null
                : new MailTarget(
                        system.smtp,
                        system.imap,
                        system.smtpTls,
                        system.imapTls,
                        trust.read(),
                        system.smtpAuth,
                        system.passwordFile == null
                                ? List.of(PASSWORD)
                                : passwords(system.passwordFile, users));
    }

    /** {@return the address of a user, with %d for the number} */
    String userFormat() {
        return userFormat;
    }

    private void requireFormat() {
        String format = userFormat;
        if (!format.matches("[A-Za-z0-9._+-]{0,60}%d[A-Za-z0-9._+-]{0,60}@[A-Za-z0-9.-]{1,120}")) {
            throw UserError.usage("--user-format " + format
                    + ": an address with one %d before the @ for the number of the user, such as "
                    + "user%d@example.test");
        }
    }

    private static List<String> passwords(Path file, int users) {
        List<String> lines = ClientAuth.passwords("--password-file " + file, file);
        if (lines.size() != 1 && lines.size() < users) {
            throw UserError.usage("--password-file " + file + " has " + lines.size()
                    + " lines: one password for all users, or a line for each of " + users);
        }
        return lines;
    }
}
