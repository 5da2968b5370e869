package org.hubmark.bench.users.result;

/**
 * What a level may need at most, milliseconds.
 *
 * @param scoreMs the score has to be below it (LoadSim: 1,000)
 * @param sendMs the 95th percentile of sending at most (LoadGen: 500)
 */
public record LevelLimits(double scoreMs, double sendMs) {}
