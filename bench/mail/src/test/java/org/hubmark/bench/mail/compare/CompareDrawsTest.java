package org.hubmark.bench.mail.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.report.MailReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Judges the comparison by draws: how often two samples of repeats get which verdict, where one
 * server is slower by a known share. The repeats are made up (normal, heavy-tailed, depending on the
 * one before) or recorded: {@code -Dcompare.draws=DIR} takes a folder with one folder for each run,
 * whose name begins with the percentage by which the server was slowed (0-a, 0-b, 3, 5, 10) and
 * which holds its results.json. What comes out is printed; docs/decisions/0010 has it.
 */
class CompareDrawsTest {
    private static final long SEED = 20_261_122;
    private static final int DRAWS = 4000;
    private static final double SMALLEST = 0.02;
    /** Of the logarithms of the rates. */
    private static final double SCATTER = 0.03;

    /** What a build pipeline is told to catch; a slowdown of twice as much has to be caught. */
    private static final double LIMIT = 0.05;

    private static final int[] REPEATS = {3, 5, 10};
    private static final double[] SLOWER_BY = {0, 0.03, 0.05, 0.10};

    private final Random random = new Random(SEED);

    /** Makes the logarithms of so many repeats, the one after the other. */
    @FunctionalInterface
    private interface Noise {
        double[] of(int count);
    }

    private double[] normal(int count) {
        return filled(count, () -> SCATTER * random.nextGaussian());
    }

    /** Student's with 3 degrees of freedom: now and then one is far off. */
    private double[] heavy(int count) {
        return filled(count, () -> {
            double squares = 0;
            for (int i = 0; i < 3; i++) {
                squares += Math.pow(random.nextGaussian(), 2);
            }
            return SCATTER / Math.sqrt(3) * random.nextGaussian() / Math.sqrt(squares / 3);
        });
    }

    /** Each repeat keeps half of what the one before was off, as on a machine that drifts. */
    private double[] dependent(int count) {
        double[] values = normal(count);
        for (int i = 1; i < count; i++) {
            values[i] = 0.5 * values[i - 1] + Math.sqrt(0.75) * values[i];
        }
        return values;
    }

    private static double[] filled(int count, java.util.function.DoubleSupplier next) {
        double[] values = new double[count];
        Arrays.setAll(values, i -> next.getAsDouble());
        return values;
    }

    @Test
    void ofNormalRepeatsOneInTwentyCriesWolfAtMost() {
        Map<Integer, Double> wolves = judged("normal", this::normal);
        assertThat(wolves.values()).as("seed %d", SEED).allMatch(share -> share <= 0.06);
    }

    @Test
    void ofHeavyTailsNotMore() {
        Map<Integer, Double> wolves = judged("heavy-tailed", this::heavy);
        assertThat(wolves.values()).as("seed %d", SEED).allMatch(share -> share <= 0.06);
    }

    /** The interval takes repeats for independent. Where they are not, it is too narrow. */
    @Test
    void ofDependentOnesMore() {
        Map<Integer, Double> wolves = judged("dependent", this::dependent);
        assertThat(wolves.values()).as("seed %d", SEED).allMatch(share -> share <= 0.25);
        assertThat(wolves.get(10)).as("seed %d", SEED).isGreaterThan(0.06);
    }

    /** With --fail-if-slower: nine of ten builds that are slower by twice the limit, one wolf in twenty. */
    @Test
    void aPipelineCatchesTwiceItsLimit() {
        for (int repeats : new int[] {5, 10}) {
            Map<Regression.Outcome, Integer> equal = new EnumMap<>(Regression.Outcome.class);
            Map<Regression.Outcome, Integer> slower = new EnumMap<>(Regression.Outcome.class);
            for (int draw = 0; draw < DRAWS; draw++) {
                double[] before = rates(normal(repeats), 1);
                outcome(equal, Quantity.RATE, before, rates(normal(repeats), 1));
                outcome(slower, Quantity.RATE, before, rates(normal(repeats), 1 - 2 * LIMIT));
            }
            print("normal", Quantity.RATE, repeats, 0, equal);
            print("normal", Quantity.RATE, repeats, 200 * LIMIT, slower);
            assertThat(share(equal.get(Regression.Outcome.WORSE)))
                    .as("seed %d", SEED)
                    .isLessThan(0.05);
            assertThat(share(slower.get(Regression.Outcome.WORSE)))
                    .as("seed %d", SEED)
                    .isGreaterThan(0.9);
        }
    }

    /** {@return by the number of repeats, how often equal servers were said to differ} */
    private Map<Integer, Double> judged(String name, Noise noise) {
        Map<Integer, Double> wolves = new TreeMap<>();
        for (int repeats : REPEATS) {
            for (double slowdown : SLOWER_BY) {
                Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
                for (int draw = 0; draw < DRAWS; draw++) {
                    count(
                            verdicts,
                            Quantity.RATE,
                            rates(noise.of(repeats), 1),
                            rates(noise.of(repeats), 1 - slowdown));
                }
                print(name, repeats, 100 * slowdown, verdicts, DRAWS);
                if (slowdown == 0) {
                    wolves.put(repeats, share(verdicts, Verdict.FASTER, Verdict.SLOWER));
                } else {
                    assertThat(share(verdicts, Verdict.FASTER)).isLessThan(0.03);
                }
            }
        }
        return wolves;
    }

