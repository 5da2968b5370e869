package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.reuse.ReuseProfile;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a cache of another size would have had of the blocks of data that transactions read, under
 * {@code cache_profile} of a phase. What is known of the reads of single blocks is a sample of them; the
 * hit ratios that follow from it are its counters.
 */
public final class ProfileFigures {
    private static final String WITHIN = "cache_profile.";

    /** Size of the present cache. */
    public static final Counter CACHE_BYTES = new Counter("cache_bytes");

    /** Mean part of the cache that holds data to be written. */
    public static final Counter WRITE_BYTES = new Counter("write_bytes");

    /** Size of all indexes and filters. */
    public static final Counter METADATA_BYTES = new Counter("metadata_bytes");

    public static final Counter DATA_BYTES = new Counter("data_bytes");

    /** Reads of blocks of data that the cache had. */
    public static final Counter CACHED_READS = new Counter("cached_reads");

    /** The same that came from the storage. */
    public static final Counter STORED_READS = new Counter("stored_reads");

    /** Reads whose block is unknown. */
    public static final Counter UNKNOWN_READS = new Counter("unknown_reads");

    /** While it was profiled. */
    public static final Counter PROFILE_NS = new Counter("profile_ns");

    /** CPU time of the process, and of it what the profile took. */
    public static final Counter PROCESS_CPU_NS = new Counter("process_cpu_ns");

    public static final Counter PROFILE_CPU_NS = new Counter("profile_cpu_ns");
    public static final Counter BLOCK_READS = new Counter("block_reads");

    /** Whose reads were followed. */
    public static final Counter SAMPLED_BLOCKS = new Counter("sampled_blocks");

    /** Share of all blocks that is sampled, 0 to 1. */
    public static final Counter SAMPLED_SHARE = new Counter("sampled_share");

    /** Share of the reads, 0 to 1, whose blocks had not been read since the sampling began. */
    public static final Counter COLD_SHARE = new Counter("cold_share");

    /** Blocks that were read, each once. */
    public static final Counter WORKING_SET_BYTES = new Counter("working_set_bytes");

    /** Number of all reads of the storage in transactions. */
    public static final Counter STORAGE_READS = new Counter("storage_reads");

    public static final Counter STORAGE_READ_NS = new Counter("storage_read_ns");

    /** What the sample says of a size, 0 to 1, and the ends of its interval. */
    private static final Counter RATIO = new Counter("sampled_hit_ratio");

    private static final Counter LOW = new Counter("sampled_hit_ratio_low");
    private static final Counter HIGH = new Counter("sampled_hit_ratio_high");

    /** Whether the cache keeps data at all: 1 where it does. */
    private static final Counter KEEPS_DATA = new Counter("keeps_data");

    /**
     * By how much the prediction for the present size is wrong, where the cache keeps data: what is wrong
     * where one can look is taken to be as wrong where one can't.
     */
    private static final Counter ERROR = new Counter("present_error");

    public static final Name MODE = Name.note(WITHIN + "cache_mode", "");
    public static final Name SIZE = Name.of("cache_bytes", "Cache (bytes)");

    /** Hit ratio of the present cache for blocks of data. */
    public static final Column HIT_RATIO = ratio(
            WITHIN + "hit_ratio",
            "Hit ratio of the present cache",
            CACHED_READS.over(CACHED_READS.plus(STORED_READS)).where(KEEPS_DATA));

    /** The curve. */
    public static final Form POINTS = Form.part(
            WITHIN + "points",
            List.of(SIZE),
            points("", "", LOW.minus(ERROR).atLeast(0), HIGH.plus(ERROR).atMost(1)));

    /** What the present size would have had by the prediction, without the error that it has. */
    private static final List<Column> PREDICTED =
            points(WITHIN + "predicted.", ", predicted for the present size", LOW, HIGH);

    /** What a phase says of it. */
    public static final List<Column> COLUMNS = Stream.concat(
                    Stream.of(
                            bytes(CACHE_BYTES, "Present cache"),
                            bytes(WRITE_BYTES, "of it for data to be written"),
                            bytes(METADATA_BYTES, "Indexes and filters of all tables"),
                            bytes(DATA_BYTES, "Data of all tables"),
                            bytes(
                                    WORKING_SET_BYTES,
                                    "Working set: data that was read, each block once"),
                            number(CACHED_READS, "Reads of data that the cache had"),
                            number(STORED_READS, "Reads of data from the storage"),
                            number(UNKNOWN_READS, "Reads of unknown blocks"),
                            percent(
                                    "unknown_percent",
                                    "Reads of unknown blocks",
                                    UNKNOWN_READS.percentOf(CACHED_READS.plus(STORED_READS))),
                            number(BLOCK_READS, "Reads of blocks"),
                            Column.of(
                                    WITHIN + "block_reads_per_s",
                                    "",
                                    "Reads of blocks a second",
                                    3,
                                    Better.NEITHER,
                                    BLOCK_READS.over(PROFILE_NS.over(1e9))),
                            number(SAMPLED_BLOCKS, "Blocks that were followed"),
                            percent(
                                    "sampled_share_percent",
                                    "Blocks that were followed",
                                    SAMPLED_SHARE.times(Formula.PERCENT)),
                            percent(
                                    "cold_reads_percent",
                                    "Cold reads: of blocks that were not read since anybody looked",
                                    COLD_SHARE.times(Formula.PERCENT)),
                            Column.of(
                                    WITHIN + "storage_read_ms",
                                    "msec",
                                    "Mean of a read of the storage",
                                    3,
                                    Better.NEITHER,
                                    STORAGE_READ_NS
                                            .over(STORAGE_READS)
                                            .over(Formula.NANOS_PER_MILLI)),
                            Column.of(
                                    WITHIN + "seconds",
                                    "s",
                                    "Profiled for",
                                    3,
                                    Better.NEITHER,
                                    PROFILE_NS.over(1e9)),
                            percent(
                                    "cpu_cost_percent",
                                    "Cost of the profile, of the CPU time of the process",
                                    PROFILE_CPU_NS.percentOf(PROCESS_CPU_NS)),
                            percent(
                                    "cpu_cost_core_percent",
                                    "Cost of the profile, of one core",
                                    PROFILE_CPU_NS.percentOf(PROFILE_NS)),
                            HIT_RATIO),
                    PREDICTED.stream())
            .toList();

