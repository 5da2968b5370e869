package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.Phase;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.CacheFigures;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.PhaseVerdict;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Row of a qualification: I/O and latency of the storage in one cache mode, and the sizes of cache and
 * databases.
 *
 * @param row whose figures are taken: a phase, or of a mode that was compared its median round
 * @param isCompared whether the row is of a comparison of modes
 */
record StorageRow(Path file, Document document, Row row, CacheMode mode, boolean isCompared) {
    private static final double PERCENT = 100;
    private static final double MB = 1e6;

    /** Phases with transactions, the one that is judged first. */
    private static final List<String> PHASES =
            Stream.of(Phase.PERFORMANCE, Phase.STRESS).map(Phase::toString).toList();

    /** Settings that change nothing of what transactions do. */
    private static final Set<String> OF_NO_LOAD = Set.of("mailbox", "recovery-log");

    /** {@return what is in a file: of a comparison of cache modes the one without and the largest} */
    static List<StorageRow> of(Path file, Document document) {
        List<StorageRow> compared = Stream.of(
                        List.of(CacheMode.OFF), List.of(CacheMode.ALL, CacheMode.METADATA))
                .flatMap(modes -> modes.stream()
                        .flatMap(mode -> compared(file, document, mode))
                        .limit(1))
                .toList();
        return compared.isEmpty() ? List.of(single(file, document)) : compared;
    }

    /** {@return the round of a mode that has the median of the rates} */
    private static Stream<StorageRow> compared(Path file, Document document, CacheMode mode) {
        return document.table(CacheFigures.CACHES).rows().stream()
                .filter(row -> row.name(CacheFigures.CACHE).equals(mode.toString()))
                .map(row -> {
                    List<Repeat> rounds = row.repeats().stream()
                            .sorted(Comparator.comparingDouble(
                                    round -> orZero(CacheFigures.RATE.value(round))))
                            .toList();
                    Row median = new Row(row.names(), List.of(rounds.get(rounds.size() / 2)));
                    return new StorageRow(file, document, median, mode, true);
                });
    }

    private static StorageRow single(Path file, Document document) {
        Object mode = document.provenance().settings().get("cache-mode");
        return PHASES.stream()
                .flatMap(name -> PhaseFigures.phase(document, name).stream())
                .filter(row -> row.repeat().complete()
                        && Double.isFinite(PhaseFigures.ACHIEVED.value(row.repeat())))
                .findFirst()
                .map(row -> new StorageRow(
                        file,
                        document,
                        row,
                        mode == null
                                ? CacheMode.ALL
                                : CacheMode.valueOf(mode.toString().toUpperCase(Locale.ROOT)),
                        false))
                .orElseThrow(() -> UserError.usage(
                        file + " has no performance or stress phase that is complete; run"
                                + " qualify with one of them"));
    }

    private Repeat phase() {
        return row.repeat();
    }

    Source source() {
        return Source.measured(file + ", "
                + (isCompared
                        ? "cache mode " + mode + ", median of its blocks"
                        : row.name(PhaseFigures.PHASE) + " phase"));
    }

    /** Takes what a plan needs of one storage. */
    void read(Collected into) {
        double reads = average(InstanceFigures.READ_RATE);
        double writes = average(InstanceFigures.WRITE_RATE);
        if (reads + writes > 0) {
            double share = PERCENT * reads / (reads + writes);
            into.measured(PlanInputs.READ_PERCENT_MEASURED, share, source());
            into.measured(PlanInputs.DB_READ_PERCENT, share, source());
        }
        readDisks(reads, writes, into);
        Source told = Source.given("as qualify was told, " + file);
        into.measured(PlanInputs.IOPS_PER_USER, setting("iops-per-user"), told);
        into.measured(PlanInputs.USERS_MEASURED, setting("users"), told);
        into.measured(
                PlanInputs.READ_LATENCY_LIMIT_MS,
                PhaseVerdict.number(document, PhaseVerdict.READ_LATENCY_MAX),
                told);
        if (document.provenance().settings().get("cache-max") instanceof String size) {
            into.measured(PlanInputs.CACHE_MB, ByteSize.parse(size) / MB, told);
        }
        into.measured(PlanInputs.CPU_PERCENT, HostFigures.CPU_PERCENT.value(phase()), source());
        if (!isCompared) {
            warn(PhaseVerdict.of(document, row), into);
        }
    }

