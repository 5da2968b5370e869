package org.hubmark.bench.mail.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.CounterSource;
import org.hubmark.bench.mail.document.Counters;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.MadeResults;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.SustainedRate;
import org.hubmark.bench.mail.document.Validity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Proves on made-up results which verdict they get and what it rests on. */
class MailComparisonTest {
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
                Objects.requireNonNull(Objects.requireNonNull(pair.ratio()).interval());
        assertThat(interval.low()).isBetween(0.05, 0.06);
        assertThat(interval.high()).isBetween(0.08, 0.11);
    }

    @Test
    void theCostDecidesWhereThatIsAskedFor() {
        Scenario a = scenario("57kb", "cpu", NOISY, COST, true);
        Scenario b = scenario("57kb", "cpu", NOISY, times(COST, 1.2), true);
        assertThat(text(only(compared(a, b, Quantity.CYCLES)))).isEqualTo("slower cycles");
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
        DocumentComparison comparison = compared(before, after, null);
        assertThat(only(comparison).verdict()).isEqualTo(Verdict.EQUIVALENT);
        assertThat(comparison.regressions(0.05))
                .extracting(Regression::id, Regression::outcome)
                .containsExactly(
                        tuple("57kb, Throughput (msg/s)", Regression.Outcome.NOT_WORSE),
                        tuple("57kb, Accept latency, p95 (ms)", Regression.Outcome.WORSE),
                        tuple("57kb, Accept latency, p99 (ms)", Regression.Outcome.WORSE));
        assertThat(comparison.regressions(0.05).getLast().text()).startsWith("slower, B +49.5 %");
        // Less than what was to be caught, the other way round, and where others were to decide.
        assertThat(answers(comparison, 0.6)).containsExactly("not worse");
        assertThat(answers(compared(after, before, null), 0.05)).containsExactly("not worse");
        assertThat(answers(compared(before, after, Quantity.RATE), 0.05))
                .containsExactly("not worse");
        assertThat(answers(compared(before, after, Quantity.P99), 0.05)).containsExactly("worse");
    }

    @Test
    void aTailThatScattersTooMuchToTellFailsNothing() {
        DocumentComparison comparison =
                compared(withTail(1, 10.0, 20.0, 30.0), withTail(1, 30.0, 15.0, 20.0), null);
        assertThat(answers(comparison, 0.05)).containsExactly("not worse");
    }

    private static List<String> answers(DocumentComparison comparison, double limit) {
        return comparison.regressions(limit).stream()
                .map(found -> found.outcome().text())
                .toList();
    }

    private static DocumentComparison compared(
            Scenario first, Scenario second, @Nullable Quantity by) {
        return compared(results(first), results(second), by);
    }

    private static DocumentComparison compared(
            Results first, Results second, @Nullable Quantity by) {
        return MailComparison.of(first, second, Rule.USUAL, by);
    }

    private static DocumentComparison across(Scenario first, Scenario second, String condition) {
        return MailComparison.of(
                results(first), results(second), new Rule(Set.of(condition), 0.02), null);
    }

    /** A scenario of one rate whose repeats have these tails, milliseconds. */
    private static Scenario withTail(double scatter, double... tails) {
        double[] rates = {1000, 1000 + scatter, 1000 - scatter};
        Scenario scenario = scenario("57kb", "cpu", rates, new double[] {50, 50.1, 49.9}, true);
        List<Repeat> repeats = new ArrayList<>();
        for (int i = 0; i < tails.length; i++) {
            Histogram latencies = new Histogram(3);
            latencies.recordValueWithCount(1_000_000, 9_000);
            latencies.recordValueWithCount(Math.round(tails[i] * 1e6), 990);
            latencies.recordValueWithCount(100_000_000, 10);
            repeats.add(counted(
                    scenario.repeats().get(i).counted(),
                    counted -> counted.times(Figure.ACCEPT, latencies)));
        }
        return MadeResults.scenario(
                scenario.id(), scenario.messageSizeKb(), scenario.conditions(), repeats);
    }

    /** The same of which more is known. */
    private static Repeat counted(Repeat repeat, Consumer<Repeat.Builder> more) {
        Repeat.Builder counted = Repeat.counted();
        repeat.names().forEach((key, value) -> counted.name(Name.note(key, ""), value));
        repeat.counters().forEach((key, value) -> counted.count(new Counter(key), value));
        more.accept(counted);
        return counted.made();
    }

    @Test
    void whatTheBaselineHasAndTheResultsHaveNotIsARegression() {
        Scenario here = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario gone = scenario("80kb", "cpu", QUIET, COST, true);
        assertThat(compared(results(here, gone), results(here), null).regressions(0.05))
                .extracting(Regression::id, Regression::outcome)
                .containsExactly(
                        tuple("57kb, Throughput (msg/s)", Regression.Outcome.NOT_WORSE),
                        tuple("80kb: only in A", Regression.Outcome.NOT_COMPARED));
        assertThat(compared(results(here), results(here, gone), null).regressions(0.05))
                .hasSize(1);
    }

    private static String regression(double[] rates, double[] others, double limit) {
        return answers(
                        compared(
                                scenario("57kb", "cpu", rates, COST, true),
                                scenario("57kb", "cpu", others, COST, true),
                                null),
                        limit)
                .getFirst();
    }

    @Test
    void equivalentAndNotDistinguishableAreTwoThings() {
        assertThat(printed(QUIET, times(QUIET, 1.001)))
                .contains("+0.1 %", "equivalent within 1.2 %");
        assertThat(printed(NOISY, times(NOISY, 1.001))).contains("+0.1 %", "not distinguishable");
    }

    private static String printed(double[] rates, double[] others) {
        return printed(compared(
                scenario("57kb", "cpu", rates, COST, true),
                scenario("57kb", "cpu", others, COST, true),
                null));
    }

    private static String printed(DocumentComparison comparison) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        comparison.print(new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    /** {@return what decides} */
    private static Pair only(DocumentComparison comparison) {
        return comparison.pairs().stream()
                .filter(pair -> pair.weight() == Pair.Weight.DECIDES)
                .findFirst()
                .orElseThrow();
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
        Scenario a = withCounters(
                scenario("57kb", "cpu", QUIET, COST, true),
                Map.of(Counters.LOG_WRITES, 500.0),
                "device");
        DocumentComparison found = compared(a, a, Quantity.WRITES);
        assertThat(only(found).verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(found.remarks())
                .contains("57kb: writes of log and queue is not known of both; --by has others");
        assertThat(answers(found, 0.05)).containsExactly("too noisy to tell");
    }

    @Test
    void writesCountedByOthersAreNotCompared() {
        Map<Counter, Double> known =
                Map.of(Counters.LOG_WRITES, 500.0, Counters.QUEUE_WRITES, 100.0);
        Scenario plain = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario device = withCounters(plain, known, "device");
        Scenario engine = withCounters(plain, known, "engine");
        assertThat(only(compared(device, device, Quantity.WRITES)).verdict())
                .isEqualTo(Verdict.EQUIVALENT);
        DocumentComparison found = compared(device, engine, Quantity.WRITES);
        assertThat(only(found).verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(found.remarks()).anyMatch(remark -> remark.contains("log by device and engine"));
        assertThat(compared(device, engine, null).pairs())
                .extracting(pair -> pair.column().key())
                .doesNotContain("writes_per_msg", "log_writes_per_s");
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
        DocumentComparison blocked = compared(from, to, null);
        assertThat(blocked.pairs()).isEmpty();
        assertThat(blocked.unmatched()).containsExactly("57kb: " + text);
        assertThat(across(from, to, condition.option()).remarks()).contains("57kb: " + text);
        // Of one of them it isn't known: that is said, and is no difference.
        Scenario unknown = with(a, a.conditions().with(condition, null));
        assertThat(compared(from, unknown, null).remarks())
                .contains("57kb: " + condition.option() + " is known of A only: " + two.getFirst());
    }

    private static List<Object> values(Condition condition) {
        return switch (condition) {
            case CONNECTIONS, RECIPIENTS, MESSAGES_PER_CONNECTION -> List.of(1, 2);
            case CHECKPOINT_DEPTH_MB -> List.of(128.0, 512.0);
            case TLS, PIPELINING -> List.of(true, false);
            case HUB,
                    DEVICE_PROFILE,
                    LAYOUT,
                    DURABILITY,
                    FLUSH,
                    ASKED_RATE,
                    INTAKE,
                    DELIVER,
                    TRANSFER,
                    DRIVER,
                    CONTENT -> List.of("one", "other");
        };
    }

    @Test
    void sizesAndSettingsThatDifferBlockToo() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        DocumentComparison settings = compared(
                results(Map.of("smtp.connections-max", 1, "output", "x"), a),
                results(Map.of("smtp.connections-max", 2, "output", "y"), a),
                null);
        assertThat(settings.unmatched())
                .containsExactly("57kb: settings differs: smtp.connections-max 1 and 2");
        Scenario large = scenario("57kb", "cpu", QUIET, COST, true, 80);
        assertThat(compared(a, large, null).unmatched())
                .containsExactly("57kb: size differs: 57.0 KB and 80.0 KB");
        assertThat(only(across(a, large, MailComparison.SIZE)).verdict())
                .isEqualTo(Verdict.EQUIVALENT);
    }

    @Test
    void aRateThatWasAskedForSaysNothing() {
        Scenario first = scenario("57kb", "rate", QUIET, COST, true);
        Scenario second = scenario("57kb", "rate", QUIET, times(COST, 0.8), true);
        assertThat(text(only(compared(first, second, null)))).isEqualTo("faster cycles");
    }

    /** Each repeat searches anew, so that they scatter as searches do. */
    @Test
    void aRateThatWasSearchedDecides() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Conditions searched = a.conditions().with(Condition.ASKED_RATE, "max-sustained");
        List<Repeat> repeats = a.row().repeats().stream()
                .map(repeat -> repeat.named(
                        MailDocument.SUSTAINED_RATE, new SustainedRate(1000, "more was too much")))
                .toList();
        Scenario from = MadeResults.scenario("57kb", 57, searched, repeats);
        assertThat(text(only(compared(from, from, null)))).isEqualTo("equivalent rate");
    }

    /** Of a matrix each cell is compared with the one of the same name. */
    @Test
    void comparesCellByCell() {
        Scenario one = scenario("4kb_one_synced_depth-512mb_32c", "cpu", QUIET, COST, true);
        String id = "4kb_three_synced_depth-512mb_32c";
        Scenario three = scenario(id, "cpu", QUIET, COST, true);
        Scenario slower = scenario(id, "cpu", times(QUIET, 0.8), COST, true);
        DocumentComparison found = compared(results(one, three), results(slower, one), null);
        assertThat(found.pairs())
                .filteredOn(pair -> pair.weight() == Pair.Weight.DECIDES)
                .extracting(Pair::row, Pair::verdict)
                .containsExactly(tuple(one.id(), Verdict.EQUIVALENT), tuple(id, Verdict.SLOWER));
        assertThat(printed(found)).contains("2 rows: 1 slower, 1 equivalent");
    }

    @Test
    void oneRepeatTellsNothing() {
        double[] one = {1000};
        DocumentComparison found = compared(
                scenario("57kb", "cpu", one, new double[] {10}, true),
                scenario("57kb", "cpu", new double[] {500}, new double[] {20}, true),
                null);
        assertThat(only(found).verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(found.remarks()).anyMatch(remark -> remark.contains("--repeat 3"));
    }

    @Test
    void whatIsNotValidGetsNoVerdict() {
        Scenario first = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario second = scenario("57kb", "cpu", times(QUIET, 2), COST, false);
        DocumentComparison found = compared(first, second, null);
        assertThat(only(found).verdict()).isEqualTo(Verdict.NOT_VALID);
        assertThat(found.remarks())
                .anyMatch(one -> one.startsWith("B, not valid: repeat 1: 1 message lost"));
        assertThat(found.regressions(0.05))
                .extracting(Regression::outcome, Regression::text)
                .containsExactly(tuple(
                        Regression.Outcome.NOT_VALID, "B is not valid: repeat 1: 1 message lost"));
        assertThat(only(compared(second, second, null)).text())
                .isEqualTo(
                        "A is not valid: repeat 1: 1 message lost; B is not valid: repeat 1: 1 message lost");
    }

    @Test
    void saysWhatHasNoPartnerAndWhatDiffers() {
        Scenario a = scenario("57kb", "cpu", QUIET, COST, true);
        Scenario other = scenario("80kb", "cpu", QUIET, COST, true);
        assertThat(compared(results(a, other), results(a), null).unmatched())
                .containsExactly("80kb: only in A");
        assertThat(compared(results(a), results(a, other), null).unmatched())
                .containsExactly("80kb: only in B");
        Scenario unsafe = with(a, conditions("none", 32));
        assertThat(across(a, unsafe, "durability").remarks())
                .contains(
                        "57kb: durability differs: synced and none",
                        "57kb: B is UNSAFE: durability none");
    }

    @Test
    void printsATableWithWhatDecidesAndWhatStandsBeside() {
        String text = printed(QUIET, times(QUIET, 0.9));
        assertThat(text).containsPattern("57kb +Throughput \\(msg/s\\) +1000 .* -10.0 % .*slower");
        assertThat(text).containsPattern("57kb +Msg Cost, server only .* -\n");
    }

    private static String verdict(
            double[] rates, double[] costs, double[] otherRates, double[] otherCosts) {
        return text(pair(rates, costs, otherRates, otherCosts));
    }

    private static String text(Pair pair) {
        return Objects.requireNonNull(pair.verdict()).text() + " "
                + Stream.of(Quantity.values())
                        .filter(quantity -> quantity.column().equals(pair.column()))
                        .findFirst()
                        .orElseThrow();
    }

    private static Pair pair(
            double[] rates, double[] costs, double[] otherRates, double[] otherCosts) {
        return only(compared(
                scenario("57kb", "cpu", rates, costs, true),
                scenario("57kb", "cpu", otherRates, otherCosts, true),
                null));
    }

    static double[] times(double[] values, double factor) {
        double[] product = values.clone();
        for (int i = 0; i < product.length; i++) {
            product[i] *= factor;
        }
        return product;
    }

    static Scenario with(Scenario scenario, Conditions conditions) {
        return MadeResults.with(scenario, conditions);
    }

    /** The same, and so many octets written to the queue volume for each accepted one. */
    static Scenario with(Scenario scenario, Conditions conditions, double queueOctets) {
        Map<Counter, Double> known = Map.of(
                Counters.ACCEPTED_BYTES, 1e6, Counters.QUEUE_WRITTEN_BYTES, 1e6 * queueOctets);
        return withCounters(with(scenario, conditions), known, null);
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
                                ? new Safety(true, List.of("durability none"))
                                : Safety.UNCHALLENGED);
    }

    /** The same whose repeats have other counters too, counted by device or engine. */
    private static Scenario withCounters(
            Scenario scenario, Map<Counter, Double> known, @Nullable String source) {
        return MadeResults.scenario(
                scenario.id(),
                scenario.messageSizeKb(),
                scenario.conditions(),
                scenario.row().repeats().stream()
                        .map(repeat -> counted(repeat, counted -> {
                            known.forEach(counted::count);
                            counted.name(
                                    MailDocument.COUNTER_SOURCE, new CounterSource(source, source));
                        }))
                        .toList());
    }

    static Scenario scenario(
            String id, String limit, double[] rates, double[] costs, boolean valid) {
        return scenario(id, limit, rates, costs, valid, 57);
    }

    static Scenario scenario(
            String id, String limit, double[] rates, double[] costs, boolean valid, double sizeKb) {
        List<Repeat> repeats = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            Repeat.Builder counted = MadeResults.repeat(i + 1);
            MadeResults.name(
                    counted,
                    new Limiting(limit, null, null),
                    Validity.of(
                            valid || i > 0
                                    ? List.of()
                                    : List.of(new Reason(Case.MAIL, "1 message lost"))));
            counters(rates[i], costs[i])
                    .forEach((key, value) -> counted.count(new Counter(key), value));
            repeats.add(counted.made());
        }
        return MadeResults.scenario(id, sizeKb, conditions("synced", 32), repeats);
    }

    /** Of one second, with a clock of 1000 MHz. */
    private static Map<String, Double> counters(double rate, double cost) {
        return Map.of(
                Counters.MEASURED_NS.key(), 1e9,
                Counters.ACCEPTED_MSGS.key(), rate,
                Counters.SERVER_CPU_NS.key(), 1e6 * cost * rate,
                Counters.CLOCK_MCYCLES.key(), 1000.0,
                Counters.CLOCK_TICKS.key(), 100.0);
    }

    private static Results results(Scenario... scenarios) {
        return results(Map.of(), scenarios);
    }

    private static Results results(Map<String, @Nullable Object> settings, Scenario... scenarios) {
        return MadeResults.results(settings, List.of(scenarios));
    }
}
