package org.hubmark.bench.cli;

import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.List;

/** The databases of a qualification: their volumes, number and size. */
final class QualifyDatabaseOptions {
    private static final int DATABASES_MAX = 100;
    private static final long DATABASE_BYTES_MIN = 8_000_000;
    private static final long MAILBOX_BYTES_MAX = 1L << 38;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--database-volume",
            split = ",",
            required = true,
            converter = Converters.Volume.class,
            description = "Database volumes" + CommonOptions.VOLUME_RULE + " Required.")
    List<Path> databaseVolumes;

    @Option(
            names = "--log-volume",
            split = ",",
            required = true,
            converter = Converters.Volume.class,
            description = "Log volume" + CommonOptions.VOLUME_RULE + " Required.")
    List<Path> logVolumes;

    @Option(names = "--databases", description = "Number of databases.")
    int count = 4;

    @Option(
            names = "--database-size",
            defaultValue = "1GB",
            converter = Converters.Size.class,
            description = "Size to fill each database to.")
    private long databaseSize;

    @Option(
            names = "--mailbox",
            converter = Converters.Size.class,
            description = "Size of a mailbox; needs --users.")
    private @Nullable Long mailbox;

    @Option(names = "--keep", description = "Keeps the databases for a later run.")
    private boolean keep;

    /** {@return whether --mailbox gives their size} */
    boolean haveMailboxes() {
        return mailbox != null;
    }

    /**
     * {@return the databases, checked}
     *
     * @param users whose mailboxes they hold; null where none are given
     */
    QualifyRequest.Databases read(@Nullable Integer users) {
        Ranges.within("--databases", count, 1, DATABASES_MAX);
        checkSizes(users);
        return new QualifyRequest.Databases(databaseVolumes, logVolumes, count, bytes(users), keep);
    }

    /** {@return the size of each database} */
    private long bytes(@Nullable Integer users) {
        Long each = mailbox;
        return each == null || users == null
                ? databaseSize
                : each * Math.min(Math.max(1, users), TransactionOptions.USERS_MAX) / count;
    }

    private void checkSizes(@Nullable Integer users) {
        if (mailbox != null && users == null) {
            throw UserError.usage("--mailbox goes with --users");
        }
        if (mailbox != null && OptionNames.isGiven(spec, "--database-size")) {
            throw UserError.usage("--database-size and --mailbox exclude each other");
        }
        if (mailbox != null && mailbox > MAILBOX_BYTES_MAX) {
            throw UserError.usage("--mailbox " + ByteSize.format(mailbox) + ": "
                    + ByteSize.format(MAILBOX_BYTES_MAX) + " or less");
        }
        if (bytes(users) < DATABASE_BYTES_MIN) {
            throw UserError.usage((mailbox == null ? "--database-size " : "databases of ")
                    + ByteSize.format(bytes(users)) + ": " + ByteSize.format(DATABASE_BYTES_MIN)
                    + " or more");
        }
    }
}
