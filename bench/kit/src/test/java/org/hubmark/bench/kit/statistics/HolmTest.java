package org.hubmark.bench.kit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;

/** Proves the levels of Holm's correction by hand, and that intervals of these levels say what it says. */
class HolmTest {
    private static final double FREEDOM = 1e7;
    private static final double ERROR = 0.01;

    /** One whose logarithm lies so many standard errors from 0. */
    private static Ratio ratio(double errors) {
        return new Ratio(Math.exp(ERROR * errors), ERROR, FREEDOM, Inference.CONFIDENCE);
    }

    private static boolean isTold(Ratio ratio) {
        Interval interval = Objects.requireNonNull(ratio.interval());
        return interval.low() > 1 || interval.high() < 1;
    }

    @Test
    void eachHasTheLevelOfItsStep() {
        // Chances 0.32, 0.0027, 0.028 and 0.0164; the shares are 0.0125, 0.0167, 0.025 and 0.05.
        List<Ratio> judged = Holm.judged(
                DoubleStream.of(1, -3, 2.2, 2.4).mapToObj(HolmTest::ratio).toList());
        assertThat(judged.stream().map(Ratio::level).toList())
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
                .containsExactly(0.975, 0.9875, 0.975, 1 - 0.05 / 3);
        assertThat(judged.stream().map(HolmTest::isTold).toList())
                .containsExactly(false, true, false, true);
        assertThat(judged.get(1).intervalText()).endsWith(" % (98.8 %)");
    }

    @Test
    void oneAloneAndThoseThatScatterNotAtAll() {
        assertThat(Holm.judged(List.of(ratio(2))).getFirst()).isEqualTo(ratio(2));
        Ratio same = Ratio.of(new double[] {5, 5}, new double[] {5, 5});
        Ratio other = Ratio.of(new double[] {5, 5}, new double[] {6, 6});
        assertThat(same.chance()).isEqualTo(1);
        assertThat(other.chance()).isZero();
        assertThat(Holm.judged(List.of(same, other)).stream()
                        .map(HolmTest::isTold)
                        .toList())
                .containsExactly(false, true);
    }

    @Test
    void whatHasNoIntervalIsNotCounted() {
        Ratio single = Ratio.of(new double[] {1}, new double[] {2});
        List<Ratio> judged = Holm.judged(List.of(single, ratio(2)));
        assertThat(judged.getFirst().interval()).isNull();
        assertThat(judged.getFirst().intervalText()).isEqualTo("-");
        assertThat(judged.getLast().level()).isEqualTo(Inference.CONFIDENCE);
    }

    @Test
    void aLevelHasTheDigitsThatTellItFromAll() {
        assertThat(DoubleStream.of(0.95, 0.975, 1 - 0.05 / 8, 1 - 0.05 / 200)
                        .mapToObj(Interval::text)
                        .toList())
                .containsExactly("95 %", "97.5 %", "99.38 %", "99.975 %");
    }

    @Test
    void theChanceIsStudents() {
        // t(0.975, 4) = 2.7764.
        assertThat(new Ratio(Math.exp(2.7764), 1, 4, 0.95).chance()).isCloseTo(0.05, within(1e-5));
    }
}
