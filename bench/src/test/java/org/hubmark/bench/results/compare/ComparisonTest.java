package org.hubmark.bench.results.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Measured;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Safety;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Spread;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Proves on made-up results which verdict they get and what it rests on. */
class ComparisonTest {
    private static final Rule AUTO = new Rule(0.02, null);
    private static final double[] QUIET = {1000, 1005, 995};
    private static final double[] NOISY = {1000, 1300, 800};
    private static final double[] COST = {10, 10.05, 9.95};

    @Test
    void theRateDecidesWhereItIsQuiet() {
        assertThat(verdict(QUIET, COST, times(QUIET, 1.1), COST)).isEqualTo("faster RATE");
        assertThat(verdict(QUIET, COST, times(QUIET, 0.9), COST)).isEqualTo("slower RATE");
        assertThat(verdict(QUIET, COST, times(QUIET, 1.001), COST))
                .isEqualTo("not distinguishable RATE");
    }

    @Test
    void aDifferenceTooSmallToMatterIsNone() {
        // The interval leaves 1 out, but runs of one setting differ by as much.
        double[] exact = {1000, 1000.1, 999.9};
        assertThat(verdict(exact, COST, times(exact, 1.015), COST))
                .isEqualTo("not distinguishable RATE");
        assertThat(verdict(exact, COST, times(exact, 1.03), COST)).isEqualTo("faster RATE");
    }

    @Test
    void theCostDecidesWhereTheRateIsNoisy() {
        assertThat(verdict(NOISY, COST, times(NOISY, 0.9), times(COST, 1.2)))
                .isEqualTo("slower CYCLES");
        assertThat(verdict(NOISY, COST, times(NOISY, 0.9), COST))
                .isEqualTo("not distinguishable CYCLES");
        // All are noisy: the narrowest interval decides, and holds 1.
        assertThat(verdict(NOISY, times(NOISY, 0.01), NOISY, times(NOISY, 0.011)))
                .startsWith("not distinguishable");
    }

    @Test
    void aRateThatWasAskedForSaysNothing() {
        Results first = results(scenario("57kb", "rate", QUIET, COST, true));
        Results second = results(scenario("57kb", "rate", QUIET, times(COST, 0.8), true));
        assertThat(text(Comparison.of(first, second, AUTO).pairs().getFirst()))
                .isEqualTo("faster CYCLES");
    }

