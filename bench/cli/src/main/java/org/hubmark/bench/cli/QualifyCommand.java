package org.hubmark.bench.cli;

import org.hubmark.bench.qualify.QualifyStudy;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Judges storage as Jetstress did. */
@Command(
        name = "qualify",
        description = {
            "Judges whether storage is fast enough for a number of mailboxes, as Jetstress did: loads"
                    + " mailbox databases at a target of I/O a second and gives a verdict with its"
                    + " reasons.",
            "Exits with 0 if the storage passes and 3 if it fails. Continues an interrupted test if"
                    + " given the same --output again."
        })
public final class QualifyCommand implements Callable<Integer>, OwnDefaults.Dependent {
    private static final Duration LONG = Duration.ofHours(2);
    private static final long QUICK_LOG_BYTES = 64 << 20;
    private static final long LOG_BYTES = 500 << 20;

    @Mixin
    private QualifyDatabaseOptions databases;

    @Mixin
    private TransactionOptions transactions;

    @Mixin
    private DatabaseCacheOptions caches;

    @Option(
            names = "--phases",
            paramLabel = "PHASE[=TIME]",
            split = ",",
            mapFallbackValue = Option.NULL_VALUE,
            defaultValue = "performance,backup,recovery,checksum",
            description =
                    "Phases: ${COMPLETION-CANDIDATES}, each[=TIME]." + " Default: all but stress.")
    private Map<Phase, @Nullable Duration> phases;

    @ArgGroup(exclusive = true)
    private Form form = new Form();

    /** How long the test is; at most one of them. */
    static final class Form {
        /** The default, which nothing has to ask for. */
        @Option(
                names = "--quick",
                description = "Takes little time; 20 minutes. Default: this form.")
        boolean quick;

        @Option(names = "--standard", description = "Takes 2h for the performance phase.")
        private boolean standard;

        @Option(names = "--stress", description = "Takes 24h for the stress phase.")
        private boolean stress;
    }

    @Mixin
    private CommonOptions.MeasuredTime measured;

    /** Read from the settings, by the report, as the two after it. */
    @Option(names = "--name", description = "Title of the table and the report.")
    @Nullable
    String name;

    @Option(names = "--description", description = "Words about the solution.")
    @Nullable
    String description;

    @Option(names = "--contact", description = "Address for questions.")
    @Nullable
    String contact;

    @Mixin
    private LatencyLimitOptions limits;

    /** Read from the settings, by the verdict. */
    @Mixin
    CommonOptions.SharedMachine sharedMachine;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    private StudyOptions shown;

    @Override
    public String defaults() {
        // Of each mode that is compared, all rounds together.
        return (caches.areCompared() ? "--duration=5m --loop=closed" : "")
                + (form.standard ? " --duration=2h" : "")
                + (form.stress ? " --duration=24h --phases=stress,backup,recovery,checksum" : "");
    }

    @Override
    public Integer call() throws IOException {
        QualifyRequest request = request();
        List<Path> volumes = new ArrayList<>(databases.databaseVolumes);
        volumes.addAll(databases.logVolumes);
        if (EmulatedCommand.isNeeded(TestVolumesOption.USUAL, volumes)) {
            return EmulatedCommand.run(shown.spec);
        }
        try (QualifyStudy study = new QualifyStudy(request)) {
            return shown.run(study, settings(request), study::volumes);
        }
    }

    private QualifyRequest request() {
        boolean isComparing = caches.areCompared();
        if (isComparing) {
            OptionNames.refuse(
                    shown.spec,
                    List.of("--phases", "--stress", "--require"),
                    "goes with one --cache-mode: several are compared in place of the phases");
        }
        OptionNames.requireOnce(shown.spec, List.of("--phases", "--mix", "--require"));
        Map<Phase, Duration> lengths = new EnumMap<>(Phase.class);
        phases.forEach((phase, given) -> {
            if (given != null && !phase.hasTransactions()) {
                throw UserError.usage("--phases " + phase + "=" + Durations.format(given)
                        + ": it ends by itself; only performance and stress take a time");
            }
            if (!isComparing) {
                lengths.put(phase, given == null ? measured.time : given);
            }
        });
        boolean isLong = lengths.values().stream().anyMatch(one -> one.compareTo(LONG) >= 0);
        return new QualifyRequest(
                databases.read(transactions.users()),
                caches.read(),
                transactions.read(seed.value),
                new QualifyRequest.Test(
                        lengths, measured.time, isLong ? LOG_BYTES : QUICK_LOG_BYTES),
                limits.read());
    }

    /**
     * What was in force where an option was left out, too; what --quick and the like stand for is in
     * phases and duration, and in recovery-log, the log of each database at its crash.
     */
    private Map<String, Object> settings(QualifyRequest request) {
        Map<String, Object> all = shown.settings();
        List.of("quick", "standard", "stress").forEach(all::remove);
        if (caches.areCompared()) {
            all.put("phases", "");
        }
        if (databases.haveMailboxes()) {
            all.put("database-size", ByteSize.format(request.databases().bytes()));
        }
        all.put("recovery-log", ByteSize.format(request.test().recoveryLogBytes()));
        if (transactions.users() != null) {
            all.put("iops-per-user", transactions.iopsPerUser());
        }
        return all;
    }
}