    private static double[] rates(double[] logarithms, double factor) {
        return Arrays.stream(logarithms)
                .map(one -> 1000 * factor * Math.exp(one))
                .toArray();
    }

    /** Draws from what was recorded, without putting back; two halves of one setting are equal. */
    @Test
    void ofRecordedRepeats() throws IOException {
        String folder = System.getProperty("compare.draws");
        assumeThat(folder).as("-Dcompare.draws=DIR").isNotNull();
        for (Quantity quantity : List.of(Quantity.RATE, Quantity.CYCLES)) {
            Map<Integer, List<Double>> recorded = recorded(Path.of(folder), quantity);
            List<Double> fast = recorded.getOrDefault(0, List.of());
            assertThat(fast)
                    .as("repeats in folders whose name begins with 0")
                    .hasSizeGreaterThan(19);
            for (int repeats : REPEATS) {
                recorded.forEach((percent, values) ->
                        judgeRecorded(quantity, repeats, percent, fast, values));
            }
        }
    }

    private void judgeRecorded(
            Quantity quantity, int repeats, int percent, List<Double> fast, List<Double> values) {
        Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
        Map<Regression.Outcome, Integer> outcomes = new EnumMap<>(Regression.Outcome.class);
        for (int draw = 0; draw < DRAWS; draw++) {
            List<Double> first = shuffled(fast);
            List<Double> others = percent == 0
                    ? first.subList(repeats, 2 * repeats)
                    : shuffled(values).subList(0, repeats);
            double[] before = array(first.subList(0, repeats));
            count(verdicts, quantity, before, array(others));
            outcome(outcomes, quantity, before, array(others));
        }
        print("recorded " + quantity, repeats, percent, verdicts, DRAWS);
        print("recorded", quantity, repeats, percent, outcomes);
    }

    private static Map<Integer, List<Double>> recorded(Path folder, Quantity quantity)
            throws IOException {
        Map<Integer, List<Double>> values = new TreeMap<>();
        Pattern name = Pattern.compile("(\\d+).*");
        try (Stream<Path> runs = Files.list(folder)) {
            for (Path run : runs.sorted().toList()) {
                Matcher percent = name.matcher(run.getFileName().toString());
                if (percent.matches() && Files.exists(run.resolve("results.json"))) {
                    List<Double> ofThese = values.computeIfAbsent(
                            Integer.valueOf(percent.group(1)), key -> new ArrayList<>());
                    Results results = MailReport.read(run.resolve("results.json"));
                    Arrays.stream(quantity.values(results.scenarios().getFirst()))
                            .forEach(ofThese::add);
                }
            }
        }
        return values;
    }

    private List<Double> shuffled(List<Double> values) {
        List<Double> shuffled = new ArrayList<>(values);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static void count(
            Map<Verdict, Integer> verdicts, Quantity quantity, double[] first, double[] second) {
        verdicts.merge(
                Verdict.of(Ratio.of(first, second), quantity == Quantity.RATE, SMALLEST),
                1,
                Integer::sum);
    }

    private static void outcome(
            Map<Regression.Outcome, Integer> outcomes,
            Quantity quantity,
            double[] first,
            double[] second) {
        Ratio ratio = Ratio.of(first, second);
        boolean moreIsBetter = quantity == Quantity.RATE;
        Verdict verdict = Verdict.of(ratio, moreIsBetter, SMALLEST);
        outcomes.merge(Regression.outcome(ratio, moreIsBetter, verdict, LIMIT), 1, Integer::sum);
    }

    private static double share(@Nullable Integer count) {
        return (count == null ? 0 : count) / (double) DRAWS;
    }

    private static void print(
            String name,
            Quantity quantity,
            int repeats,
            double percent,
            Map<Regression.Outcome, Integer> outcomes) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%-12s %2d repeats, %4.1f %% slower, by %s, --fail-if-slower %.0f%%:",
                name,
                repeats,
                percent,
                quantity,
                100 * LIMIT));
        outcomes.forEach((outcome, count) -> line.append(
                String.format(Locale.ROOT, " %5.1f %% %s", 100 * share(count), outcome.text())));
        System.out.println(line);
    }

    private static double share(Map<Verdict, Integer> verdicts, Verdict... which) {
        return Arrays.stream(which)
                        .mapToInt(one -> verdicts.getOrDefault(one, 0))
                        .sum()
                / (double) DRAWS;
    }

    private static void print(
            String name, int repeats, double percent, Map<Verdict, Integer> verdicts, int draws) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT, "%-12s %2d repeats, %4.1f %% slower:", name, repeats, percent));
        for (Verdict verdict : List.of(
                Verdict.SLOWER, Verdict.NOT_DISTINGUISHABLE, Verdict.EQUIVALENT, Verdict.FASTER)) {
            line.append(String.format(
                    Locale.ROOT,
                    " %5.1f %% %s",
                    100.0 * verdicts.getOrDefault(verdict, 0) / draws,
                    verdict.text()));
        }
        System.out.println(line);
    }
}
