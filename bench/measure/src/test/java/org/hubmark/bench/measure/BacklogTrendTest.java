package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

/** Proves that a backlog that grows is told from one that breathes, by simulated ones. */
class BacklogTrendTest {
    private static final int SERIES = 400;

    /** A minute at 1,000 messages a second, a sample a second. */
    private static final int SAMPLES = 60;

    @Test
    void anEmptyBacklogDoesNotGrow() {
        assertThat(backlog(0, 0, 0, 1)).isZero();
    }

    @Test
    void aSlowGrowthThatAShareOfTheRateWouldPassIsSeen() {
        // 1 % of the rate: 600 messages in a minute, 30 in a trial of 3 s.
        assertThat(share(10, 60, 0)).isGreaterThan(0.99);
        assertThat(share(2, 20, 0)).isGreaterThan(0.95);
    }

    @Test
    void whatOnlyBreathesIsSeldomTakenForGrowth() {
        assertThat(share(0, 60, 0)).isLessThan(0.06);
        assertThat(share(0, 60, 0.5)).isLessThan(0.10);
        assertThat(share(0, 60, 0.8)).isLessThan(0.15);
    }

    @Test
    void fewSamplesTellNothing() {
        BacklogTrend trend = new BacklogTrend();
        for (int i = 0; i < BacklogTrend.SAMPLES_MIN - 1; i++) {
            trend.add(i, 1_000.0 * i);
        }
        assertThat(trend.growth()).isZero();
        trend.add(BacklogTrend.SAMPLES_MIN, 1_000.0 * BacklogTrend.SAMPLES_MIN);
        assertThat(trend.growth()).isPositive();
    }

    /** {@return in what share of simulated runs a growth is seen} */
    private static double share(double perSecond, double scatter, double correlation) {
        int grown = 0;
        for (int seed = 0; seed < SERIES; seed++) {
            grown += backlog(perSecond, scatter, correlation, seed) > 0 ? 1 : 0;
        }
        return (double) grown / SERIES;
    }

    private static double backlog(double perSecond, double scatter, double correlation, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BacklogTrend trend = new BacklogTrend();
        double noise = 0;
        for (int i = 0; i <= SAMPLES; i++) {
            noise = correlation * noise
                    + Math.sqrt(1 - correlation * correlation) * scatter * random.nextGaussian();
            trend.add(i, perSecond * i + noise);
        }
        return trend.growth();
    }
}
