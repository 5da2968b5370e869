package org.hubmark.bench.kit.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.statistics.Holm;
import org.hubmark.bench.kit.statistics.Ratio;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * Judges the comparison of several scenarios at once by draws: how often any of them is told to differ
 * although none does, and how often the one that does is told, each judged as if it were alone, and all
 * judged together. What comes out is printed; docs/decisions/0010 has it.
 */
class FamilyDrawsTest {
    private static final long SEED = 20_261_127;
    private static final int SCENARIOS = 8;
    private static final double SMALLEST = 0.02;

    /** Of the logarithms of the rates. */
    private static final double SCATTER = 0.03;

    /** Of those of p95 and p99; what they have in common with each other is half of their variance. */
    private static final double SCATTER_OF_TAILS = 0.10;

    private static final int[] REPEATS = {3, 5, 10};
    private static final double[] SLOWER_BY = {0, 0.05, 0.10};
    private static final UnaryOperator<List<Ratio>> ALONE = UnaryOperator.identity();

    @SuppressWarnings("UnnecessaryLambda")
    private static final UnaryOperator<List<Ratio>> TOGETHER = Holm::judged;

    private final Random random = new Random(SEED);

    /** What came of one way to judge, as shares of the draws. */
    private record Shares(double falseAlarms, double told) {}

    @Test
    void ofEightScenariosOneComparisonInTwentyCriesWolf() {
        judge(1500, 0.065);
    }

    @Test
    @Tag("long")
    void soItIsOfManyDraws() {
        judge(20_000, 0.053);
    }

    private void judge(int draws, double alarmsMax) {
        for (int repeats : REPEATS) {
            for (double slower : SLOWER_BY) {
                Shares before = shares(draws, repeats, slower, false, ALONE);
                Shares after = shares(draws, repeats, slower, false, TOGETHER);
                Shares tails = shares(draws, repeats, slower, true, TOGETHER);
                System.out.printf(
                        Locale.ROOT,
                        "%2d repeats, one of %d scenarios slower by %2.0f %%: alone %4.1f %% false, %5.1f %%"
                                + " told; together %3.1f %% false, %5.1f %% told; with tails %3.1f %%"
                                + " false, %5.1f %% told%n",
                        repeats,
                        SCENARIOS,
                        100 * slower,
                        100 * before.falseAlarms,
                        100 * before.told,
                        100 * after.falseAlarms,
                        100 * after.told,
                        100 * tails.falseAlarms,
                        100 * tails.told);
                String seed = "seed " + SEED + ", repeats " + repeats;
                assertThat(before.falseAlarms).as(seed).isGreaterThan(0.12);
                assertThat(after.falseAlarms).as(seed).isLessThan(alarmsMax);
                assertThat(tails.falseAlarms).as(seed).isLessThan(alarmsMax);
                if (slower == 0.10 && repeats >= 5) {
                    assertThat(after.told).as(seed).isGreaterThan(0.85);
                }
            }
        }
    }

    /** The first of the scenarios is slower, the others are equal. */
    private Shares shares(
            int draws,
            int repeats,
            double slower,
            boolean hasTails,
            UnaryOperator<List<Ratio>> judged) {
        int alarms = 0;
        int told = 0;
        for (int draw = 0; draw < draws; draw++) {
            List<Ratio> rates = new ArrayList<>();
            List<Ratio> tails = new ArrayList<>();
            for (int scenario = 0; scenario < SCENARIOS; scenario++) {
                double factor = scenario == 0 ? 1 - slower : 1;
                rates.add(Ratio.of(rates(repeats, 1), rates(repeats, factor)));
                if (hasTails) {
                    double[][] first = tails(repeats);
                    double[][] second = tails(repeats);
                    tails.add(Ratio.of(first[0], second[0]));
                    tails.add(Ratio.of(first[1], second[1]));
                }
            }
            List<Ratio> family = new ArrayList<>(rates);
            family.addAll(tails);
            family = judged.apply(family);
            boolean isFalse = false;
            for (int i = 0; i < family.size(); i++) {
                Verdict verdict = Verdict.of(family.get(i), true, SMALLEST);
                boolean isTold = verdict == Verdict.SLOWER || verdict == Verdict.FASTER;
                boolean isSlower = i == 0 && slower > 0;
                isFalse |= isTold && !isSlower;
                told += isSlower && verdict == Verdict.SLOWER ? 1 : 0;
            }
            alarms += isFalse ? 1 : 0;
        }
        return new Shares((double) alarms / draws, (double) told / draws);
    }

    private double[] rates(int repeats, double factor) {
        double[] values = new double[repeats];
        for (int i = 0; i < repeats; i++) {
            values[i] = 1000 * factor * Math.exp(SCATTER * random.nextGaussian());
        }
        return values;
    }

    /** {@return p95 and p99 of each repeat} */
    private double[][] tails(int repeats) {
        double[][] values = new double[2][repeats];
        for (int i = 0; i < repeats; i++) {
            double common = random.nextGaussian();
            for (double[] tail : values) {
                tail[i] = 10
                        * Math.exp(SCATTER_OF_TAILS
                                * Math.sqrt(0.5)
                                * (common + random.nextGaussian()));
            }
        }
        return values;
    }
}
