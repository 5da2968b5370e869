package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.qualify.reuse.ReuseProfile;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a cache of another size would have had of the blocks of data that transactions read, as it stands
 * under {@code cache_profile} in qualification.json.
 *
 * @param blockReads of data, while it counted
 * @param sampledBlocks whose reads were followed
 * @param sampledSharePercent of all blocks
 * @param coldReadsPercent reads whose block was not read since anybody looked
 * @param unknownPercent reads of which it isn't known which block they were of
 * @param hitRatio that the present cache had; null where it keeps no data
 * @param predicted for the present size; null where the present cache has no room for blocks
 * @param workingSetBytes blocks that were read while it counted, each once
 * @param points from a tenth to a hundred times the present size; the error bands are wider by as much as
 *     the prediction for the present size is wrong
 */
public record CacheProfile(
        @JsonUnwrapped Seen seen,
        long blockReads,
        double blockReadsPerS,
        int sampledBlocks,
        double sampledSharePercent,
        double coldReadsPercent,
        @Nullable Double unknownPercent,
        @Nullable Double hitRatio,
        @Nullable Point predicted,
        long workingSetBytes,
        List<Point> points) {
    private static final double HUNDRED = 100;
    private static final int POINTS_PER_DECADE = 10;
    private static final int FIRST_POINT = -POINTS_PER_DECADE;
    private static final int LAST_POINT = 2 * POINTS_PER_DECADE;

    /**
     * What was seen beside the reads.
     *
     * @param cacheMode of the present cache
     * @param cacheBytes of it
     * @param writeBytes of it that what is to be written has, on the average
     * @param metadataBytes of all indexes and filters
     * @param dataBytes of all data
     * @param cachedReads of data blocks that the cache had
     * @param storedReads of data blocks that came from the storage
     * @param unknownReads of which it isn't known which block they were of
     * @param storageReadMs mean of a read of the storage
     * @param seconds while it counted
     * @param cpuCostPercent of the CPU time of the process, that the profile took
     * @param cpuCostCorePercent the same, of one core's time
     */
    public record Seen(
            String cacheMode,
            long cacheBytes,
            long writeBytes,
            long metadataBytes,
            long dataBytes,
            long cachedReads,
            long storedReads,
            long unknownReads,
            @Nullable Double storageReadMs,
            double seconds,
            @Nullable Double cpuCostPercent,
            double cpuCostCorePercent) {}

    /**
     * A size of the cache, with what it would have had.
     *
     * @param hitRatio null where what is to be written, the indexes and the filters leave no room
     * @param hitRatioLow the least by the error band
     * @param hitRatioHigh the most
     * @param storageReadsPerS blocks of data that would come from the storage, at the present rate
     * @param readLatencyMs mean of all reads of data, those that the cache has at 0, at the present latency of
     *     the storage
     */
    public record Point(
            long cacheBytes,
            @Nullable Double hitRatio,
            @Nullable Double hitRatioLow,
            @Nullable Double hitRatioHigh,
            @Nullable Double storageReadsPerS,
            @Nullable Double readLatencyMs) {}

    /** Copies. */
    public CacheProfile {
        points = List.copyOf(points);
    }

    /**
     * {@return what follows from the sample and from what was seen}
     *
     * @param sizes that the curve is to have, beside its own
     */
    public static CacheProfile of(ReuseProfile profile, Seen seen, List<Long> sizes) {
        SortedSet<Long> all = new TreeSet<>(sizes);
        for (int i = FIRST_POINT; i <= LAST_POINT; i++) {
            double times = Math.pow(10, (double) i / POINTS_PER_DECADE);
            all.add(Math.round(seen.cacheBytes() * times));
        }
        double reads = seen.cachedReads() + seen.storedReads();
        boolean keepsData = seen.cacheMode().equals("all");
        Double had = keepsData && reads > 0 ? (Double) (seen.cachedReads() / reads) : null;
        Point present = point(profile, seen, seen.cacheBytes(), 0);
        Double predicted = present.hitRatio();
        // What is wrong where one can look is taken to be as wrong where one can't.
        double error = had == null || predicted == null ? 0 : Math.abs(predicted - had);
        return new CacheProfile(
                seen,
                profile.reads(),
                profile.reads() / seen.seconds(),
                profile.sampledBlocks(),
                HUNDRED * profile.sampledShare(),
                HUNDRED * profile.coldShare(),
                reads > 0 ? (Double) (HUNDRED * seen.unknownReads() / reads) : null,
                had,
                present,
                profile.workingSetBytes(),
                all.stream().map(bytes -> point(profile, seen, bytes, error)).toList());
    }

    /**
     * {@return a point of the curve}
     *
     * @param error by which the band is wider than the sample makes it
     */
    private static Point point(ReuseProfile profile, Seen seen, long cacheBytes, double error) {
        long room = cacheBytes - seen.writeBytes() - seen.metadataBytes();
        if (room <= 0) {
            return new Point(cacheBytes, null, null, null, null, null);
        }
        ReuseProfile.HitRatio hits = profile.hitRatio(room, seen.dataBytes());
        double misses = 1 - hits.ratio();
        Double read = seen.storageReadMs();
        return new Point(
                cacheBytes,
                hits.ratio(),
                Math.max(0, hits.low() - error),
                Math.min(1, hits.high() + error),
                misses * profile.reads() / seen.seconds(),
                read == null ? null : (Double) (misses * read));
    }
}
