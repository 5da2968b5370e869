package org.hubmark.bench.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Measured;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Safety;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Spread;
import org.hubmark.bench.results.SustainedRate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Proves on made-up results which verdict they get and what it rests on. */
class ComparisonTest {
    private static final Rule AUTO = new Rule(0.02, null, 0.05, Set.of());
    private static final double[] QUIET = {1000, 1005, 995};
    private static final double[] NOISY = {1000, 1300, 800};
    private static final double[] COST = {10, 10.05, 9.95};

    @Test
    void theRateDecides() {
        assertThat(verdict(QUIET, COST, times(QUIET, 1.1), COST)).isEqualTo("faster rate");
        assertThat(verdict(QUIET, COST, times(QUIET, 0.9), COST)).isEqualTo("slower rate");
        assertThat(verdict(QUIET, COST, times(QUIET, 1.001), COST)).isEqualTo("equivalent rate");
        // However much narrower the interval of another quantity is.
        assertThat(verdict(NOISY, COST, times(NOISY, 0.9), times(COST, 1.2)))
                .isEqualTo("not distinguishable rate");
    }

    /** Three repeats each, as they were measured: the rate was called "known to +-32 % only". */
    @Test
    void aDifferenceFarBeyondItsErrorIsADifference() {
        double[] fast = {10_159, 10_828, 13_887};
        assertThat(verdict(fast, COST, new double[] {800, 960, 750}, COST))
                .isEqualTo("slower rate");
        Pair pair = pair(fast, COST, new double[] {800, 960, 750}, COST);
        Interval interval =
                Objects.requireNonNull(Objects.requireNonNull(pair.decisive()).interval());
        assertThat(interval.low()).isBetween(0.05, 0.06);
        assertThat(interval.high()).isBetween(0.08, 0.11);
    }

    @Test
    void theCostDecidesWhereThatIsAskedFor() {
        Rule cycles = new Rule(0.02, Quantity.CYCLES, 0.05, Set.of());
        Scenario a = scenario("57kb", "cpu", NOISY, COST, true);
        Scenario b = scenario("57kb", "cpu", NOISY, times(COST, 1.2), true);
        assertThat(text(only(Comparison.of(results(a), results(b), cycles))))
                .isEqualTo("slower cycles");
    }

    @Test
    void aRegressionHasThreeAnswers() {
        assertThat(regression(QUIET, times(QUIET, 0.9), 0.05)).isEqualTo("worse");
        assertThat(regression(QUIET, times(QUIET, 0.9), 0.15)).isEqualTo("not worse");
        assertThat(regression(QUIET, times(QUIET, 1.1), 0.05)).isEqualTo("not worse");
        assertThat(regression(QUIET, times(QUIET, 0.97), 0.05)).isEqualTo("not worse");
        assertThat(regression(NOISY, times(NOISY, 0.9), 0.05)).isEqualTo("too noisy to tell");
        assertThat(regression(NOISY, NOISY, 0.05)).isEqualTo("too noisy to tell");
        // A single repeat tells nothing.
        assertThat(regression(new double[] {1000}, new double[] {500}, 0.05))
                .isEqualTo("too noisy to tell");
    }

    /** As much mail in the same time, of which one in a hundred waits for half as long again. */
    @Test
    void aWorseTailFailsThoughTheRateIsTheSame() {
        Scenario before = withTail(1, 10.0, 10.1, 10.2);
        Scenario after = withTail(1, 15.0, 15.1, 15.2);
        Comparison comparison = Comparison.of(results(before), results(after), AUTO);
        Pair pair = comparison.pairs().getFirst();
        assertThat(pair.verdict()).isEqualTo(Verdict.EQUIVALENT);
        Regression found = Regressions.of(comparison, 0.05).getFirst();
        assertThat(found.outcome()).isEqualTo(Regression.Outcome.WORSE);
        assertThat(found.text())
                .contains("equivalent", "slower, by p95 of the accept latency: B +49.5 %");
        assertThat(print(comparison)).contains("  slower, by p99 of the accept latency: B +49.5 %");
        // Less than what was to be caught, the other way round, and where others were to decide.
        assertThat(answer(comparison, 0.6)).isEqualTo("not worse");
        assertThat(answer(Comparison.of(results(after), results(before), AUTO), 0.05))
                .isEqualTo("not worse");
        assertThat(answer(
                        Comparison.of(results(before), results(after), Rule.usual(Quantity.RATE)),
                        0.05))
                .isEqualTo("not worse");
        assertThat(answer(
                        Comparison.of(results(before), results(after), Rule.usual(Quantity.P99)),
                        0.05))
                .isEqualTo("worse");
    }

