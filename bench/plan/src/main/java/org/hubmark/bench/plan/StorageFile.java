package org.hubmark.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.plan.formula.Curve;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one qualification.json says of one cache mode: I/O and latency of the storage, and the sizes of cache
 * and databases.
 *
 * @param phase whose figures are taken
 * @param cacheMode off, metadata or all
 */
record StorageFile(Path file, JsonNode all, JsonNode phase, String cacheMode) {
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

    /**
     * {@return what is in a file: of a comparison of cache modes the one without and the largest, of sizes the
     * first}
     */
    static List<StorageFile> of(Path file, JsonNode all) {
        if (!all.path("phases").isArray()) {
            throw UserError.usage(file + " has no phases; plan reads what qualify wrote");
        }
        if (comparesSizes(all)) {
            return compared(file, all, all.at("/caches/0/cache").asText())
                    .map(one -> new StorageFile(file, all, one.phase(), "all"))
                    .toList();
        }
        List<StorageFile> compared = Stream.of(Stream.of("off"), Stream.of("all", "metadata"))
                .flatMap(modes ->
                        modes.flatMap(mode -> compared(file, all, mode)).limit(1))
                .toList();
        return compared.isEmpty() ? List.of(single(file, all)) : compared;
    }

    /** {@return the block of a mode that has the median of the rates} */
    private static Stream<StorageFile> compared(Path file, JsonNode all, String mode) {
        List<JsonNode> blocks = all.path("caches")
                .valueStream()
                .filter(cache -> cache.path("cache").asText().equals(mode))
                .flatMap(cache -> cache.path("rounds").valueStream())
                .sorted(Comparator.comparingDouble(
                        block -> block.at("/rows/transactions_per_s").asDouble()))
                .toList();
        return blocks.isEmpty()
                ? Stream.empty()
                : Stream.of(new StorageFile(file, all, blocks.get(blocks.size() / 2), mode));
    }

