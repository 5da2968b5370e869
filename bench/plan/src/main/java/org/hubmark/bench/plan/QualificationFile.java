package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The keys of qualification.json that a plan reads.
 *
 * @param caches that were compared; none where none were
 */
record QualificationFile(
        @Nullable Machine environment,
        @Nullable Map<String, @Nullable Object> settings,
        @Nullable Thresholds thresholds,
        List<Phase> phases,
        List<Cache> caches) {
    private static final double MB = 1e6;

    record Machine(List<Volume> volumes) {}

    record Volume(@Nullable String role, @Nullable Storage storage) {}

    /** What is below a volume, where that is known. */
    record Storage(List<Disk> disks) {}

    record Disk(String device) {}

    /** What a device did during a phase, and the volumes that it is below. */
    record Device(
            String device,
            List<String> roles,
            @Nullable Double readsPerS,
            @Nullable Double writesPerS) {}

    record Thresholds(@Nullable Double readLatencyMs) {}

    /** A cache, by its mode, with what was measured in each round. */
    record Cache(String cache, List<Phase> rounds) {}

    /** What transactions asked for, whether the cache had it or the storage: what qualify compares caches by. */
    record Rows(
            @Nullable Double dbIops,
            @Nullable Double dbReadsPerS,
            @Nullable Double dbWritesPerS,
            @Nullable Double avgDbReadLatencyMs,
            @Nullable Double avgDbWriteLatencyMs,
            @Nullable Double logWritesPerS,
            @Nullable Double avgLogWriteLatencyMs,
            @Nullable Double transactionsPerS) {}

    /** A phase, or a round of a cache: all instances together, and each of them. */
    record Phase(
            @Nullable String phase,
            @Nullable Boolean complete,
            @Nullable String verdict,
            List<String> caveats,
            @JsonUnwrapped Totals totals,
            @Nullable Host host,
            List<Instance> instances,
            List<Device> devices,
            List<ThreadStep> threadSteps,
            @Nullable CacheProfile cacheProfile,
            @Nullable Rows rows) {
        /** {@return transactions a second by which rounds are compared} */
        double rate() {
            Double rate = rows == null ? null : rows.transactionsPerS;
            return rate == null ? 0 : rate;
        }

        /** {@return what it is called, for people} */
        String name() {
            return phase + " phase";
        }

        boolean isComplete() {
            return Boolean.TRUE.equals(complete);
        }

        @Nullable
        Double cpuPercent() {
            return host == null || host.cpuPercent == null ? null : host.cpuPercent.avg;
        }

        /** {@return what transactions asked for: reads of the storage, and those that the cache had in no time} */
        Rows asked() {
            double hits = sum(Instance::cacheHitsPerS);
            Double iops = totals.achievedIops;
            Double reads = totals.dbReadsPerS;
            Double latency = totals.avgDbReadLatencyMs;
            return new Rows(
                    iops == null ? null : (Double) (iops + hits),
                    reads == null ? null : (Double) (reads + hits),
                    totals.dbWritesPerS,
                    latency == null || reads == null || hits == 0
                            ? latency
                            : (Double) (latency * reads / (reads + hits)),
                    totals.avgDbWriteLatencyMs,
                    totals.logWritesPerS,
                    totals.avgLogWriteLatencyMs,
                    transactionsPerS());
        }

        double transactionsPerS() {
            return sum(Instance::transactionsPerS);
        }

        private double sum(Function<Instance, @Nullable Double> of) {
            return instances.stream()
                    .map(of)
                    .mapToDouble(value -> value == null ? 0 : value)
                    .sum();
        }
    }

    /** What all instances did together. */
    record Totals(
            @Nullable Double achievedIops,
            @Nullable Double dbReadsPerS,
            @Nullable Double dbWritesPerS,
            @Nullable Double avgDbReadLatencyMs,
            @Nullable Double avgDbWriteLatencyMs,
            @Nullable Double logWritesPerS,
            @Nullable Double avgLogWriteLatencyMs) {}

    record Host(@Nullable Spread cpuPercent) {}

    record Spread(@Nullable Double avg) {}

    record Instance(
            @Nullable Double avgDbReadLatencyMs,
            @Nullable Double transactionsPerS,
            @Nullable Double cacheHitsPerS,
            @Nullable Double maintenanceReadsPerS) {}

    record ThreadStep(@Nullable Double iops, @Nullable Double dbReadLatencyMs) {}

    /** What caches of other sizes would take of the reads. */
    record CacheProfile(List<CachePoint> points) {}

    record CachePoint(@Nullable Double cacheBytes, @Nullable Double hitRatio) {
        @Nullable
        Double cacheMb() {
            return cacheBytes == null ? null : (Double) (cacheBytes / MB);
        }
    }

    /** {@return whether its writes are of pages in place, as those of the source are} */
    boolean writesPages() {
        // Version 0.1.0 had an engine with few large writes.
        return !"lsm".equals(setting("engine"));
    }

    /** {@return the disks below the databases; none where one of them is not known} */
    List<String> databaseDisks() {
        Set<String> disks = new LinkedHashSet<>();
        for (Volume volume : environment == null ? List.<Volume>of() : environment.volumes) {
            if ("database".equals(volume.role)) {
                if (volume.storage == null || volume.storage.disks.isEmpty()) {
                    return List.of();
                }
                volume.storage.disks.forEach(disk -> disks.add(disk.device));
            }
        }
        return List.copyOf(disks);
    }

    @Nullable
    Double readLatencyLimit() {
        return thresholds == null ? null : thresholds.readLatencyMs;
    }

    /** {@return a setting as text; null where there is none} */
    @Nullable
    String setting(String name) {
        Object value = settings == null ? null : settings.get(name);
        return value == null ? null : value.toString();
    }

    /** {@return a setting that is a number; null where it is none} */
    @Nullable
    Double number(String name) {
        return settings != null && settings.get(name) instanceof Number number
                ? (Double) number.doubleValue()
                : null;
    }
}
