package org.hubmark.bench.kit.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Holm's correction (Scandinavian Journal of Statistics 6, 1979) for ratios that are judged together: the
 * chance that any of them is told from 1 although it is 1 stays at 5 %, however many there are, and
 * whether or not they depend on each other. docs/decisions/0010 says why this one.
 */
public final class Holm {
    private Holm() {}

    /**
     * {@return the same ratios, each with the level that it is judged at: the interval leaves out 1 where the
     * correction tells it from 1, and nowhere else} Of {@code n} the one that is least likely by chance has
     * {@code 1 - 0.05 / n}, the next {@code 1 - 0.05 / (n - 1)} and so on, until one is not told from 1; that
     * and all others have the level of that step. A ratio without an interval is none of the {@code n}.
     */
    public static List<Ratio> judged(List<Ratio> family) {
        double[] chances = family.stream().mapToDouble(Ratio::chance).toArray();
        int[] order = IntStream.range(0, chances.length)
                .filter(i -> !Double.isNaN(chances[i]))
                .boxed()
                .sorted((i, j) -> Double.compare(chances[i], chances[j]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] levels = new double[chances.length];
        Arrays.fill(levels, Inference.CONFIDENCE);
        int left = order.length;
        boolean isTold = true;
        for (int i : order) {
            double share = (1 - Inference.CONFIDENCE) / left;
            levels[i] = 1 - share;
            isTold = isTold && chances[i] < share;
            left -= isTold ? 1 : 0;
        }
        return IntStream.range(0, levels.length)
                .mapToObj(i -> family.get(i).at(levels[i]))
                .toList();
    }
}
