package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Cache modes, or sizes of one, beside each other, as it stands under {@code cache} in qualification.json.
 * They were tried in rounds, each once in each, so that what changes with time is in all of them.
 *
 * @param modes in the order in which they were asked for; where sizes are compared, those
 * @param blocks in the order in which they were run
 * @param pairs each other mode against the first
 * @param sizes what was predicted for each size and what it had; none where modes are compared
 */
public record CachePairs(
        List<String> modes, List<Block> blocks, List<Pair> pairs, List<CacheSizes.Size> sizes) {
    private static final double HUNDRED = 100;

    /**
     * One mode in one round.
     *
     * @param round the first is 1
     * @param rows by the names of {@link CacheRow}; null for what is not known
     * @param targetMet whether reads and writes together reached the target
     * @param folder of its raw samples, below that of the results
     * @param performance all else that was collected, as of a performance phase
     */
    public record Block(
            String mode,
            int round,
            Map<String, @Nullable Double> rows,
            boolean targetMet,
            String folder,
            PhaseResult performance) {}

    /**
     * One mode against another.
     *
     * @param without the mode that is compared with
     * @param with the other
     * @param rounds in which both were tried
     */
    public record Pair(String without, String with, int rounds, List<Row> rows) {
        /** Copies. */
        public Pair {
            rows = List.copyOf(rows);
        }
    }

    /**
     * A row of a pair.
     *
     * @param better higher or lower
     * @param without mean over the rounds
     * @param with the same of the other mode
     * @param improvementPercent by the geometric mean of the rounds' ratios; above 0 is better; null where
     *     a value is not known or 0
     * @param improvementCi95Percent Student's interval of it; null for less than two rounds
     */
    public record Row(
            String field,
            String label,
            String better,
            @Nullable Double without,
            @Nullable Double with,
            @Nullable Double improvementPercent,
            @Nullable Interval improvementCi95Percent) {}

    /** Copies. */
    public CachePairs {
        modes = List.copyOf(modes);
        blocks = List.copyOf(blocks);
        pairs = List.copyOf(pairs);
        sizes = List.copyOf(sizes);
    }

    /** {@return the figures of a block} */
    public static Block block(
            String mode, int round, double targetIops, String folder, PhaseResult performance) {
        Map<String, @Nullable Double> rows =
                rows(performance.instances(), Objects.requireNonNull(performance.collectionS()));
        Double iops = rows.get(CacheRow.DB_IOPS.field());
        return new Block(
                mode, round, rows, iops != null && iops >= targetIops, folder, performance);
    }

    /** {@return all rows of what was counted of the instances} */
    static Map<String, @Nullable Double> rows(List<InstanceFigures> instances, double seconds) {
        IoCounts together = instances.stream()
                .map(InstanceFigures::counts)
                .reduce(IoCounts.NONE, IoCounts::plus);
        Map<String, @Nullable Double> rows = new LinkedHashMap<>();
        for (CacheRow row : CacheRow.values()) {
            rows.put(row.field(), row.of(together, seconds));
        }
        return rows;
    }

    /** {@return the blocks with the pairs that they make} */
    public static CachePairs of(
            List<String> modes, List<Block> blocks, List<CacheSizes.Size> sizes) {
        List<Cell> cells = blocks.stream()
                .map(block -> new Cell(block.mode(), block.round(), block.rows()))
                .toList();
        return new CachePairs(modes, blocks, pairs(modes, cells), sizes);
    }

    /** What of a block is compared. */
    record Cell(String mode, int round, Map<String, @Nullable Double> rows) {}

    static List<Pair> pairs(List<String> modes, List<Cell> cells) {
        return modes.stream()
                .skip(1)
                .map(with -> pair(modes.getFirst(), with, cells))
                .toList();
    }

    private static Pair pair(String without, String with, List<Cell> cells) {
        List<Cell> first = new ArrayList<>();
        List<Cell> second = new ArrayList<>();
        for (Cell one : cells) {
            for (Cell other : cells) {
                if (one.mode().equals(without)
                        && other.mode().equals(with)
                        && one.round() == other.round()) {
                    first.add(one);
                    second.add(other);
                }
            }
        }
        List<Row> rows = Arrays.stream(CacheRow.values())
                .map(row -> row(row, values(first, row), values(second, row)))
                .toList();
        return new Pair(without, with, first.size(), rows);
    }

    private static List<@Nullable Double> values(List<Cell> cells, CacheRow row) {
        List<@Nullable Double> values = new ArrayList<>();
        cells.forEach(cell -> values.add(cell.rows().get(row.field())));
        return values;
    }

    private static Row row(
            CacheRow row, List<@Nullable Double> without, List<@Nullable Double> with) {
        double[] first = known(without);
        double[] second = known(with);
        boolean compared = first.length > 0
                && first.length == without.size()
                && second.length == with.size()
                && positive(first)
                && positive(second);
        Interval ratios = compared ? Inference.ofPairedRatio(first, second) : null;
        return new Row(
                row.field(),
                row.label(),
                row.better().text(),
                mean(first),
                mean(second),
                compared ? (Double) improvement(row, meanRatio(first, second)) : null,
                ratios == null ? null : improvement(row, ratios));
    }

    private static double[] known(List<@Nullable Double> values) {
        return values.stream()
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private static boolean positive(double[] values) {
        return Arrays.stream(values).allMatch(value -> value > 0);
    }

    private static @Nullable Double mean(double[] values) {
        return values.length == 0
                ? null
                : (Double) Arrays.stream(values).average().orElseThrow();
    }

    private static double meanRatio(double[] first, double[] second) {
        double logarithms = 0;
        for (int i = 0; i < first.length; i++) {
            logarithms += Math.log(second[i] / first[i]);
        }
        return Math.exp(logarithms / first.length);
    }

    private static double improvement(CacheRow row, double ratio) {
        return HUNDRED * (row.better() == CacheRow.Better.HIGHER ? ratio - 1 : 1 - ratio);
    }

    private static Interval improvement(CacheRow row, Interval ratios) {
        double one = improvement(row, ratios.low());
        double other = improvement(row, ratios.high());
        return new Interval(Math.min(one, other), Math.max(one, other));
    }
}
