package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.SplittableRandom;

/** Proves that a backlog is called flat only where that is shown, by simulated ones. */
class BacklogTrendTest {
    private static final int SERIES = 400;

    /** A minute at 1,000 messages a second, a sample a second. */
    private static final int SAMPLES = 60;

    /** 0.5 % of the rate: 300 messages in a minute. */
    private static final double BOUND = 300;

    @Test
    void anEmptyBacklogIsFlat() {
        assertThat(change(0, 0, 0, 1).isWithin(1)).isTrue();
    }

    @Test
    void whatOnlyBreathesIsShownToBeFlat() {
        assertThat(flat(0, 60, 0)).isGreaterThan(0.99);
        assertThat(flat(0, 60, 0.5)).isGreaterThan(0.95);
        assertThat(flat(0, 30, 0.8)).isGreaterThan(0.95);
    }

    /** The risk is 5 %; the correlation of few samples is known roughly. */
    @Test
    void whatChangesByTheBoundSeldomIs() {
        for (double sign : new double[] {-1, 1}) {
            assertThat(flat(sign * BOUND / SAMPLES, 60, 0)).isLessThan(0.08);
            assertThat(flat(sign * BOUND / SAMPLES, 60, 0.5)).isLessThan(0.1);
            assertThat(flat(sign * BOUND / SAMPLES, 60, 0.8)).isLessThan(0.15);
            assertThat(flat(sign * 2 * BOUND / SAMPLES, 60, 0.5)).isLessThan(0.01);
        }
    }

    /** Not to see a growth is no proof that there is none. */
    @Test
    void whatScattersTooMuchToTellIsNotShownToBeFlat() {
        assertThat(flat(0, 1_000, 0)).isZero();
    }

    @Test
    void fewSamplesTellNothing() {
        BacklogTrend trend = new BacklogTrend();
        for (int i = 0; i < BacklogTrend.SAMPLES_MIN - 1; i++) {
            trend.add(i, 1_000.0 * i);
        }
        assertThat(trend.change()).isNull();
        trend.add(BacklogTrend.SAMPLES_MIN, 1_000.0 * BacklogTrend.SAMPLES_MIN);
        assertThat(trend.change()).isNotNull();
    }

    /** {@return in what share of simulated runs it is shown to be flat} */
    private static double flat(double perSecond, double scatter, double correlation) {
        int flat = 0;
        for (int seed = 0; seed < SERIES; seed++) {
            flat += change(perSecond, scatter, correlation, seed).isWithin(BOUND) ? 1 : 0;
        }
        return (double) flat / SERIES;
    }

    private static LineChange change(
            double perSecond, double scatter, double correlation, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BacklogTrend trend = new BacklogTrend();
        double noise = 0;
        for (int i = 0; i <= SAMPLES; i++) {
            noise = correlation * noise
                    + Math.sqrt(1 - correlation * correlation) * scatter * random.nextGaussian();
            trend.add(i, perSecond * i + noise);
        }
        return Objects.requireNonNull(trend.change());
    }
}
