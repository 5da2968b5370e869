package org.hubmark.bench.kit.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.statistics.Holm;
import org.hubmark.bench.kit.statistics.Ratio;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Judges the comparison by draws: how often two samples of repeats get which verdict, where one server is
 * slower by a known share; and of several scenarios at once how often any is told to differ although none does, each
 * judged as if it were alone and all judged together. What comes out is printed; docs/decisions/0010 has it.
 */
class CompareDrawsTest {
    private static final long SEED = 20_261_122;
    private static final int DRAWS = 4000;
    private static final int SCENARIOS = 8;
    private static final double SMALLEST = 0.02;
    /** Of the logarithms of the rates. */
    private static final double SCATTER = 0.03;
    /** Of those of p95 and p99; what they have in common with each other is half of their variance. */
    private static final double SCATTER_OF_TAILS = 0.10;
    /** What a build pipeline is told to catch; a slowdown of twice as much has to be caught. */
    private static final double LIMIT = 0.05;

    private static final int[] REPEATS = {3, 5, 10};

    private final Random random = new Random(SEED);

    /** How the logarithms of repeats scatter. */
    enum Noise {
        NORMAL,
        /** Student's with 3 degrees of freedom: now and then one is far off. */
        HEAVY,
        /** Each repeat keeps half of what the one before was off, as on a machine that drifts. */
        DEPENDENT
    }

    private double[] rates(Noise noise, int repeats, double factor) {
        double[] rates = new double[repeats];
        double before = 0;
        for (int i = 0; i < repeats; i++) {
            double own = random.nextGaussian();
            if (noise == Noise.HEAVY) {
                double squares = 0;
                for (int j = 0; j < 3; j++) {
                    squares += Math.pow(random.nextGaussian(), 2);
                }
                own = own / Math.sqrt(squares);
            } else if (noise == Noise.DEPENDENT && i > 0) {
                own = 0.5 * before + Math.sqrt(0.75) * own;
            }
            before = own;
            rates[i] = 1000 * factor * Math.exp(SCATTER * own);
        }
        return rates;
    }

    /** The interval takes repeats for independent. Where they are not, it is too narrow. */
    @ParameterizedTest
    @CsvSource({"NORMAL, 0, 0.06", "HEAVY, 0, 0.06", "DEPENDENT, 0.06, 0.27"})
    void equalServersAreSeldomSaidToDiffer(Noise noise, double least, double most) {
        for (int repeats : REPEATS) {
            for (double slower : new double[] {0, 0.03, 0.05, 0.10}) {
                Map<Verdict, Integer> verdicts =
                        drawn(noise, repeats, slower, CompareDrawsTest::verdict);
                print("%s, %d repeats, %.0f %% slower: %s", noise, repeats, 100 * slower, verdicts);
                double faster = share(verdicts, Verdict.FASTER);
                double told = faster + share(verdicts, Verdict.SLOWER);
                assertThat(slower == 0 ? told : faster)
                        .as("seed %d", SEED)
                        .isLessThanOrEqualTo(slower == 0 ? most : 0.03);
                if (slower == 0 && repeats == 10) {
                    assertThat(told).as("seed %d", SEED).isGreaterThanOrEqualTo(least);
                }
            }
        }
    }

    /** With --fail-if-slower: nine of ten builds that are slower by twice the limit, one wolf in twenty. */
    @Test
    void aPipelineCatchesTwiceItsLimit() {
        for (int repeats : new int[] {5, 10}) {
            for (double slower : new double[] {0, 2 * LIMIT}) {
                Map<Regression.Outcome, Integer> outcomes = drawn(
                        Noise.NORMAL,
                        repeats,
                        slower,
                        ratio -> Regression.outcome(ratio, true, verdict(ratio), LIMIT));
                print(
                        "%d repeats, %.0f %% slower, limit 5 %%: %s",
                        repeats, 100 * slower, outcomes);
                assertThat(share(outcomes, Regression.Outcome.WORSE))
                        .as("seed %d", SEED)
                        .isBetween(slower == 0 ? 0 : 0.9, slower == 0 ? 0.05 : 1);
            }
        }
    }

