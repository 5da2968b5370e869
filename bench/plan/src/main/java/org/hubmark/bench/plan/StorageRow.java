package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Row of a qualification: I/O and latency of the storage in one cache mode, and the sizes of cache and
 * databases.
 *
 * @param phases whose rates count
 * @param phase whose figures are taken: of a mode that was compared its median round
 * @param source of its figures
 */
record StorageRow(Path file, Document document, List<Repeat> phases, Repeat phase, Source source) {
    private static final double PERCENT = 100;
    private static final double MB = 1e6;

    /** {@return the performance phase, or the stress phase} */
    static StorageRow ofPhase(Path file, Document document) {
        List<Row> rows = Phase.loads(document).stream()
                .filter(row -> row.repeat().complete()
                        && Double.isFinite(PhaseFigures.ACHIEVED.value(row.repeat())))
                .toList();
        if (rows.isEmpty()) {
            throw UserError.usage(file + " has no performance or stress phase that is complete; run"
                    + " qualify with one of them");
        }
        Row first = rows.getFirst();
        return new StorageRow(
                file,
                document,
                rows.stream().map(Row::repeat).toList(),
                first.repeat(),
                Source.measured(file + ", " + first.name(PhaseFigures.PHASE) + " phase"));
    }

    /** {@return the round of a mode that has the median of the rates; none where the mode was not compared} */
    static Optional<StorageRow> compared(Path file, Document document, CacheMode mode) {
        return document.table(CacheFigures.CACHES).rows().stream()
                .filter(row -> row.name(CacheFigures.CACHE).equals(mode.toString()))
                .map(row -> {
                    List<Repeat> rounds = row.repeats().stream()
                            .sorted(Comparator.comparingDouble(CacheFigures.RATE::value))
                            .toList();
                    Repeat median = rounds.get(rounds.size() / 2);
                    return new StorageRow(
                            file,
                            document,
                            List.of(median),
                            median,
                            Source.measured(
                                    file + ", cache mode " + mode + ", median of its blocks"));
                })
                .findFirst();
    }

    /** Takes what a plan needs of one storage. */
    void read(Collected into) {
        double reads = average(InstanceFigures.READ_RATE);
        double writes = average(InstanceFigures.WRITE_RATE);
        if (reads + writes > 0) {
            double share = PERCENT * reads / (reads + writes);
            into.measured(PlanInputs.READ_PERCENT_MEASURED, share, source);
            into.measured(PlanInputs.DB_READ_PERCENT, share, source);
        }
        List<String> disks = databaseDisks();
        into.measured(
                PlanInputs.DRIVES_MEASURED,
                (double) disks.size(),
                Source.measured(file + ": disks below its databases, " + String.join(", ", disks)));
        Source told = Source.given("as qualify was told, " + file);
        into.measured(PlanInputs.IOPS_PER_USER, setting("iops-per-user"), told);
        into.measured(PlanInputs.USERS_MEASURED, setting("users"), told);
        into.measured(PlanInputs.READ_LATENCY_LIMIT_MS, readLimitMs(), told);
        if (document.provenance().settings().get("cache-max") instanceof String size) {
            into.measured(PlanInputs.CACHE_MB, ByteSize.parse(size) / MB, told);
        }
        into.measured(PlanInputs.CPU_PERCENT, HostFigures.CPU_PERCENT.value(phase), source);
    }

    /** {@return a setting that is a number; null where it is none} */
    private @Nullable Double setting(String name) {
        return document.provenance().settings().get(name) instanceof Number number
                ? (Double) number.doubleValue()
                : null;
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

    double readLimitMs() {
        return PhaseVerdict.number(document, PhaseVerdict.READ_LATENCY_MAX);
    }

    /**
     * {@return the highest rate that was measured at which reads took no longer, in phases those of the slowest
     * instance; 0 where they took longer at each rate}
     */
    double iopsWithin(double latencyMs) {
        double most = 0;
        for (Repeat one : phases) {
            for (Repeat step : one.parts(PhaseFigures.THREAD_STEPS)) {
                double rate = PhaseFigures.STEP_IOPS.value(step);
                boolean isSlow = !(PhaseFigures.STEP_LATENCY.value(step) <= latencyMs);
                most = isSlow || !(rate > most) ? most : rate;
            }
            double rate = PhaseFigures.ACHIEVED.value(one);
            boolean isSlow = one.parts(InstanceFigures.INSTANCES).stream()
                    .anyMatch(its -> InstanceFigures.READ_LATENCY.value(its) > latencyMs);
            most = isSlow || !(rate > most) ? most : rate;
        }
        return most;
    }

    /**
     * {@return the figures that a pair is compared by, in the order of the inputs} They are of what
     * transactions asked for, whether the cache had it or the storage, as qualify compares caches.
     */
    List<Double> compared() {
        return Stream.concat(CacheFigures.PUBLISHED.stream(), Stream.of(CacheFigures.CACHE_HITS))
                .map(column -> column.value(phase))
                .toList();
    }

    private double average(Column ofInstance) {
        return PhaseFigures.average(ofInstance).value(phase);
    }
}