    private static final double BYTES_PER_MB = 1e6;
    private static final int POINTS_PER_DECADE = 10;
    private static final int FIRST_POINT = -POINTS_PER_DECADE;
    private static final int LAST_POINT = 2 * POINTS_PER_DECADE;

    private ProfileFigures() {}

    private static List<Column> points(String within, String of, Formula low, Formula high) {
        Formula misses = new Constant(1).minus(RATIO);
        return List.of(
                ratio(within + "hit_ratio", "Hit ratio" + of, RATIO),
                ratio(within + "hit_ratio_low", "from" + of, low),
                ratio(within + "hit_ratio_high", "to" + of, high),
                Column.of(
                        within + "storage_reads_per_s",
                        "",
                        "Reads of the storage/sec" + of,
                        3,
                        Better.NEITHER,
                        misses.times(BLOCK_READS.over(PROFILE_NS.over(1e9)))),
                Column.of(
                        within + "read_latency_ms",
                        "msec",
                        "Mean of all reads" + of,
                        3,
                        Better.NEITHER,
                        misses.times(STORAGE_READ_NS
                                .over(STORAGE_READS)
                                .over(Formula.NANOS_PER_MILLI))));
    }

    private static Column ratio(String key, String label, Formula formula) {
        return Column.of(key, "", label, 3, Better.NEITHER, formula);
    }

    private static Column percent(String key, String label, Formula formula) {
        return Column.of(WITHIN + key, "%", label, 3, Better.NEITHER, formula);
    }

    private static Column bytes(Counter counter, String label) {
        return Column.of(WITHIN + counter.key(), "bytes", label, 0, Better.NEITHER, counter);
    }

    private static Column number(Counter counter, String label) {
        return Column.of(WITHIN + counter.key(), "", label, 0, Better.NEITHER, counter);
    }

    /** {@return the size of a point of the curve, in MB of 1000 x 1000 bytes} */
    public static double megabytes(Repeat point) {
        return Double.parseDouble(point.name(SIZE)) / BYTES_PER_MB;
    }

    private static Column point(int place) {
        return POINTS.columns().get(place);
    }

    /** {@return the hit ratio of a point of the curve, with the ends of its band} */
    public static double[] hitRatio(Repeat point) {
        return new double[] {point(0).value(point), point(1).value(point), point(2).value(point)};
    }

    /**
     * Takes down what the sample says of the present size and of others: from a tenth to a hundred times
     * it, and those that are asked for.
     *
     * @param seen what else was counted, which goes on with the sample
     * @param sizes that the curve is to have, beside its own
     */
    public static void take(
            ReuseProfile profile,
            Repeat seen,
            boolean keepsData,
            List<Long> sizes,
            Repeat.Builder into) {
        double present = seen.count(CACHE_BYTES);
        SortedSet<Long> all = new TreeSet<>(sizes);
        for (int i = FIRST_POINT; i <= LAST_POINT; i++) {
            all.add(Math.round(present * Math.pow(10, (double) i / POINTS_PER_DECADE)));
        }
        Repeat.Builder now = Repeat.counted();
        predict(profile, seen, Math.round(present), now);
        double reads = seen.count(CACHED_READS) + seen.count(STORED_READS);
        double error = keepsData && reads > 0
                ? Math.abs(now.made().count(RATIO) - seen.count(CACHED_READS) / reads)
                : 0;
        List<Repeat> points = new ArrayList<>();
        for (long size : all) {
            Repeat.Builder point = Repeat.counted()
                    .name(SIZE, size)
                    .count(ERROR, Double.isNaN(error) ? 0 : error)
                    .count(BLOCK_READS, profile.reads());
            for (Counter counter : List.of(PROFILE_NS, STORAGE_READS, STORAGE_READ_NS)) {
                point.count(counter, seen.count(counter));
            }
            predict(profile, seen, size, point);
            points.add(point.made());
        }
        seen.counters().forEach((key, value) -> into.count(new Counter(key), value));
        now.made().counters().forEach((key, value) -> into.count(new Counter(key), value));
        into.count(KEEPS_DATA, keepsData ? 1 : 0)
                .count(BLOCK_READS, profile.reads())
                .count(SAMPLED_BLOCKS, profile.sampledBlocks())
                .count(SAMPLED_SHARE, profile.sampledShare())
                .count(COLD_SHARE, profile.coldShare())
                .count(WORKING_SET_BYTES, profile.workingSetBytes())
                .parts(POINTS, points);
    }

    /** Nothing is known where what is to be written, the indexes and the filters leave no room. */
    private static void predict(
            ReuseProfile profile, Repeat seen, long cacheBytes, Repeat.Builder into) {
        long room = Math.round(cacheBytes - seen.count(WRITE_BYTES) - seen.count(METADATA_BYTES));
        if (room > 0) {
            ReuseProfile.HitRatio hits = profile.hitRatio(room, Math.round(seen.count(DATA_BYTES)));
            into.count(RATIO, hits.ratio()).count(LOW, hits.low()).count(HIGH, hits.high());
        }
    }
}
