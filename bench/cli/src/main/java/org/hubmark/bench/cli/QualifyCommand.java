package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.bench.mail.study.Interruption;
import org.hubmark.bench.qualify.Phase;
import org.hubmark.bench.qualify.PhaseLength;
import org.hubmark.bench.qualify.QualifyRequest;
import org.hubmark.bench.qualify.QualifyStudy;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Judges storage as Jetstress did. */
@Command(
        name = "qualify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Judges whether storage is fast enough for a number of mailboxes, as Jetstress did: loads"
                    + " mailbox databases at a target of I/O a second and gives a verdict with its"
                    + " reasons.",
            "Exits with 0 if the storage passes and 3 if it fails. Continues an interrupted test if"
                    + " given the same --output again."
        })
public final class QualifyCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;
    private static final TestVolumes VOLUMES = new TestVolumes(Path.of(TestVolumesOption.DEFAULT));
    private static final Duration QUICK = Duration.ofMinutes(12);
    /** Measured time of each cache mode, all rounds together. */
    private static final Duration COMPARED = Duration.ofMinutes(5);

    private static final Duration STANDARD = Duration.ofHours(2);
    private static final Duration STRESS = Duration.ofHours(24);
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
            description =
                    "Phases to run: performance, stress, backup, recovery, checksum; a time is the"
                            + " --duration of performance or stress. Default: all but stress; with"
                            + " --stress, all but performance.")
    private @Nullable List<PhaseLength> phases;

    @Option(names = "--quick", description = "Takes about 20 minutes in all. Default: this form.")
    private boolean quick;

    @Option(
            names = "--standard",
            description = "Takes 2h for the performance phase. Default: --quick.")
    private boolean standard;

    @Option(
            names = "--stress",
            description = "Runs the stress phase, which takes 24h. Default: --quick.")
    private boolean stress;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Measured time of the performance or stress phase. Default: 12m with"
                    + " --quick, 2h with --standard, 24h with --stress.")
    private @Nullable Duration duration;

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

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        QualifyRequest request = request();
        if (isEmulated() && !SyncEmulation.active()) {
            return emulated();
        }
        try (QualifyStudy study = new QualifyStudy(request)) {
            return shown.run(study, settings(request), study::volumes);
        }
    }

    private int emulated() throws IOException {
        try (Interruption unused = new Interruption()) {
            return EmulatedCommand.run(spec, VOLUMES);
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
    }

    private boolean isEmulated() throws IOException {
        List<TestVolume> made = VOLUMES.list();
        for (List<Path> volumes : List.of(databases.databaseVolumes, databases.logVolumes)) {
            for (Path volume : volumes) {
                TestVolume around =
                        Files.isDirectory(volume) ? TestVolume.enclosing(volume, made) : null;
                if (around != null && around.profile() != null) {
                    return true;
                }
            }
        }
        return false;
    }

    private QualifyRequest request() {
        boolean isComparing = caches.areCompared();
        QualifyRequest.Databases read = databases.read(transactions.users);
        QualifyRequest.Caches cache = caches.read();
        check(isComparing);
        return new QualifyRequest(
                read,
                cache,
                transactions.read(isComparing, seed.value),
                new QualifyRequest.Test(phases(), lengths(), collection(), recoveryLogBytes()),
                limits.read(isComparing));
    }

    private Duration collection() {
        if (duration != null) {
            return duration;
        }
        return stress ? STRESS : standard ? STANDARD : caches.areCompared() ? COMPARED : QUICK;
    }

    private long recoveryLogBytes() {
        boolean isLong = lengths().values().stream().anyMatch(one -> one.compareTo(STANDARD) >= 0);
        return standard || stress || isLong ? LOG_BYTES : QUICK_LOG_BYTES;
    }

    private Set<Phase> phases() {
        if (caches.areCompared()) {
            return Set.of();
        }
        return phases == null
                ? EnumSet.complementOf(EnumSet.of(stress ? Phase.PERFORMANCE : Phase.STRESS))
                : phases.stream()
                        .map(PhaseLength::phase)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Phase.class)));
    }

    private Map<Phase, Duration> lengths() {
        Map<Phase, Duration> lengths = new EnumMap<>(Phase.class);
        for (PhaseLength one : phases == null ? List.<PhaseLength>of() : phases) {
            if (one.length() != null) {
                lengths.put(one.phase(), one.length());
            }
        }
        return lengths;
    }

    /**
     * What was in force where an option was left out, too; what --quick and the like stand for is in
     * phases and duration, and in recovery-log, the log of each database when it is killed.
     */
    private Map<String, Object> settings(QualifyRequest request) {
        QualifyRequest.Test test = request.test();
        Map<String, Object> all = Outcomes.settings(spec);
        List.of("quick", "standard", "stress").forEach(all::remove);
        all.put(
                "phases",
                test.phases().stream()
                        .sorted()
                        .map(phase -> new PhaseLength(phase, test.lengths().get(phase)).toString())
                        .collect(Collectors.joining(",")));
        all.put(
                "loop",
                (request.load().openLoop()
                                ? TransactionOptions.Loop.OPEN
                                : TransactionOptions.Loop.CLOSED)
                        .toString());
        all.put("cache-max", ByteSize.format(caches.cacheMax));
        if (databases.haveMailboxes()) {
            all.put("database-size", ByteSize.format(request.databases().bytes()));
        }
        all.put("duration", Durations.format(test.collection()));
        all.put("recovery-log", ByteSize.format(test.recoveryLogBytes()));
        if (transactions.users != null) {
            all.put("iops-per-user", transactions.iopsPerUser());
        }
        return all;
    }

    private void check(boolean isComparing) {
        if (isComparing && (phases != null || stress)) {
            throw UserError.usage((stress ? "--stress" : "--phases") + " goes with one"
                    + " --cache-mode: several are compared in place of the phases");
        }
        if ((quick ? 1 : 0) + (standard ? 1 : 0) + (stress ? 1 : 0) > 1) {
            throw UserError.usage("--quick, --standard and --stress exclude each other");
        }
        if (phases != null
                && phases.stream().map(PhaseLength::phase).distinct().count() < phases.size()) {
            throw UserError.usage("--phases has a phase twice");
        }
        if (duration != null && duration.isZero()) {
            throw UserError.usage("--duration must be more than 0s");
        }
    }
}