    private static StorageFile single(Path file, JsonNode all) {
        for (String name : PHASES) {
            for (JsonNode phase : all.path("phases")) {
                if (phase.path("phase").asText().equals(name)
                        && phase.path("complete").asBoolean()
                        && phase.path("achieved_iops").isNumber()) {
                    return new StorageFile(
                            file, all, phase, all.at("/settings/cache-mode").asText("all"));
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
        return !all.path("caches").isEmpty();
    }

    private static boolean comparesSizes(JsonNode all) {
        return !all.path("sizes").isEmpty();
    }

    Source source() {
        return Source.measured(file + ", "
                + (isCompared()
                        ? "cache mode " + cacheMode + (comparesSizes(all) ? ", first size" : "")
                                + ", median of its blocks"
                        : phase.path("phase").asText() + " phase"));
    }

    /** Takes what a plan needs of one storage. */
    void read(Collected into) {
        double reads = phase.path("db_reads_per_s").asDouble();
        double writes = phase.path("db_writes_per_s").asDouble();
        if (reads + writes > 0) {
            into.put("db_read_percent", PERCENT * reads / (reads + writes), source());
        }
        Source told = Source.given("as qualify was told, " + file);
        UsersFile.number(into, "iops_per_user", all.at("/settings/iops-per-user"), told);
        UsersFile.number(into, "users_measured", all.at("/settings/users"), told);
        UsersFile.number(
                into, "read_latency_limit_ms", all.at("/thresholds/read_latency_ms"), told);
        into.put("cache_mb", cacheMb(), told);
        UsersFile.number(into, "cpu_percent", phase.at("/host/cpu_percent/avg"), source());
        if (!isCompared() && !phase.path("verdict").asText().equals("pass")) {
            into.note(file + ": the " + phase.path("phase").asText() + " phase did not pass; its"
                    + " figures are taken as they are");
        }
    }

    /** Takes what caches of other sizes would have. */
    void readProfile(Collected into) {
        JsonNode profile = phase.path("cache_profile");
        if (profile.path("points").isEmpty()) {
            return;
        }
        Source predicted = Source.measured(source().words() + ", predicted by its cache profile");
        into.put("profile_curve", predicted(profile, "hit_ratio"), predicted);
        into.put("profile_low_curve", predicted(profile, "hit_ratio_low"), predicted);
        into.put("profile_high_curve", predicted(profile, "hit_ratio_high"), predicted);
        if (cacheMode.equals("all")) {
            UsersFile.number(into, "hit_ratio_present", profile.path("hit_ratio"), source());
        } else {
            into.put("hit_ratio_present", 0.0, Source.given("cache mode " + cacheMode));
        }
    }

    private static List<Curve.Point> predicted(JsonNode profile, String field) {
        List<Curve.Point> points = new ArrayList<>();
        for (JsonNode point : profile.path("points")) {
            if (point.path(field).isNumber()) {
                points.add(new Curve.Point(
                        point.path("cache_bytes").asDouble() / MB,
                        point.path(field).asDouble()));
            }
        }
        return points;
    }

    private @Nullable Double cacheMb() {
        JsonNode bytes = phase.at("/cache_profile/cache_bytes");
        if (bytes.isNumber()) {
            return bytes.asDouble() / MB;
        }
        String text = all.at("/settings/cache-max").asText();
        try {
            return text.isEmpty() ? null : (Double) (ByteSize.parse(text) / MB);
        } catch (IllegalArgumentException e) {
            throw UserError.usage(file + ": settings, cache-max: " + e.getMessage());
        }
    }

    /** {@return the read latency at each rate that was measured, in phases that of the slowest instance} */
    List<Curve.Point> curve() {
        List<Curve.Point> points = new ArrayList<>();
        for (JsonNode its : isCompared() ? List.of(phase) : all.path("phases")) {
            for (JsonNode step : its.path("thread_steps")) {
                add(points, step.path("iops"), step.path("db_read_latency_ms"));
            }
            if (isCompared()
                    || its.path("complete").asBoolean()
                            && PHASES.contains(its.path("phase").asText())) {
                for (JsonNode instance : its.path("instances")) {
                    add(points, its.path("achieved_iops"), instance.path("avg_db_read_latency_ms"));
                }
            }
        }
        return points;
    }

    private static void add(List<Curve.Point> points, JsonNode along, JsonNode height) {
        if (along.isNumber() && height.isNumber()) {
            points.add(new Curve.Point(along.asDouble(), height.asDouble()));
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
                Double mb = one.cacheMb();
                Double reads = one.readsPerTransaction();
                if (mb != null && reads != null) {
                    points.add(new Curve.Point(mb, Math.max(0, 1 - reads / all)));
                }
            }
        }
        return points;
    }

    private @Nullable Double readsPerTransaction() {
        double transactions = transactions();
        return transactions > 0 && phase.path("db_reads_per_s").isNumber()
                ? (Double) (phase.path("db_reads_per_s").asDouble() / transactions)
                : null;
    }

    private double transactions() {
        double all = 0;
        for (JsonNode instance : phase.path("instances")) {
            all += instance.path("transactions_per_s").asDouble();
        }
        return all;
    }

    /** {@return the settings in which another differs, caches and folders aside} */
    List<String> differences(StorageFile other) {
        return SAME.stream()
                .filter(key -> !all.path("settings")
                        .path(key)
                        .equals(other.all.path("settings").path(key)))
                .toList();
    }

    /** Takes the figures that a pair is compared by. */
    void readPair(String prefix, Collected into) {
        UsersFile.number(into, prefix + "db_iops", phase.path("achieved_iops"), source());
        for (String row : List.of(
                "db_reads_per_s",
                "db_writes_per_s",
                "avg_db_read_latency_ms",
                "avg_db_write_latency_ms",
                "log_writes_per_s",
                "avg_log_write_latency_ms")) {
            UsersFile.number(into, prefix + row, phase.path(row), source());
        }
        into.put(prefix + "transactions_per_s", transactions(), source());
    }
}
