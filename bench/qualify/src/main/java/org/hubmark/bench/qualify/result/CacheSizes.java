package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the profile of a load with one size of the cache has predicted for others, and what they had when
 * they were tried.
 */
public final class CacheSizes {
    private static final double HUNDRED = 100;

    private CacheSizes() {}

    /**
     * A size of the cache. Means over the rounds in which both it and the first were tried.
     *
     * @param predictedFromBytes the size of the cache beside which was predicted: the first
     * @param hitRatio of blocks of data, that it had
     * @param hitRatioCi95 Student's interval of that; null for less than two rounds
     * @param predicted the same, as predicted
     * @param predictedLow the least by the error band
     * @param predictedHigh the most
     * @param errorPercentPoints predicted less had
     * @param errorPointsCi95 Student's interval of that over the rounds; null for less than two
     * @param withinBand whether what it had lies in the band
     */
    public record Size(
            long cacheBytes,
            long predictedFromBytes,
            int rounds,
            double hitRatio,
            @Nullable Interval hitRatioCi95,
            double predicted,
            double predictedLow,
            double predictedHigh,
            double errorPercentPoints,
            @Nullable Interval errorPointsCi95,
            boolean withinBand) {}

    /** A hit ratio beside what was predicted for it in the same round. */
    private record Round(
            double hitRatio, double predicted, double predictedLow, double predictedHigh) {
        double error() {
            return HUNDRED * (predicted - hitRatio);
        }
    }

    /** {@return all sizes for which something was predicted} */
    public static List<Size> of(List<Long> sizes, List<CachePairs.Block> blocks) {
        List<Size> all = new ArrayList<>();
        for (long bytes : sizes) {
            List<Round> rounds = new ArrayList<>();
            for (CachePairs.Block tried : blocks) {
                for (CachePairs.Block first : blocks) {
                    Round round = tried.round() == first.round()
                            ? round(profile(tried), profile(first), bytes, sizes.getFirst())
                            : null;
                    if (round != null) {
                        rounds.add(round);
                    }
                }
            }
            if (!rounds.isEmpty()) {
                all.add(size(bytes, sizes.getFirst(), rounds));
            }
        }
        return all;
    }

    private static @Nullable CacheProfile profile(CachePairs.Block block) {
        return block.performance().cacheProfile();
    }

    private static @Nullable Round round(
            @Nullable CacheProfile tried, @Nullable CacheProfile first, long bytes, long from) {
        if (tried == null
                || first == null
                || tried.seen().cacheBytes() != bytes
                || first.seen().cacheBytes() != from) {
            return null;
        }
        Double had = tried.hitRatio();
        for (CacheProfile.Point point : first.points()) {
            Double ratio = point.hitRatio();
            Double low = point.hitRatioLow();
            Double high = point.hitRatioHigh();
            if (point.cacheBytes() == bytes
                    && had != null
                    && ratio != null
                    && low != null
                    && high != null) {
                return new Round(had, ratio, low, high);
            }
        }
        return null;
    }

    private static Size size(long bytes, long from, List<Round> rounds) {
        double had = mean(rounds, Round::hitRatio);
        double low = mean(rounds, Round::predictedLow);
        double high = mean(rounds, Round::predictedHigh);
        return new Size(
                bytes,
                from,
                rounds.size(),
                had,
                interval(rounds, Round::hitRatio),
                mean(rounds, Round::predicted),
                low,
                high,
                mean(rounds, Round::error),
                interval(rounds, Round::error),
                low <= had && had <= high);
    }

    private static double mean(List<Round> rounds, ToDoubleFunction<Round> value) {
        return Inference.mean(rounds.stream().mapToDouble(value).toArray());
    }

    private static @Nullable Interval interval(List<Round> rounds, ToDoubleFunction<Round> value) {
        return rounds.size() < 2
                ? null
                : Inference.ofArithmeticMean(rounds.stream().mapToDouble(value).toArray());
    }
}
