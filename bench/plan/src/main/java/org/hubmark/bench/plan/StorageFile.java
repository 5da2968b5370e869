package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.plan.QualificationFile.Phase;
import org.hubmark.core.ByteSize;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What one qualification.json says of one cache mode: I/O and latency of the storage, and the sizes of cache
 * and databases.
 *
 * @param phase whose figures are taken
 * @param cacheMode off, metadata or all
 */
record StorageFile(Path file, QualificationFile all, Phase phase, String cacheMode) {
    private static final double PERCENT = 100;
    private static final double MB = 1e6;

    /** Those with transactions, the one that is judged first. */
    private static final List<String> PHASES = List.of("performance", "stress");

    /** Settings that make a load and databases; with others of these nothing is compared. */
    private static final List<String> SAME = List.of(
            "copies",
            "database-size",
            "databases",
            "iops-per-user",
            "lazy-commits",
            "loop",
            "maintenance",
            "mix",
            "target-iops",
            "threads",
            "users");

    /** {@return what is in a file: of a comparison of cache modes the one without and the largest} */
    static List<StorageFile> of(Path file, Collected into) {
        QualificationFile all;
        try {
            all = JsonFile.read(file, QualificationFile.class);
            JsonFile.read(file, SourceWarnings.class).warn(file, into);
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
        List<StorageFile> compared = Stream.of(Stream.of("off"), Stream.of("all", "metadata"))
                .flatMap(modes ->
                        modes.flatMap(mode -> compared(file, all, mode)).limit(1))
                .toList();
        return compared.isEmpty() ? List.of(single(file, all)) : compared;
    }

    /** {@return the block of a mode that has the median of the rates} */
    private static Stream<StorageFile> compared(Path file, QualificationFile all, String mode) {
        List<Phase> rounds = all.caches().stream()
                .filter(cache -> cache.cache().equals(mode))
                .flatMap(cache -> cache.rounds().stream())
                .sorted(Comparator.comparingDouble(Phase::rate))
                .toList();
        return rounds.isEmpty()
                ? Stream.empty()
                : Stream.of(new StorageFile(file, all, rounds.get(rounds.size() / 2), mode));
    }

    private static StorageFile single(Path file, QualificationFile all) {
        for (String name : PHASES) {
            for (Phase phase : all.phases()) {
                if (name.equals(phase.phase())
                        && phase.isComplete()
                        && phase.totals().achievedIops() != null) {
                    String mode = all.setting("cache-mode");
                    return new StorageFile(file, all, phase, mode == null ? "all" : mode);
                }
            }
        }
        throw UserError.usage(file + " has no performance or stress phase that is complete; run"
                + " qualify with one of them");
    }

    boolean isWithoutCache() {
        return cacheMode().equals("off");
    }

    private boolean isCompared() {
        return !all.caches().isEmpty();
    }

    Source source() {
        return Source.measured(file + ", "
                + (isCompared()
                        ? "cache mode " + cacheMode + ", median of its blocks"
                        : phase.name()));
    }

    /** Takes what a plan needs of one storage. */
    void read(Collected into) {
        double reads = orZero(phase.totals().dbReadsPerS());
        double writes = orZero(phase.totals().dbWritesPerS());
        if (reads + writes > 0) {
            double share = PERCENT * reads / (reads + writes);
            into.measured(PlanInputs.READ_PERCENT_MEASURED, share, source());
            if (all.writesPages()) {
                into.measured(PlanInputs.DB_READ_PERCENT, share, source());
            } else {
                into.warn(file + ": its databases wrote few large blocks (engine lsm of version"
                        + " 0.1.0); the share of reads of a plan is not taken from it, qualify"
                        + " measures it");
            }
        }
        readDisks(into);
        Source told = Source.given("as qualify was told, " + file);
        into.measured(PlanInputs.IOPS_PER_USER, all.number("iops-per-user"), told);
        into.measured(PlanInputs.USERS_MEASURED, all.number("users"), told);
        into.measured(PlanInputs.READ_LATENCY_LIMIT_MS, all.readLatencyLimit(), told);
        into.measured(PlanInputs.CACHE_MB, cacheMb(), told);
        into.measured(PlanInputs.CPU_PERCENT, phase.cpuPercent(), source());
        // Version 0.1.0 had a verdict of its own for it.
        boolean isWeak = "pass (cache)".equals(phase.verdict())
                || ("pass".equals(phase.verdict()) && !phase.caveats().isEmpty());
        if (!isCompared() && isWeak) {
            into.warn(file + ": the " + phase.name() + " passed on a volume less than half"
                    + " full, or from a cache below its databases; a full one holds less");
        } else if (!isCompared() && !Objects.equals(phase.verdict(), "pass")) {
            into.warn(file + ": the " + phase.name() + " did not pass; its figures are taken"
                    + " as they are");
        }
    }

    /** Takes how many disks are below the databases, and what these did for a write. */
    private void readDisks(Collected into) {
        List<String> disks = all.databaseDisks();
        into.measured(
                PlanInputs.DRIVES_MEASURED,
                (double) disks.size(),
                Source.measured(file + ": disks below its databases, " + String.join(", ", disks)));
        List<QualificationFile.Device> below = phase.devices().stream()
                .filter(device -> disks.contains(device.device())
                        && device.roles().equals(List.of("database")))
                .toList();
        Double writes = phase.totals().dbWritesPerS();
        if (all.writesPages()
                && disks.size() > 1
                && below.size() == disks.size()
                && writes != null
                && writes > 0) {
            double others = orZero(phase.totals().dbReadsPerS())
                    + phase.instances().stream()
                            .mapToDouble(one -> orZero(one.maintenanceReadsPerS()))
                            .sum();
            double ofDisks = below.stream()
                    .mapToDouble(device -> orZero(device.readsPerS()) + orZero(device.writesPerS()))
                    .sum();
            into.measured(
                    PlanInputs.RAID_WRITE_PENALTY,
                    (ofDisks - others) / writes,
                    Source.measured(source().where() + ": I/O of the disks for each write"));
        }
    }

    /** Takes what caches of other sizes would take of the reads. */
    void readProfile(Collected into) {
        QualificationFile.CacheProfile profile = phase.cacheProfile();
        if (profile != null && !profile.points().isEmpty()) {
            List<Curve.Point> points = new ArrayList<>();
            profile.points().forEach(point -> add(points, point.cacheMb(), point.hitRatio()));
            into.measured(
                    PlanInputs.PROFILE_CURVE,
                    points,
                    Source.measured(source().where() + ", predicted by its cache profile"));
        }
    }

    private @Nullable Double cacheMb() {
        String text = all.setting("cache-max");
        try {
            return text == null || text.isEmpty() ? null : (Double) (ByteSize.parse(text) / MB);
        } catch (IllegalArgumentException e) {
            throw UserError.usage(file + ": settings, cache-max: " + e.getMessage());
        }
    }

    /** {@return the read latency at each rate that was measured, in phases that of the slowest instance} */
    List<Curve.Point> curve() {
        List<Curve.Point> points = new ArrayList<>();
        boolean isAlone = isCompared();
        for (Phase its : isAlone ? List.of(phase) : all.phases()) {
            its.threadSteps().forEach(step -> add(points, step.iops(), step.dbReadLatencyMs()));
            if (isAlone || (its.isComplete() && PHASES.contains(its.phase()))) {
                its.instances()
                        .forEach(instance -> add(
                                points,
                                its.totals().achievedIops(),
                                instance.avgDbReadLatencyMs()));
            }
        }
        return points;
    }

    private static void add(
            List<Curve.Point> points, @Nullable Double along, @Nullable Double height) {
        if (along != null && height != null) {
            points.add(new Curve.Point(along, height));
        }
    }

    /**
     * {@return the share of reads that each size of cache saves}
     *
     * @param with the same storage and load with caches
     * @param without the same without, of which a transaction takes all its reads
     */
    static List<Curve.Point> hits(List<StorageFile> with, StorageFile without) {
        Double all = without.readsPerTransaction();
        List<Curve.Point> points = new ArrayList<>();
        if (all != null && all > 0) {
            points.add(new Curve.Point(0, 0));
            for (StorageFile one : with) {
                Double reads = one.readsPerTransaction();
                add(points, one.cacheMb(), reads == null ? null : Math.max(0, 1 - reads / all));
            }
        }
        return points;
    }

    private @Nullable Double readsPerTransaction() {
        double transactions = phase.transactionsPerS();
        Double reads = phase.totals().dbReadsPerS();
        return transactions > 0 && reads != null ? (Double) (reads / transactions) : null;
    }

    /** {@return the settings in which another differs, caches and folders aside} */
    List<String> differences(StorageFile other) {
        return SAME.stream()
                .filter(key -> !Objects.equals(all.setting(key), other.all.setting(key)))
                .toList();
    }

    /** Takes the figures that a pair is compared by: those of what was asked for, as qualify compares caches. */
    void readPair(Function<CacheSteps.Improvement, Input> side, Collected into) {
        QualificationFile.Rows compared = phase.rows();
        QualificationFile.Rows asked =
                compared != null && compared.dbIops() != null ? compared : phase.asked();
        List<@Nullable Double> rows = Arrays.asList(
                asked.dbIops(),
                asked.dbReadsPerS(),
                asked.dbWritesPerS(),
                asked.avgDbReadLatencyMs(),
                asked.avgDbWriteLatencyMs(),
                asked.logWritesPerS(),
                asked.avgLogWriteLatencyMs(),
                asked.transactionsPerS());
        for (int i = 0; i < rows.size(); i++) {
            into.measured(side.apply(CacheSteps.IMPROVEMENTS.get(i)), rows.get(i), source());
        }
    }

    private static double orZero(@Nullable Double value) {
        return value == null ? 0 : value;
    }
}
