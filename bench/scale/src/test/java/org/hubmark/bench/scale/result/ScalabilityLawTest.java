package org.hubmark.bench.scale.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Parameters that are known are found again, and their intervals hold them as often as they say. */
class ScalabilityLawTest {
    private static final double PER_HOST = 1000;
    private static final double CONTENTION = 0.1;
    private static final double COHERENCE = 0.02;

    private static double throughput(double n) {
        return PER_HOST * n / (1 + CONTENTION * (n - 1) + COHERENCE * n * (n - 1));
    }

    private static ScalabilityLaw fit(double scatter, SplittableRandom random) {
        List<ScalabilityLaw.Sample> samples = new ArrayList<>();
        for (int hosts = 1; hosts <= 5; hosts++) {
            for (int run = 1; run <= 5; run++) {
                double noise = 1 + scatter * random.nextGaussian();
                samples.add(new ScalabilityLaw.Sample(hosts, throughput(hosts) * noise));
            }
        }
        ScalabilityLaw law = ScalabilityLaw.of(samples);
        assertThat(law).isNotNull();
        return law;
    }

    @Test
    void findsWhatTheDataWereMadeOf() {
        ScalabilityLaw law = fit(0, new SplittableRandom(1));
        assertThat(law.perHost()).isCloseTo(PER_HOST, within(1e-6));
        assertThat(law.contention()).isCloseTo(CONTENTION, within(1e-9));
        assertThat(law.coherence()).isCloseTo(COHERENCE, within(1e-9));
        assertThat(law.residualMaxPercent()).isCloseTo(0, within(1e-6));
        assertThat(law.hostsAtPeak()).isCloseTo(Math.sqrt(0.9 / 0.02), within(1e-6));
        assertThat(law.at(3)).isCloseTo(throughput(3), within(1e-6));
    }

    @Test
    void theIntervalsHoldTheTruthAsOftenAsTheySay() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int trials = 1000;
        int[] held = new int[3];
        for (int i = 0; i < trials; i++) {
            ScalabilityLaw law = fit(0.03, random);
            held[0] += holds(law.perHostCi95(), PER_HOST);
            held[1] += holds(law.contentionCi95(), CONTENTION);
            held[2] += holds(law.coherenceCi95(), COHERENCE);
        }
        for (int count : held) {
            // 95 %, give or take what the first order and 1,000 trials leave open.
            assertThat(count / (double) trials).as("seed %d", seed).isBetween(0.91, 0.98);
        }
    }

    @Test
    void saysNothingWhereThereIsTooLittle() {
        ScalabilityLaw.Sample one = new ScalabilityLaw.Sample(1, 10);
        ScalabilityLaw.Sample two = new ScalabilityLaw.Sample(2, 19);
        ScalabilityLaw.Sample three = new ScalabilityLaw.Sample(3, 27);
        assertThat(ScalabilityLaw.of(List.of(one, one, two, two))).isNull();
        assertThat(ScalabilityLaw.of(List.of(one, two, three))).isNull();
        assertThat(ScalabilityLaw.of(List.of(one, two, three, three))).isNotNull();
        assertThat(ScalabilityLaw.of(List.of(one, two, three, new ScalabilityLaw.Sample(3, 0))))
                .isNull();
    }

    @Test
    void aLinearSystemHasNoPeak() {
        List<ScalabilityLaw.Sample> samples = new ArrayList<>();
        for (int hosts = 1; hosts <= 4; hosts++) {
            samples.add(new ScalabilityLaw.Sample(hosts, 1000 * hosts + 10 * hosts * hosts));
        }
        ScalabilityLaw law = ScalabilityLaw.of(samples);
        assertThat(law).isNotNull();
        assertThat(law.contention()).isNegative();
        assertThat(law.coherence() > 0).isEqualTo(law.hostsAtPeak() != null);
    }

    private static int holds(@Nullable Interval interval, double value) {
        assertThat(interval).isNotNull();
        return interval.low() <= value && value <= interval.high() ? 1 : 0;
    }
}