    private void warn(PhaseVerdict verdict, Collected into) {
        String phase = file + ": the " + row.name(PhaseFigures.PHASE) + " phase";
        if (!Boolean.TRUE.equals(verdict.passes())) {
            into.warn(phase + " did not pass; its figures are taken as they are");
        } else if (!verdict.caveats().isEmpty()) {
            into.warn(phase + " passed on a volume less than half full, or from a cache below its"
                    + " databases; a full one holds less");
        }
    }

    /** {@return a setting that is a number; null where it is none} */
    private @Nullable Double setting(String name) {
        return document.provenance().settings().get(name) instanceof Number number
                ? (Double) number.doubleValue()
                : null;
    }

    /** Takes how many disks are below the databases, and what these did for a write. */
    private void readDisks(double reads, double writes, Collected into) {
        List<String> disks = databaseDisks();
        into.measured(
                PlanInputs.DRIVES_MEASURED,
                (double) disks.size(),
                Source.measured(file + ": disks below its databases, " + String.join(", ", disks)));
        List<Repeat> below = phase().parts(PhaseFigures.DEVICES).stream()
                .filter(device -> disks.contains(device.name(PhaseFigures.DEVICE))
                        && device.texts(VolumeFigures.ROLES).equals(List.of("database")))
                .toList();
        if (disks.size() > 1 && below.size() == disks.size() && writes > 0) {
            double others = orZero(reads)
                    + phase().parts(InstanceFigures.INSTANCES).stream()
                            .mapToDouble(one -> orZero(InstanceFigures.MAINTENANCE_RATE.value(one)))
                            .sum();
            double ofDisks = below.stream()
                    .mapToDouble(device -> orZero(PhaseFigures.DEVICE_READS.value(device))
                            + orZero(PhaseFigures.DEVICE_WRITES.value(device)))
                    .sum();
            into.measured(
                    PlanInputs.RAID_WRITE_PENALTY,
                    (ofDisks - others) / writes,
                    Source.measured(source().where() + ": I/O of the disks for each write"));
        }
    }

    /** {@return the disks below the databases; none where one of them is not known} */
    private List<String> databaseDisks() {
        Set<String> names = new LinkedHashSet<>();
        for (VolumeDisclosure volume : document.provenance().environment().volumes()) {
            if (volume.role().equals("database")) {
                Storage storage = volume.storage();
                if (storage == null || storage.disks().isEmpty()) {
                    return List.of();
                }
                storage.disks().forEach(disk -> names.add(disk.device()));
            }
        }
        return List.copyOf(names);
    }

    /** {@return the read latency at each rate that was measured, in phases that of the slowest instance} */
    List<Curve.Point> curve() {
        List<Curve.Point> points = new ArrayList<>();
        List<Row> rows =
                isCompared ? List.of(row) : document.table(PhaseFigures.PHASES).rows();
        for (Row one : rows) {
            Repeat phase = one.repeat();
            phase.parts(PhaseFigures.THREAD_STEPS)
                    .forEach(step -> add(
                            points,
                            PhaseFigures.STEP_IOPS.value(step),
                            PhaseFigures.STEP_LATENCY.value(step)));
            if (isCompared || (phase.complete() && PHASES.contains(one.name(PhaseFigures.PHASE)))) {
                phase.parts(InstanceFigures.INSTANCES)
                        .forEach(instance -> add(
                                points,
                                PhaseFigures.ACHIEVED.value(phase),
                                InstanceFigures.READ_LATENCY.value(instance)));
            }
        }
        return points;
    }

    private static void add(List<Curve.Point> points, double along, double height) {
        if (Double.isFinite(along) && Double.isFinite(height)) {
            points.add(new Curve.Point(along, height));
        }
    }

    /** {@return the settings in which another differs, of those that have to be alike, caches aside} */
    List<String> differences(StorageRow other) {
        return Qualification.KIND.conditions().stream()
                .filter(key -> !key.startsWith("cache-")
                        && !OF_NO_LOAD.contains(key)
                        && !Objects.equals(
                                document.provenance().settings().get(key),
                                other.document.provenance().settings().get(key)))
                .sorted()
                .toList();
    }

    /**
     * {@return the figures that a pair is compared by, in the order of the inputs} They are of what
     * transactions asked for, whether the cache had it or the storage, as qualify compares caches.
     */
    List<Double> compared() {
        return Stream.concat(
                        CacheFigures.PUBLISHED.stream(),
                        Stream.of(CacheFigures.RATE, CacheFigures.CACHE_HITS))
                .map(column -> column.value(phase()))
                .toList();
    }

    private double average(Column ofInstance) {
        return PhaseFigures.average(ofInstance).value(phase());
    }

    private static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }
}
