package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.bench.qualify.CacheMode;
import org.hubmark.bench.qualify.Engine;
import org.hubmark.bench.qualify.Phase;
import org.hubmark.bench.qualify.QualifyRequest;
import org.hubmark.bench.qualify.QualifyStudy;
import org.hubmark.bench.qualify.TransactionMix;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.bench.qualify.result.PercentileLimits;
import org.hubmark.bench.qualify.result.StorageClass;
import org.hubmark.bench.qualify.result.Thresholds;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
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
    private static final int DATABASES_MAX = 100;
    private static final int THREADS_MAX = 256;
    private static final int COPIES_MAX = 16;
    private static final long DATABASE_BYTES_MIN = 8_000_000;
    private static final long CACHE_BYTES_MIN = 1 << 20;
    private static final long MAILBOX_BYTES_MAX = 1L << 38;
    private static final int USERS_MAX = 10_000_000;
    private static final double PERCENT = 100;
    /** What is left is for logs and for what the load adds. */
    private static final int FILL_PERCENT_MAX = 90;
    /** The value of the source. */
    private static final double IOPS_PER_USER = 0.18;

    private static final Duration QUICK = Duration.ofMinutes(12);
    /** Measured time of each cache mode, all rounds together. */
    private static final Duration COMPARED = Duration.ofMinutes(5);

    private static final Duration STANDARD = Duration.ofHours(2);
    private static final Duration STRESS = Duration.ofHours(24);
    private static final long QUICK_LOG_BYTES = 64 << 20;
    private static final long LOG_BYTES = 500 << 20;

    /** What begins a transaction: the clock, or the end of the one before. */
    enum Loop {
        OPEN,
        CLOSED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--database-volume",
            paramLabel = "DIR",
            split = ",",
            required = true,
            converter = Converters.Volume.class,
            description = "Folders for the databases, which are dealt out to them in turn"
                    + CommonOptions.VOLUME_RULE + " Required.")
    private List<Path> databaseVolumes;

    @Option(
            names = "--log-volume",
            paramLabel = "DIR",
            split = ",",
            required = true,
            converter = Converters.Volume.class,
            description = "Folders for the logs of the databases, which are dealt out to them in"
                    + " turn" + CommonOptions.VOLUME_RULE + " Required.")
    private List<Path> logVolumes;

    @Option(
            names = "--engine",
            paramLabel = "pages|lsm",
            defaultValue = "pages",
            description = "Engine of the databases: B+trees on pages of 32KiB that are written in"
                    + " their places (pages), or RocksDB (lsm). Default: ${DEFAULT-VALUE}.")
    private Engine engine;

    @Option(
            names = "--databases",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of databases. Default: ${DEFAULT-VALUE}.")
    private int databases;

    @Option(
            names = "--database-size",
            paramLabel = "SIZE",
            defaultValue = "1GB",
            converter = Converters.Size.class,
            description = "Size to fill each database to. Default: ${DEFAULT-VALUE}.")
    private long databaseSize;

    @Option(
            names = "--mailbox",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Size of each of the mailboxes of --users, which are dealt out to the"
                    + " databases; in place of --database-size. Default: none.")
    private @Nullable Long mailbox;

    @Option(
            names = "--fill",
            paramLabel = "P,P",
            split = ",",
            converter = BenchConverters.Percent.class,
            description = "Shares of the database volumes to fill, such as 25%%,50%%,80%%. The"
                    + " databases grow from one to the next and have the performance load at each,"
                    + " in place of the phases and of --database-size. Default: none.")
    private @Nullable List<Double> fills;

    @Option(
            names = "--users",
            paramLabel = "N",
            description =
                    "Mailboxes on all databases together; this number times --iops-per-user is"
                            + " the target. Default: none, if --target-iops is given.")
    private @Nullable Integer users;

    @Mixin
    private CommonOptions.IopsPerUser iopsPerUser;

    @Option(
            names = "--target-iops",
            paramLabel = "N",
            description = "Target of database reads and writes a second, in place of --users."
                    + " Default: from --users.")
    private @Nullable Double targetIops;

    @Option(
            names = "--threads",
            paramLabel = "N|auto",
            defaultValue = "auto",
            description = "Threads for each database; auto searches for the number that reaches the"
                    + " target. Default: ${DEFAULT-VALUE}.")
    private String threads;

    @Option(
            names = "--loop",
            paramLabel = "open|closed",
            defaultValue = "open",
            description = "Start of transactions: by the clock, to reach the target (open), or when"
                    + " the one before has ended, to reach the maximum (closed)."
                    + " Default: ${DEFAULT-VALUE}; closed where cache modes are compared.")
    private Loop loop;

    @Option(
            names = "--cache-min",
            paramLabel = "SIZE",
            defaultValue = "64MB",
            converter = Converters.Size.class,
            description = "Smallest size of the cache of all databases, which it has from the"
                    + " beginning; with --engine lsm the share that is left for blocks."
                    + " Default: ${DEFAULT-VALUE}.")
    private long cacheMin;

    @Option(
            names = "--cache-max",
            paramLabel = "SIZE",
            split = ",",
            defaultValue = "256MB",
            converter = Converters.Size.class,
            description = "Size of the cache of all databases, unwritten data included. Several,"
                    + " such as 256MB,64MB,1GB, are compared in place of the phases: each by the"
                    + " same load in five rounds, with the prediction from the first."
                    + " Default: ${DEFAULT-VALUE}.")
    private List<Long> cacheMax;

    @Option(
            names = "--cache-mode",
            paramLabel = "all|metadata|off",
            split = ",",
            defaultValue = "all",
            description = "Pages that the cache holds: all, inner pages only (metadata; with"
                    + " --engine lsm index and filter blocks), or none (off). Several, such as off,metadata,all, are compared"
                    + " in place of the phases: each with the first, by the same load in five"
                    + " rounds. Default: ${DEFAULT-VALUE}.")
    private List<CacheMode> cacheModes;

    @Option(
            names = "--cache-profile",
            paramLabel = "on|off",
            defaultValue = "on",
            description = "Prediction of the hit rates of caches of other sizes, made during the"
                    + " load. Default: ${DEFAULT-VALUE}.")
    private CommonOptions.Switch cacheProfile;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = "insert=40,delete=20,replace=5,read=35",
            description = "Percentages of transactions. Default: ${DEFAULT-VALUE}.")
    private TransactionMix mix;

    @Option(
            names = "--lazy-commits",
            paramLabel = "PERCENT",
            defaultValue = "70%",
            converter = BenchConverters.Percent.class,
            description = "Share of the commits that are not synced. Default: 70%%.")
    private double lazyCommits;

    @Option(
            names = "--copies",
            paramLabel = "N",
            defaultValue = "1",
            description = "Copies of each database; all but one read its log."
                    + " Default: ${DEFAULT-VALUE}.")
    private int copies;

    @Option(
            names = "--maintenance",
            paramLabel = "on|off",
            defaultValue = "on",
            description = "Check of blocks in the background, during the load."
                    + " Default: ${DEFAULT-VALUE}.")
    private CommonOptions.Switch maintenance;

    @Option(
            names = "--phases",
            paramLabel = "PHASE",
            split = ",",
            description = "Phases to run: ${COMPLETION-CANDIDATES}. Default: all but stress and"
                    + " failover; with --stress, all but performance and failover.")
    private @Nullable List<Phase> phases;

    @Option(
            names = "--failover",
            description = "Adds the failover phase: half of the databases have their share of the"
                    + " target, and in the middle of the time the load of the others arrives, as from"
                    + " a failed server. Default: none.")
    private boolean failover;

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
            description = "Measured time of the performance or stress phase (ms, s, m, h)."
                    + " Default: 12m with --quick, 2h with --standard, 24h with --stress; 5m for"
                    + " each of several cache modes.")
    private @Nullable Duration duration;

    @Option(
            names = "--recovery-log",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Log size of each database at the kill that starts the recovery phase."
                    + " Default: 64MiB with --quick, otherwise 500MiB.")
    private @Nullable Long recoveryLog;

    @Option(
            names = "--read-latency",
            paramLabel = "TIME",
            defaultValue = "20ms",
            description = "Highest mean latency of database reads, in each database."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration readLatency;

    @Option(
            names = "--read-latency-max",
            paramLabel = "TIME",
            defaultValue = "100ms",
            description = "Highest mean latency of database reads in any sample of 15s."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration readLatencyMax;

    @Option(
            names = "--log-latency",
            paramLabel = "TIME",
            defaultValue = "10ms",
            description = "Highest mean latency of log writes, in each database."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration logLatency;

    @Option(
            names = "--log-latency-max",
            paramLabel = "TIME",
            defaultValue = "100ms",
            description = "Highest mean latency of log writes in any sample of 15s."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration logLatencyMax;

    @Option(
            names = "--class",
            paramLabel = "nvme|ssd|hdd",
            description = "Class of storage whose percentiles of latency each database has to keep,"
                    + " in addition to the other limits (docs/qualify.md). Default: none.")
    private @Nullable StorageClass storageClass;

    @Option(
            names = "--require",
            paramLabel = "NAME.pN=TIME,...",
            description = "Highest percentiles of latency in each database, such as"
                    + " read.p99=5ms,read.p99.9=20ms,log.p99=2ms (read and log; p95, p99 and"
                    + " p99.9). Those of --class go on where they are not named. Default: none.")
    private @Nullable PercentileLimits require;

    @Option(
            names = "--keep",
            description = "Keeps the databases in their volumes, where a later run takes them as"
                    + " they are. Default: removes those that this run has made.")
    private boolean keep;

    /** Read from the settings, by the verdict. */
    @Mixin
    CommonOptions.SharedMachine sharedMachine;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    private StudyOptions shown;

    @Mixin
    private TestVolumesOption state;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        QualifyRequest request = request();
        if (isEmulated() && !SyncEmulation.active()) {
            return emulated();
        }
        try (QualifyStudy study = new QualifyStudy(request)) {
            return shown.run(study, settings(request.test()), study::volumes);
        }
    }

    private int emulated() throws IOException {
        try (Interruption unused = new Interruption()) {
            return EmulatedCommand.run(spec, state.volumes());
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
    }

    private boolean isEmulated() throws IOException {
        List<TestVolume> made = state.volumes().list();
        for (List<Path> volumes : List.of(databaseVolumes, logVolumes)) {
            for (Path volume : volumes) {
                TestVolume around =
                        Files.isDirectory(volume) ? TestVolume.around(volume, made) : null;
                if (around != null && around.profile() != null) {
                    return true;
                }
            }
        }
        return false;
    }

    private QualifyRequest request() {
        check();
        boolean isLong = standard || stress;
        Set<Phase> chosen = phases();
        Duration collected = duration != null
                ? duration
                : stress ? STRESS : standard ? STANDARD : comparesCaches() ? COMPARED : QUICK;
        long logBytes = recoveryLog != null ? recoveryLog : isLong ? LOG_BYTES : QUICK_LOG_BYTES;
        return new QualifyRequest(
                new QualifyRequest.Databases(
                        engine, databaseVolumes, logVolumes, databases, databaseBytes(), keep),
                new QualifyRequest.Caches(
                        cacheModes,
                        cacheMin,
                        cacheMax.getFirst(),
                        cacheMax.size() > 1 ? cacheMax : List.of(),
                        cacheProfile == CommonOptions.Switch.ON),
                new QualifyRequest.Load(
                        target(),
                        threads(),
                        mix,
                        lazyCommits,
                        copies,
                        maintenance == CommonOptions.Switch.ON,
                        isOpen(),
                        seed.value),
                new QualifyRequest.Test(chosen, collected, logBytes, fillPercents()),
                new Thresholds(
                        millis(readLatency),
                        millis(readLatencyMax),
                        millis(logLatency),
                        millis(logLatencyMax),
                        percentiles()));
    }

    private PercentileLimits percentiles() {
        StorageClass kind = storageClass;
        PercentileLimits given = require;
        return (kind == null ? PercentileLimits.NONE : kind.limits())
                .with(given == null ? PercentileLimits.NONE : given);
    }

    private boolean comparesCaches() {
        return cacheModes.size() > 1 || cacheMax.size() > 1;
    }

    /**
     * Tells whether the loop is open. With an open loop all cache modes do the same work, unless
     * one can't keep up.
     */
    private boolean isOpen() {
        boolean given = spec.commandLine().getParseResult().hasMatchedOption("--loop");
        return loop == Loop.OPEN && (given || !comparesCaches());
    }

    private Set<Phase> phases() {
        if (comparesCaches() || fills != null) {
            return Set.of();
        }
        Set<Phase> chosen = phases == null
                ? EnumSet.complementOf(
                        EnumSet.of(stress ? Phase.PERFORMANCE : Phase.STRESS, Phase.FAILOVER))
                : EnumSet.copyOf(phases);
        if (failover) {
            chosen.add(Phase.FAILOVER);
        }
        return chosen;
    }

    /**
     * What was in force where an option was left out, too; what --quick and the like stand for is in
     * phases, duration and recovery-log.
     */
    private Map<String, Object> settings(QualifyRequest.Test test) {
        Map<String, Object> all = Outcomes.settings(spec);
        List.of("quick", "standard", "stress", "failover").forEach(all::remove);
        all.put(
                "phases",
                test.phases().stream()
                        .sorted()
                        .map(Phase::toString)
                        .collect(Collectors.joining(",")));
        all.put("loop", (isOpen() ? Loop.OPEN : Loop.CLOSED).toString());
        all.put(
                "cache-max",
                cacheMax.stream().map(ByteSize::format).collect(Collectors.joining(",")));
        if (mailbox != null) {
            all.put("database-size", ByteSize.format(databaseBytes()));
        }
        if (fills != null) {
            all.remove("database-size");
        }
        all.put("duration", Durations.format(test.collection()));
        all.put("recovery-log", ByteSize.format(test.recoveryLogBytes()));
        if (users != null) {
            all.put("iops-per-user", iopsPerUser());
        }
        return all;
    }

    private double iopsPerUser() {
        Double given = iopsPerUser.given;
        return given == null ? IOPS_PER_USER : given;
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }

    private double target() {
        Double given = targetIops;
        Integer mailboxes = users;
        if (given != null && mailboxes != null) {
            throw UserError.usage("--target-iops and --users exclude each other");
        }
        if (given == null && mailboxes == null) {
            throw UserError.usage("--users N or --target-iops N is missing");
        }
        if (given != null) {
            if (iopsPerUser.given != null) {
                throw UserError.usage("--iops-per-user goes with --users, not with --target-iops");
            }
            return positive("--target-iops", given);
        }
        double each = positive("--iops-per-user", iopsPerUser());
        return positive("--users", mailboxes == null ? 0 : mailboxes) * each;
    }

    private static double positive(String option, double value) {
        if (!(value > 0 && value <= USERS_MAX)) {
            throw UserError.usage(option + " " + value + ": above 0, at most 10000000");
        }
        return value;
    }

    private @Nullable Integer threads() {
        if (threads.equals("auto")) {
            return null;
        }
        if (!threads.matches("\\d{1,4}")) {
            throw UserError.usage(
                    "--threads " + threads + ": a number from 1 to " + THREADS_MAX + ", or auto");
        }
        int count = Integer.parseInt(threads);
        Ranges.within("--threads", count, 1, THREADS_MAX);
        return count;
    }

    private void check() {
        Ranges.within("--databases", databases, 1, DATABASES_MAX);
        Ranges.within("--copies", copies, 1, COPIES_MAX);
        checkSizes();
        checkCaches();
        if (phases().contains(Phase.FAILOVER) && (databases < 2 || !isOpen())) {
            throw UserError.usage("the failover phase goes with two --databases or more, and"
                    + " --loop open");
        }
        if (failover && (fills != null || comparesCaches())) {
            throw UserError.usage("--failover goes without --fill, and with one --cache-mode and"
                    + " one --cache-max");
        }
        if ((quick ? 1 : 0) + (standard ? 1 : 0) + (stress ? 1 : 0) > 1) {
            throw UserError.usage("--quick, --standard and --stress exclude each other");
        }
        if (recoveryLog != null && recoveryLog < CACHE_BYTES_MIN) {
            throw UserError.usage(
                    "--recovery-log " + ByteSize.format(recoveryLog) + ": 1MiB or more");
        }
        for (Duration time : new Duration[] {
            duration == null ? STANDARD : duration,
            readLatency,
            readLatencyMax,
            logLatency,
            logLatencyMax
        }) {
            if (time.isZero()) {
                throw UserError.usage("durations and limits of latency must be more than 0s");
            }
        }
    }

    /** {@return the size of each database} */
    private long databaseBytes() {
        Long each = mailbox;
        Integer mailboxes = users;
        return each == null || mailboxes == null
                ? databaseSize
                : each * Math.min(Math.max(1, mailboxes), USERS_MAX) / databases;
    }

    private List<Integer> fillPercents() {
        List<Double> shares = fills;
        return shares == null
                ? List.of()
                : shares.stream().map(share -> (int) Math.round(share * PERCENT)).toList();
    }

    private void checkSizes() {
        boolean isSizeGiven = spec.commandLine().getParseResult().hasMatchedOption("--database-size");
        if (mailbox != null && users == null) {
            throw UserError.usage("--mailbox goes with --users");
        }
        if (isSizeGiven && (mailbox != null || fills != null)) {
            throw UserError.usage("--database-size and " + (mailbox == null ? "--fill" : "--mailbox")
                    + " exclude each other");
        }
        if (mailbox != null && fills != null) {
            throw UserError.usage("--mailbox and --fill exclude each other");
        }
        if (mailbox != null && mailbox > MAILBOX_BYTES_MAX) {
            throw UserError.usage("--mailbox " + ByteSize.format(mailbox) + ": "
                    + ByteSize.format(MAILBOX_BYTES_MAX) + " or less");
        }
        if (databaseBytes() < DATABASE_BYTES_MIN) {
            throw UserError.usage((mailbox == null ? "--database-size " : "databases of ")
                    + ByteSize.format(databaseBytes()) + ": "
                    + ByteSize.format(DATABASE_BYTES_MIN) + " or more");
        }
        if (fills != null) {
            checkFills(fills);
        }
    }

    private void checkFills(List<Double> shares) {
        for (int i = 0; i < shares.size(); i++) {
            double percent = shares.get(i) * PERCENT;
            if (Math.abs(percent - Math.rint(percent)) > 1e-6
                    || percent < 1
                    || percent > FILL_PERCENT_MAX
                    || (i > 0 && shares.get(i) <= shares.get(i - 1))) {
                throw UserError.usage("--fill: whole percentages from 1% to " + FILL_PERCENT_MAX
                        + "%, each larger than the one before");
            }
        }
        if (phases != null || stress || comparesCaches()) {
            throw UserError.usage("--fill goes without --phases and --stress, and with one"
                    + " --cache-mode and one --cache-max");
        }
    }

    private void checkCaches() {
        for (long size : cacheMax) {
            if (engine == Engine.PAGES && size < PageCache.BYTES_MIN) {
                throw UserError.usage("--cache-max " + ByteSize.format(size) + ": "
                        + ByteSize.format(PageCache.BYTES_MIN) + " or more with --engine pages");
            }
            if (cacheMin < CACHE_BYTES_MIN || size <= cacheMin) {
                throw UserError.usage("--cache-min " + ByteSize.format(cacheMin) + ", --cache-max "
                        + ByteSize.format(size) + ": --cache-min is 1MiB or more, and"
                        + " --cache-max is larger");
            }
        }
        if (EnumSet.copyOf(cacheModes).size() < cacheModes.size()) {
            throw UserError.usage("--cache-mode names a mode twice");
        }
        if (Set.copyOf(cacheMax).size() < cacheMax.size()) {
            throw UserError.usage("--cache-max names a size twice");
        }
        if (cacheMax.size() > 1 && cacheModes.size() > 1) {
            throw UserError.usage("several of --cache-max and several of --cache-mode exclude each"
                    + " other: compare modes of one size, or sizes with one mode");
        }
        if (cacheMax.size() > 1 && cacheModes.getFirst() != CacheMode.ALL) {
            throw UserError.usage("several of --cache-max go with --cache-mode all, since another"
                    + " mode keeps no data");
        }
        if (comparesCaches() && !percentiles().most().isEmpty()) {
            throw UserError.usage((require == null ? "--class" : "--require") + " goes with one"
                    + " --cache-mode and one --cache-max: a comparison has no verdict");
        }
        if (comparesCaches() && (phases != null || stress)) {
            throw UserError.usage((stress ? "--stress" : "--phases") + " goes with one --cache-mode"
                    + " and one --cache-max: several are compared in place of the phases");
        }
    }
}
