package org.hubmark.bench.cli;

import org.hubmark.bench.qualify.Phase;
import org.hubmark.bench.qualify.PhaseLength;
import org.hubmark.bench.qualify.QualifyRequest;
import org.hubmark.bench.qualify.QualifyStudy;
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
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

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
            defaultValue = "performance,backup,recovery,checksum",
            description = "Phases: performance, stress, backup, recovery, checksum,"
                    + " each[=TIME]. Default: all but stress.")
    private List<PhaseLength> phases;

    @ArgGroup(exclusive = true)
    private Form form = new Form();

    /** How long the test is; at most one of them. */
    static final class Form {
        /** The default, which nothing has to ask for. */
        @Option(
                names = "--quick",
                description = "Takes little time; 20 minutes in all. Default: this form.")
        boolean quick;

        @Option(
                names = "--standard",
                description = "Takes 2h for the performance phase. Default: --quick.")
        private boolean standard;

        @Option(
                names = "--stress",
                description = "Takes 24h for the stress phase, which is in place of"
                        + " performance. Default: --quick.")
        private boolean stress;
    }

    @Mixin
    private CommonOptions.MeasuredTime measured;

    /** Read from the settings, by the report, as the two after it. */
    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description =
                    "Title of the table and the report, to tell results apart. Default: none.")
    @Nullable
    String name;

    @Option(
            names = "--description",
            paramLabel = "TEXT",
            description = "Words about the solution, for the report. Default: none.")
    @Nullable
    String description;

    @Option(
            names = "--contact",
            paramLabel = "TEXT",
            description = "Address for questions, for the report. Default: none.")
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
    public Map<String, String> defaults() {
        Map<String, String> all = new HashMap<>();
        if (caches.areCompared()) {
            // Of each mode, all rounds together.
            all.putAll(Map.of("--duration", "5m", "--loop", "closed"));
        }
        if (form.standard) {
            all.put("--duration", Durations.format(LONG));
        }
        if (form.stress) {
            all.put("--duration", "24h");
            all.put("--phases", "stress,backup,recovery,checksum");
        }
        return all;
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
        QualifyRequest.Databases read = databases.read(transactions.users());
        QualifyRequest.Caches cache = caches.read();
        check(isComparing);
        Map<Phase, Duration> lengths = new EnumMap<>(Phase.class);
        for (PhaseLength one : isComparing ? List.<PhaseLength>of() : phases) {
            lengths.put(one.phase(), one.length() == null ? measured.time : one.length());
        }
        boolean isLong = lengths.values().stream().anyMatch(one -> one.compareTo(LONG) >= 0);
        return new QualifyRequest(
                read,
                cache,
                transactions.read(seed.value),
                new QualifyRequest.Test(
                        lengths, measured.time, isLong ? LOG_BYTES : QUICK_LOG_BYTES),
                limits.read(isComparing));
    }

    /**
     * What was in force where an option was left out, too; what --quick and the like stand for is in
     * phases and duration, and in recovery-log, the log of each database at its crash.
     */
    private Map<String, Object> settings(QualifyRequest request) {
        QualifyRequest.Test test = request.test();
        Map<String, Object> all = shown.settings();
        List.of("quick", "standard", "stress").forEach(all::remove);
        all.put(
                "phases",
                phases.stream()
                        .filter(one -> test.phases().containsKey(one.phase()))
                        .sorted(Comparator.comparing(PhaseLength::phase))
                        .map(PhaseLength::toString)
                        .collect(Collectors.joining(",")));
        all.put("cache-max", ByteSize.format(caches.cacheMax));
        if (databases.haveMailboxes()) {
            all.put("database-size", ByteSize.format(request.databases().bytes()));
        }
        all.put("duration", Durations.format(measured.time));
        all.put("recovery-log", ByteSize.format(test.recoveryLogBytes()));
        if (transactions.users() != null) {
            all.put("iops-per-user", transactions.iopsPerUser());
        }
        return all;
    }

    private void check(boolean isComparing) {
        boolean isGiven = OptionNames.isGiven(shown.spec, "--phases");
        if (isComparing && (isGiven || form.stress)) {
            throw UserError.usage((form.stress ? "--stress" : "--phases") + " goes with one"
                    + " --cache-mode: several are compared in place of the phases");
        }
        if (phases.stream().map(PhaseLength::phase).distinct().count() < phases.size()) {
            throw UserError.usage("--phases has a phase twice");
        }
    }
}