    /** A rate that was searched scatters less between repeats than between searches. */
    @Test
    void soDoesOneThatWasSearched() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario b = scenario("57kb", "cpu", times(QUIET, 1.05), COST, true);
        Conditions searched = new Conditions(
                "synced",
                "store",
                null,
                null,
                null,
                512.0,
                32,
                "max-sustained",
                Safety.UNCHALLENGED);
        Pair pair = Comparison.of(results(with(a, searched)), results(with(b, searched)), AUTO)
                .pairs()
                .getFirst();
        assertThat(text(pair)).isEqualTo("not distinguishable CYCLES");
        assertThat(pair.remarks())
                .anyMatch(remark -> remark.startsWith("decided by cycles a message: the rate was"));
    }

    /** Of a matrix each cell is compared with the one of the same name. */
    @Test
    void comparesCellByCell() {
        Scenario one = scenario("4kb_one_synced_depth-512mb_32c", "cpu", QUIET, COST, true);
        Scenario three = scenario("4kb_three_synced_depth-512mb_32c", "cpu", NOISY, COST, true);
        Scenario slower =
                scenario("4kb_three_synced_depth-512mb_32c", "cpu", NOISY, times(COST, 1.2), true);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ComparisonText.print(
                Comparison.of(results(one, three), results(slower, one), AUTO),
                new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("4kb_one_synced_depth-512mb_32c: not distinguishable, by messages")
                .contains(
                        "4kb_three_synced_depth-512mb_32c: slower, by cycles a message: B +20.0 %")
                .contains("  decided by cycles a message: the rate is known to +-")
                .contains("2 scenarios: 1 slower, 1 not distinguishable");
    }

    @Test
    void oneRepeatTellsNothing() {
        double[] one = {1000};
        Pair pair = pair(one, new double[] {10}, new double[] {500}, new double[] {20});
        assertThat(pair.verdict()).isEqualTo(Verdict.NOT_DISTINGUISHABLE);
        assertThat(pair.remarks()).anyMatch(remark -> remark.contains("--repeat 3"));
    }

    @Test
    void whatIsNotValidGetsNoVerdict() {
        Results first = results(scenario("57kb", "cpu", QUIET, COST, true));
        Results second = results(scenario("57kb", "cpu", times(QUIET, 2), COST, false));
        Pair pair = Comparison.of(first, second, AUTO).pairs().getFirst();
        assertThat(pair.verdict()).isEqualTo(Verdict.NOT_VALID);
        assertThat(pair.remarks()).contains("B is not valid: 1 message lost");
    }

    @Test
    void saysWhatHasNoPartnerAndWhatDiffers() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario other = scenario("80kb", "cpu", QUIET, COST, true);
        Comparison comparison = Comparison.of(results(a, other), results(a), AUTO);
        assertThat(comparison.unmatched()).containsExactly("80kb: only in A");
        assertThat(Comparison.of(results(a), results(a, other), AUTO).unmatched())
                .containsExactly("80kb: only in B");
        Scenario more = with(a, conditions("synced", 64));
        assertThat(Comparison.of(results(a), results(more), AUTO).unmatched())
                .containsExactly("57kb: connections 32 and 64");
        Scenario unsafe = with(a, conditions("none", 32));
        Pair pair = Comparison.of(results(a), results(unsafe), AUTO).pairs().getFirst();
        assertThat(pair.remarks())
                .contains("durability differs: synced and none", "B is UNSAFE: durability none");
    }

    @Test
    void printsATableAndALineForEachScenario() {
        Results first = results(scenario("57kb", "cpu", QUIET, COST, true));
        Results second = results(scenario("57kb", "cpu", times(QUIET, 0.9), COST, true));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ComparisonText.print(
                Comparison.of(first, second, AUTO),
                new PrintStream(out, true, StandardCharsets.UTF_8));
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text).containsPattern("57kb +msg/s +1000.0000 +900.0000 +-10.0 % +-11");
        assertThat(text).contains("57kb: slower, by messages a second: B -10.0 % (-11");
        assertThat(text.lines()).allMatch(line -> line.length() <= 118);
    }

    private static String verdict(
            double[] rates, double[] costs, double[] otherRates, double[] otherCosts) {
        return text(pair(rates, costs, otherRates, otherCosts));
    }

    private static String text(Pair pair) {
        Effect decisive = pair.decisive();
        return pair.verdict().text() + " " + (decisive == null ? "" : decisive.quantity());
    }

    private static Pair pair(
            double[] rates, double[] costs, double[] otherRates, double[] otherCosts) {
        return Comparison.of(
                        results(scenario("57kb", "cpu", rates, costs, true)),
                        results(scenario("57kb", "cpu", otherRates, otherCosts, true)),
                        AUTO)
                .pairs()
                .getFirst();
    }

    private static double[] times(double[] values, double factor) {
        double[] product = values.clone();
        for (int i = 0; i < product.length; i++) {
            product[i] *= factor;
        }
        return product;
    }

    private static Scenario with(Scenario scenario, Conditions conditions) {
        return new Scenario(
                scenario.id(),
                scenario.messageSizeKb(),
                conditions,
                scenario.figures(),
                scenario.spread(),
                null,
                null,
                List.of(),
                scenario.repeats(),
                true,
                List.of());
    }

    private static Conditions conditions(String durability, int connections) {
        return new Conditions(
                durability,
                "store",
                null,
                null,
                null,
                512.0,
                connections,
                "max",
                durability.equals("none")
                        ? new Safety(true, "durability none")
                        : Safety.UNCHALLENGED);
    }

    private static Scenario scenario(
            String id, String limit, double[] rates, double[] costs, boolean valid) {
        List<Scenario.Repeat> repeats = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            repeats.add(new Scenario.Repeat(
                    i + 1,
                    "2026-01-01T00:00:00Z",
                    5.0,
                    true,
                    null,
                    figures(limit, rates[i], costs[i]),
                    List.of(),
                    List.of(),
                    true,
                    List.of()));
        }
        return new Scenario(
                id,
                57,
                conditions("synced", 32),
                figures(limit, rates[0], costs[0]),
                new Spread(null, null, null, null, null, List.of()),
                null,
                null,
                List.of(),
                repeats,
                valid,
                valid ? List.of() : List.of("1 message lost"));
    }

    private static Figures figures(String limit, @Nullable Double rate, @Nullable Double cost) {
        Map<Figure, Double> known = new EnumMap<>(Figure.class);
        if (rate != null) {
            known.put(Figure.THROUGHPUT_MSGS_PER_S, rate);
        }
        if (cost != null) {
            known.put(Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG, cost);
        }
        return new Figures(
                new Figures.Limiting(limit, null, null),
                new Measured(known),
                null,
                null,
                new Results.CounterSource(null, null),
                null,
                null,
                null,
                new Figures.Counts(1, 1, 0, 0, null, null, null),
                Figures.Clock.UNKNOWN);
    }

    private static Results results(Scenario... scenarios) {
        return new Results(
                Results.SCHEMA,
                new Results.Tool(null, null),
                "",
                "",
                "",
                new Environment(
                        "cpu", 2, null, 2000.0, null, null, null, null, "25", null, List.of(),
                        null),
                Map.of(),
                List.of(scenarios),
                List.of());
    }
}
