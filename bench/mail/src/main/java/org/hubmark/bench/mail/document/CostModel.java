package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A cost of a message as a straight line over its size, a + b x KB, fitted to the scenarios that
 * differ in nothing but size.
 *
 * @param where what those scenarios have in common; what is null there is unknown
 * @param quantity cpu_cost_mcycles_per_msg, cpu_cost_process_mcycles_per_msg, log_writes_per_msg or
 *     queue_writes_per_msg
 * @param a the cost of a message without its content
 * @param bPerKb the cost of each KB
 * @param rSquared the share of the variance that the line explains
 * @param residualMaxPercent the largest distance of a point from the line, percent of the line
 * @param points how many measurements it is fitted to
 */
public record CostModel(
        Setup where,
        String quantity,
        double a,
        @Nullable Interval aCi95,
        double bPerKb,
        @Nullable Interval bCi95PerKb,
        @Nullable Double rSquared,
        @Nullable Double residualMaxPercent,
        int points) {}