    private <T> Map<T, Integer> drawn(
            Noise noise, int repeats, double slower, Function<Ratio, T> judged) {
        Map<T, Integer> all = new TreeMap<>();
        for (int draw = 0; draw < DRAWS; draw++) {
            Ratio ratio = Ratio.of(rates(noise, repeats, 1), rates(noise, repeats, 1 - slower));
            all.merge(judged.apply(ratio), 1, Integer::sum);
        }
        return all;
    }

    private static Verdict verdict(Ratio ratio) {
        return Verdict.of(ratio, true, SMALLEST);
    }

    private static <T> double share(Map<T, Integer> counts, T which) {
        return counts.getOrDefault(which, 0) / (double) DRAWS;
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation would be a dependency of its own.
    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    @Test
    void ofEightScenariosOneComparisonInTwentyCriesWolf() {
        judgeFamily(1500, 0.065);
    }

    @Test
    @Tag("long")
    void soItIsOfManyDraws() {
        judgeFamily(20_000, 0.053);
    }

    private void judgeFamily(int draws, double alarmsMax) {
        for (int repeats : REPEATS) {
            for (double slower : new double[] {0, 0.05, 0.10}) {
                Shares alone = shares(draws, repeats, slower, false, UnaryOperator.identity());
                Shares together = shares(draws, repeats, slower, false, Holm::judged);
                Shares tails = shares(draws, repeats, slower, true, Holm::judged);
                print(
                        "%d repeats, one of %d scenarios slower by %.0f %%: alone %s, together %s,"
                                + " with tails %s",
                        repeats, SCENARIOS, 100 * slower, alone, together, tails);
                String seed = "seed " + SEED + ", repeats " + repeats;
                assertThat(alone.falseAlarms).as(seed).isGreaterThan(0.12);
                assertThat(together.falseAlarms).as(seed).isLessThan(alarmsMax);
                assertThat(tails.falseAlarms).as(seed).isLessThan(alarmsMax);
                if (slower == 0.10 && repeats >= 5) {
                    assertThat(together.told).as(seed).isGreaterThan(0.85);
                }
            }
        }
    }

    /** What came of one way to judge, as shares of the draws. */
    private record Shares(double falseAlarms, double told) {}

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
            List<Ratio> family = new ArrayList<>();
            for (int scenario = 0; scenario < SCENARIOS; scenario++) {
                family.add(Ratio.of(
                        rates(Noise.NORMAL, repeats, 1),
                        rates(Noise.NORMAL, repeats, scenario == 0 ? 1 - slower : 1)));
            }
            for (int scenario = 0; hasTails && scenario < SCENARIOS; scenario++) {
                double[][] first = tails(repeats);
                double[][] second = tails(repeats);
                family.add(Ratio.of(first[0], second[0]));
                family.add(Ratio.of(first[1], second[1]));
            }
            List<Verdict> verdicts =
                    judged.apply(family).stream().map(CompareDrawsTest::verdict).toList();
            boolean isTold = slower > 0 && verdicts.getFirst() == Verdict.SLOWER;
            told += isTold ? 1 : 0;
            alarms += verdicts.stream()
                            .skip(slower > 0 ? 1 : 0)
                            .anyMatch(one -> one == Verdict.SLOWER || one == Verdict.FASTER)
                    ? 1
                    : 0;
        }
        return new Shares((double) alarms / draws, (double) told / draws);
    }

    /** {@return p95 and p99 of each repeat} */
    private double[][] tails(int repeats) {
        double[][] values = new double[2][repeats];
        for (int i = 0; i < repeats; i++) {
            double common = random.nextGaussian();
            for (double[] tail : values) {
                double own = Math.sqrt(0.5) * (common + random.nextGaussian());
                tail[i] = 10 * Math.exp(SCATTER_OF_TAILS * own);
            }
        }
        return values;
    }
}
