package org.hubmark.bench.kit.statistics;

/**
 * A confidence interval of 95 %.
 *
 * @param low its lower end
 * @param high its upper end
 */
public record Interval(double low, double high) {}