    @Test
    void aTailThatScattersTooMuchToTellFailsNothing() {
        Comparison comparison = Comparison.of(
                results(withTail(1, 10.0, 20.0, 30.0)),
                results(withTail(1, 30.0, 15.0, 20.0)),
                AUTO);
        assertThat(answer(comparison, 0.05)).isEqualTo("not worse");
    }

    private static String answer(Comparison comparison, double limit) {
        return Regressions.of(comparison, limit).getFirst().outcome().text();
    }

    private static String print(Comparison comparison) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ComparisonText.print(
                comparison, AUTO, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** A scenario of one rate whose repeats have these tails, milliseconds. */
    private static Scenario withTail(double scatter, double... tails) {
        double[] rates = {1000, 1000 + scatter, 1000 - scatter};
        Scenario scenario = scenario("57kb", "cpu", rates, new double[] {50, 50.1, 49.9}, true);
        List<Scenario.Repeat> repeats = new ArrayList<>();
        for (int i = 0; i < tails.length; i++) {
            Scenario.Repeat repeat = scenario.repeats().get(i);
            Figures figures = repeat.figures();
            repeats.add(new Scenario.Repeat(
                    repeat.repeat(),
                    repeat.startedAt(),
                    repeat.warmupS(),
                    repeat.steady(),
                    repeat.steadyReason(),
                    null,
                    new Figures(
                            figures.limiting(),
                            figures.measured(),
                            null,
                            null,
                            figures.counterSource(),
                            null,
                            new Results.AcceptLatency(1, 1, tails[i], tails[i], tails[i], 100),
                            null,
                            null,
                            null,
                            null,
                            figures.counts(),
                            figures.clock()),
                    List.of(),
                    null,
                    null,
                    List.of(),
                    true,
                    List.of(),
                    Map.of()));
        }
        return new Scenario(
                scenario.id(),
                scenario.messageSizeKb(),
                scenario.conditions(),
                scenario.figures(),
                scenario.spread(),
                null,
                null,
                null,
                List.of(),
                null,
                null,
                repeats,
                true,
                List.of());
    }

    @Test
    void whatTheBaselineHasAndTheResultsHaveNotIsARegression() {
        Scenario here = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario gone = scenario("80kb", "cpu", QUIET, COST, true);
        List<Regression> found =
                Regressions.of(Comparison.of(results(here, gone), results(here), AUTO), 0.05);
        assertThat(found)
                .extracting(Regression::id, Regression::outcome)
                .containsExactly(
                        tuple("57kb", Regression.Outcome.NOT_WORSE),
                        tuple("80kb", Regression.Outcome.NOT_COMPARED));
        assertThat(Regressions.of(Comparison.of(results(here), results(here, gone), AUTO), 0.05))
                .hasSize(1);
    }

    private static String regression(double[] rates, double[] others, double limit) {
        Comparison comparison = Comparison.of(
                results(scenario("57kb", "cpu", rates, COST, true)),
                results(scenario("57kb", "cpu", others, COST, true)),
                AUTO);
        return Regressions.of(comparison, limit).getFirst().outcome().text();
    }

    @Test
    void equivalentAndNotDistinguishableAreTwoThings() {
        assertThat(printed(QUIET, times(QUIET, 1.001)))
                .contains("57kb: equivalent within 1.2 %, by messages a second: B +0.1 %")
                .doesNotContain("these repeats detect");
        assertThat(printed(NOISY, times(NOISY, 1.001)))
                .contains("57kb: not distinguishable, by messages a second: B +0.1 %")
                .containsPattern("these repeats detect a difference of \\d+ % \\(in 80 of 100"
                        + " cases\\); to detect 5.0 %, \\d+ repeats of each are needed");
    }

    private static String printed(double[] rates, double[] others) {
        return printed(Comparison.of(
                results(scenario("57kb", "cpu", rates, COST, true)),
                results(scenario("57kb", "cpu", others, COST, true)),
                AUTO));
    }

    private static String printed(Comparison comparison) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ComparisonText.print(comparison, AUTO, new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Pair only(Comparison comparison) {
        return comparison.pairs().getFirst();
    }

    @Test
    void aDifferenceTooSmallToMatterIsNone() {
        // The interval leaves 1 out, but runs of one setting differ by as much.
        double[] exact = {1000, 1000.1, 999.9};
        assertThat(verdict(exact, COST, times(exact, 1.015), COST)).isEqualTo("equivalent rate");
        assertThat(verdict(exact, COST, times(exact, 1.03), COST)).isEqualTo("faster rate");
    }

    /** A count that isn't known is no 0: of the queue's writes nothing is known of either. */
    @Test
    void anUnknownCountIsNoZero() {
        Rule writes = new Rule(0.02, Quantity.WRITES, 0.05, Set.of());
        Map<Column, Double> known = Map.of(Figure.LOG_WRITES_PER_MSG, 0.5);
        Scenario a = withFigures(scenario("57kb", "cpu", QUIET, COST, true), known, "device");
        Pair pair = only(Comparison.of(results(a), results(a), writes));
        assertThat(pair.verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(pair.remarks())
                .contains("writes a message are not known of both; --by has others");
    }

    @Test
    void writesCountedByOthersAreNotCompared() {
        Rule writes = new Rule(0.02, Quantity.WRITES, 0.05, Set.of());
        Map<Column, Double> known =
                Map.of(Figure.LOG_WRITES_PER_MSG, 0.5, Figure.QUEUE_WRITES_PER_MSG, 0.1);
        Scenario plain = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario device = withFigures(plain, known, "device");
        Scenario engine = withFigures(plain, known, "engine");
        assertThat(only(Comparison.of(results(device), results(device), writes)).verdict())
                .isEqualTo(Verdict.EQUIVALENT);
        Pair pair = only(Comparison.of(results(device), results(engine), writes));
        assertThat(pair.verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(pair.remarks()).anyMatch(remark -> remark.contains("log by device and engine"));
    }

    /** Every condition is seen, whichever it is; unless it is what is compared. */
    @ParameterizedTest
    @EnumSource(Condition.class)
    void aConditionThatDiffersIsNamedAndBlocks(Condition condition) {
        List<Object> two = values(condition);
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario from = with(a, a.conditions().with(condition, two.getFirst()));
        Scenario to = with(a, a.conditions().with(condition, two.getLast()));
        String text = condition.option() + " differs: " + two.getFirst() + " and " + two.getLast();
        Comparison blocked = Comparison.of(results(from), results(to), AUTO);
        assertThat(blocked.pairs()).isEmpty();
        assertThat(blocked.unmatched()).containsExactly("57kb: " + text);
        Rule across = new Rule(0.02, null, 0.05, Set.of(condition.option()));
        assertThat(only(Comparison.of(results(from), results(to), across)).remarks())
                .contains(text);
        // Of one of them it isn't known: that is said, and is no difference.
        Scenario unknown = with(a, a.conditions().with(condition, null));
        assertThat(only(Comparison.of(results(from), results(unknown), AUTO)).remarks())
                .contains(condition.option() + " is known of A only: " + two.getFirst());
    }

    private static List<Object> values(Condition condition) {
        return switch (condition) {
            case CONNECTIONS, RECIPIENTS, MESSAGES_PER_CONNECTION -> List.of(1, 2);
            case CHECKPOINT_DEPTH_MB -> List.of(128.0, 512.0);
            case TLS, PIPELINING -> List.of(true, false);
            case DEVICE_PROFILE,
                    LAYOUT,
                    DURABILITY,
                    FLUSH,
                    ASKED_RATE,
                    INTAKE,
                    DELIVER,
                    TRANSFER,
                    DRIVER,
                    ARRIVALS,
                    CONTENT -> List.of("one", "other");
        };
    }

    @Test
    void sizesAndSettingsThatDifferBlockToo() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Comparison settings = Comparison.of(
                results(Map.of("smtp.event-loops", 1, "output", "x"), a),
                results(Map.of("smtp.event-loops", 2, "output", "y"), a),
                AUTO);
        assertThat(settings.unmatched())
                .containsExactly("57kb: settings differs: smtp.event-loops 1 and 2");
        Scenario large = scenario("80kb", "cpu", QUIET, COST, true, 80);
        Comparison sizes = Comparison.of(results(a), a, results(large), large, AUTO);
        assertThat(sizes.unmatched()).containsExactly("57kb: size differs: 57.0 KB and 80.0 KB");
        Rule across = new Rule(0.02, null, 0.05, Set.of(Difference.SIZE));
        Pair pair = only(Comparison.of(results(a), a, results(large), large, across));
        assertThat(pair.id()).isEqualTo("57kb / 80kb");
        assertThat(pair.verdict()).isEqualTo(Verdict.EQUIVALENT);
    }

    @Test
    void aRateThatWasAskedForSaysNothing() {
        Results first = results(scenario("57kb", "rate", QUIET, COST, true));
        Results second = results(scenario("57kb", "rate", QUIET, times(COST, 0.8), true));
        assertThat(text(Comparison.of(first, second, AUTO).pairs().getFirst()))
                .isEqualTo("faster cycles");
    }

    /** A rate that was searched scatters less between repeats than between searches. */
    @Test
    void soDoesOneThatWasSearched() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario b = scenario("57kb", "cpu", times(QUIET, 1.05), COST, true);
        Conditions searched = a.conditions().with(Condition.ASKED_RATE, "max-sustained");
        Pair pair = Comparison.of(results(with(a, searched)), results(with(b, searched)), AUTO)
                .pairs()
                .getFirst();
        assertThat(text(pair)).isEqualTo("equivalent cycles");
        assertThat(pair.remarks())
                .anyMatch(remark -> remark.startsWith("by cycles a message: the rate was"));
    }

    /** But where each repeat searched anew, as it does now, they scatter as searches do. */
    @Test
    void notSoWhereEachRepeatSearchedAnew() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Conditions searched = a.conditions().with(Condition.ASKED_RATE, "max-sustained");
        Scenario from = with(a, searched)
                .at(new SustainedRate(
                        1000,
                        "more was too much",
                        List.of(1000.0, 1005.0, 995.0),
                        null,
                        null,
                        null));
        assertThat(text(only(Comparison.of(results(from), results(from), AUTO))))
                .isEqualTo("equivalent rate");
    }

    /** Of a matrix each cell is compared with the one of the same name. */
    @Test
    void comparesCellByCell() {
        Scenario one = scenario("4kb_one_synced_depth-512mb_32c", "cpu", QUIET, COST, true);
        String id = "4kb_three_synced_depth-512mb_32c";
        Scenario three = scenario(id, "cpu", QUIET, COST, true);
        Scenario slower = scenario(id, "cpu", times(QUIET, 0.8), COST, true);
        assertThat(printed(Comparison.of(results(one, three), results(slower, one), AUTO)))
                .contains("4kb_one_synced_depth-512mb_32c: equivalent within 1.1 %, by messages")
                .contains("4kb_three_synced_depth-512mb_32c: slower, by messages a second: B -20.0")
                .contains("2 scenarios: 1 slower, 1 equivalent");
    }

    @Test
    void oneRepeatTellsNothing() {
        double[] one = {1000};
        Pair pair = pair(one, new double[] {10}, new double[] {500}, new double[] {20});
        assertThat(pair.verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(pair.remarks()).anyMatch(remark -> remark.contains("--repeat 3"));
    }

    @Test
    void whatIsNotValidGetsNoVerdict() {
        Results first = results(scenario("57kb", "cpu", QUIET, COST, true));
        Results second = results(scenario("57kb", "cpu", times(QUIET, 2), COST, false));
        Pair pair = Comparison.of(first, second, AUTO).pairs().getFirst();
        assertThat(pair.verdict()).isEqualTo(Verdict.NOT_VALID);
        assertThat(pair.remarks()).contains("B is not valid: 1 message lost");
        assertThat(ComparisonText.verdict(pair)).isEqualTo("not valid: B");
        assertThat(Regressions.of(Comparison.of(first, second, AUTO), 0.05))
                .extracting(Regression::text)
                .containsExactly("B: 1 message lost");
        Pair both = Comparison.of(second, second, AUTO).pairs().getFirst();
        assertThat(ComparisonText.verdict(both)).isEqualTo("not valid: A and B");
        assertThat(both.notValid()).isEqualTo("A: 1 message lost; B: 1 message lost");
    }

    @Test
    void saysWhatHasNoPartnerAndWhatDiffers() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario other = scenario("80kb", "cpu", QUIET, COST, true);
        Comparison comparison = Comparison.of(results(a, other), results(a), AUTO);
        assertThat(comparison.unmatched()).containsExactly("80kb: only in A");
        assertThat(Comparison.of(results(a), results(a, other), AUTO).unmatched())
                .containsExactly("80kb: only in B");
        Scenario unsafe = with(a, conditions("none", 32));
        Rule across = new Rule(0.02, null, 0.05, Set.of("durability"));
        assertThat(only(Comparison.of(results(a), results(unsafe), across)).remarks())
                .contains("durability differs: synced and none", "B is UNSAFE: durability none");
    }

    @Test
    void printsATableAndALineForEachScenario() {
        Results first = results(scenario("57kb", "cpu", QUIET, COST, true));
        Results second = results(scenario("57kb", "cpu", times(QUIET, 0.9), COST, true));
        String text = printed(Comparison.of(first, second, AUTO));
        assertThat(text).containsPattern("57kb +msg/s +1000 +900 +-10.0 % +-11");
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

    static double[] times(double[] values, double factor) {
        double[] product = values.clone();
        for (int i = 0; i < product.length; i++) {
            product[i] *= factor;
        }
        return product;
    }

    static Scenario with(Scenario scenario, Conditions conditions) {
        return new Scenario(
                scenario.id(),
                scenario.messageSizeKb(),
                conditions,
                scenario.figures(),
                scenario.spread(),
                null,
                null,
                null,
                List.of(),
                null,
                null,
                scenario.repeats(),
                true,
                List.of());
    }

    private static Conditions conditions(String durability, int connections) {
        return Conditions.UNKNOWN
                .with(Condition.DURABILITY, durability)
                .with(Condition.INTAKE, "store")
                .with(Condition.CHECKPOINT_DEPTH_MB, 512.0)
                .with(Condition.CONNECTIONS, connections)
                .with(Condition.ASKED_RATE, "max")
                .with(
                        durability.equals("none")
                                ? new Safety(true, "durability none", null)
                                : Safety.UNCHALLENGED);
    }

    /** The same with other figures in all repeats, counted by device or engine. */
    private static Scenario withFigures(
            Scenario scenario, Map<Column, Double> known, String source) {
        Figures one = new Figures(
                new Figures.Limiting("cpu", null, null),
                new Measured(known),
                null,
                null,
                new Results.CounterSource(source, source),
                null,
                null,
                null,
                null,
                null,
                null,
                new Figures.Counts(1, 1, 0, 0, null, null, null),
                Figures.Clock.UNKNOWN);
        return new Scenario(
                scenario.id(),
                scenario.messageSizeKb(),
                scenario.conditions(),
                one,
                scenario.spread(),
                null,
                null,
                null,
                List.of(),
                null,
                null,
                scenario.repeats().stream()
                        .map(repeat -> new Scenario.Repeat(
                                repeat.repeat(),
                                repeat.startedAt(),
                                repeat.warmupS(),
                                repeat.steady(),
                                repeat.steadyReason(),
                                null,
                                one,
                                List.of(),
                                null,
                                null,
                                List.of(),
                                true,
                                List.of(),
                                Map.of()))
                        .toList(),
                true,
                List.of());
    }

    static Scenario scenario(
            String id, String limit, double[] rates, double[] costs, boolean valid) {
        return scenario(id, limit, rates, costs, valid, 57);
    }

    static Scenario scenario(
            String id, String limit, double[] rates, double[] costs, boolean valid, double sizeKb) {
        List<Scenario.Repeat> repeats = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            repeats.add(new Scenario.Repeat(
                    i + 1,
                    "2026-01-01T00:00:00Z",
                    5.0,
                    true,
                    null,
                    null,
                    figures(limit, rates[i], costs[i]),
                    List.of(),
                    null,
                    null,
                    List.of(),
                    true,
                    List.of(),
                    Map.of()));
        }
        return new Scenario(
                id,
                sizeKb,
                conditions("synced", 32),
                figures(limit, rates[0], costs[0]),
                new Spread(null, null, null, null, null, null, null, null, List.of()),
                null,
                null,
                null,
                List.of(),
                null,
                null,
                repeats,
                valid,
                valid ? List.of() : List.of("1 message lost"));
    }

    private static Figures figures(String limit, @Nullable Double rate, @Nullable Double cost) {
        Map<Column, Double> known = new HashMap<>();
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
                null,
                null,
                null,
                new Figures.Counts(1, 1, 0, 0, null, null, null),
                Figures.Clock.UNKNOWN);
    }

    private static Results results(Scenario... scenarios) {
        return results(Map.of(), scenarios);
    }

    private static Results results(Map<String, Object> settings, Scenario... scenarios) {
        return new Results(
                JsonFile.SCHEMA,
                new Tool(null, null),
                "",
                "",
                "",
                new Environment(
                        new Environment.Processor("cpu", 2, null, 2000.0, null),
                        null,
                        new Environment.Software(null, null, "25", null),
                        List.of(),
                        null),
                settings,
                List.of(scenarios),
                List.of(),
                List.of());
    }
}
