package org.hubmark.bench.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A cost of a message as a straight line over its size, fitted to the scenarios that differ in nothing
 * but size and rate. In the file its parts stand flat.
 *
 * @param where what those scenarios have in common; what is null there is unknown or differs
 * @param quantity cpu_cost_mcycles_per_msg, cpu_cost_process_mcycles_per_msg, log_writes_per_msg or
 *     queue_writes_per_msg
 */
public record CostModel(
        Setup where,
        String quantity,
        @JsonUnwrapped Line line,
        @JsonUnwrapped Fit fit) {
    /**
     * The line: a + b x KB, and at fixed rates its share of a background.
     *
     * @param a the cost of a message without its content
     * @param aCi95 null when it can't be told
     * @param bPerKb the cost of each KB
     * @param bCi95PerKb null when it can't be told
     * @param backgroundPerS what the server costs each second, whatever it is sent; null where it isn't
     *     modelled: at full load, or where all rates are the same, so that it is part of a
     */
    public record Line(
            double a,
            @Nullable Interval aCi95,
            double bPerKb,
            @Nullable Interval bCi95PerKb,
            @Nullable Double backgroundPerS) {}

    /**
     * How well the measurements fit it.
     *
     * @param rSquared the share of the variance that the line explains
     * @param residualMaxPercent the largest distance of a point from the line, percent of the line
     * @param points how many measurements it is fitted to
     * @param lackOfFitP how often chance alone would put the means so far from the line; null where no
     *     cell was measured twice
     * @param leftOutMaxPercent by how much the model of all other sizes misses a size at most
     * @param fits whether it may be used; null where nobody asked
     * @param misfit why it may not; null when it may
     */
    public record Fit(
            @Nullable Double rSquared,
            @Nullable Double residualMaxPercent,
            int points,
            @Nullable Double lackOfFitP,
            @Nullable Double leftOutMaxPercent,
            @Nullable Boolean fits,
            @Nullable String misfit) {}
}
