package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.Function;

/**
 * One figure of a level of two results; null where it is not known.
 *
 * @param ratio of the two, b over a
 * @param interval 95 %, of the ratio of the geometric means over all runs (Welch's, of the logarithms);
 *     null where either has less than two whole runs, or a value of 0
 */
public record Paired(
        @Nullable Double a,
        @Nullable Double b,
        @Nullable Double ratio,
        @Nullable Interval interval) {
    /**
     * {@return a figure of two levels}
     *
     * @param figure finds it in a level, and in a run of one
     */
    static Paired of(JsonNode a, JsonNode b, Function<JsonNode, JsonNode> figure) {
        Double from = value(figure.apply(a));
        Double to = value(figure.apply(b));
        Double ratio = from == null || to == null || from == 0 ? null : (Double) (to / from);
        return new Paired(
                from, to, ratio, ratio == null ? null : interval(runs(a, figure), runs(b, figure)));
    }

    /** {@return it in each whole run in which it is known} */
    static double[] runs(JsonNode level, Function<JsonNode, JsonNode> figure) {
        return LevelTrees.wholeRuns(level).stream()
                .map(figure)
                .filter(JsonNode::isNumber)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    private static @Nullable Interval interval(double[] a, double[] b) {
        boolean enough = a.length > 1 && b.length > 1;
        boolean positive = Arrays.stream(a).allMatch(value -> value > 0)
                && Arrays.stream(b).allMatch(value -> value > 0);
        return enough && positive ? Ratio.of(a, b).interval() : null;
    }

    private static @Nullable Double value(JsonNode node) {
        return node.isNumber() ? (Double) node.asDouble() : null;
    }
}
