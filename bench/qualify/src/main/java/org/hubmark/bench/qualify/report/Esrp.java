package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.YamlResource;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The figures of the Cisco UCS C210 M2, 2,500 mailboxes (ESRP, Jetstress 2010, June 2012). Its engine is
 * another one: for orientation, not for comparison.
 *
 * @param solution what it is for, by the names of the source, as those that follow but the last
 * @param simulatedConfiguration what was simulated: each with a field, null where its label is lost, and a value
 * @param server its machine
 * @param storage its hardware; parts of it are maps
 * @param phases by the names of its appendices
 */
record Esrp(
        Map<String, Object> solution,
        List<Map<String, @Nullable Object>> simulatedConfiguration,
        Map<String, Object> server,
        Map<String, @Nullable Object> storage,
        Map<String, Object> raidControllerSettings,
        Map<String, Object> jetstressParameters,
        Map<String, Object> resultsSummary,
        Map<String, Measured> phases) {
    static final Esrp PUBLISHED = YamlResource.published("esrp-c210-m2", Esrp.class);
    static final String NAME = "published: Cisco UCS C210 M2, June 2012";

    /** What one appendix has; null is what it has not. */
    record Measured(
            @Nullable Double achievedIops,
            @Nullable Double targetIops,
            @Nullable Double initialDbSizeBytes,
            @Nullable Double finalDbSizeBytes,
            @Nullable Double dbFiles,
            @Nullable Instances transactionalIo,
            @Nullable Instances backgroundMaintenanceIo,
            @Nullable Instances logReplicationIo,
            @Nullable Instances totalIo,
            @Nullable Map<String, Range> hostSystemPerformance,
            @Nullable Map<String, Range> memorySystemPerformance) {
        /** {@return what of the database I/O of transactions is reads; null where it isn't printed} */
        @Nullable
        Double readShare() {
            Double reads = transactionalIo == null ? null : transactionalIo.mean("db_reads_per_s");
            Double writes =
                    transactionalIo == null ? null : transactionalIo.mean("db_writes_per_s");
            return reads == null || writes == null ? null : (Double) (reads / (reads + writes));
        }

        /** {@return a counter of the host; null where it has none} */
        @Nullable
        Range host(String counter) {
            Map<String, Range> host =
                    hostSystemPerformance == null ? memorySystemPerformance : hostSystemPerformance;
            return host == null ? null : host.get(counter);
        }
    }

    /** A counter of the host over all samples. */
    record Range(double avg, double min, double max) {}

    /** A table with a row for each instance. */
    record Instances(List<String> columns, List<List<Object>> rows) {
        /** {@return the mean of the instances; null where there is no such column} */
        @Nullable
        Double mean(String column) {
            int place = columns.indexOf(column);
            return place < 0
                    ? null
                    : (Double) rows.stream()
                            .mapToDouble(row -> ((Number) row.get(place)).doubleValue())
                            .average()
                            .orElseThrow();
        }
    }

    /** {@return what the source has of its mailboxes; null for what it has not} */
    @Nullable
    Object profile(String name) {
        return solution.containsKey(name)
                ? solution.get(name)
                : simulatedConfiguration.stream()
                        .filter(row -> name.equals(row.get("field")))
                        .map(row -> row.get("value"))
                        .findFirst()
                        .orElseThrow();
    }

    /**
     * {@return what the source has of its storage; null for what it has not}
     *
     * @param path names with dots between them, a setting of the controller last of all
     */
    @Nullable
    Object storage(String path) {
        if (raidControllerSettings.containsKey(path)) {
            return raidControllerSettings.get(path);
        }
        Object found = storage;
        for (String name : path.split("\\.", -1)) {
            found = found instanceof Map<?, ?> map ? in(map, name) : null;
        }
        return found;
    }

    /** {@return what a part of the source has under names} */
    static Function<String, @Nullable Object> in(Map<?, ?> part) {
        return name -> in(part, name);
    }

    /**
     * {@return what the source has under a name; null for none, and where it prints nothing there}
     *
     * @param name empty for a row that the source has not
     */
    private static @Nullable Object in(Map<?, ?> part, String name) {
        if (!name.isEmpty() && !part.containsKey(name)) {
            throw new IllegalArgumentException("the source has no " + name);
        }
        return part.get(name);
    }
}
