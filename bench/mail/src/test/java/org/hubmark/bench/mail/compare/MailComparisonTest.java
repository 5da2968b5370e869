package org.hubmark.bench.mail.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.hubmark.bench.mail.document.MadeResults.measured;
import static org.hubmark.bench.mail.document.MadeResults.times;
import static org.hubmark.bench.mail.document.MadeResults.with;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Condition;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Proves on made-up results which verdict they get and what it rests on. */
class MailComparisonTest {
    private static final double[] QUIET = {1000, 1005, 995};
    private static final double[] COST = {10, 10.05, 9.95};

    private final Scenario quiet = scenario(QUIET);

    /** Of B rate and cost are so many times those of A; what decides, and what a limit of slowness says. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            1000 1005 995      | 1.1   | 1   | -      | faster rate                | 0.05 | not worse
            1000 1005 995      | 0.9   | 1   | -      | slower rate                | 0.05 | worse
            1000 1005 995      | 0.9   | 1   | -      | slower rate                | 0.15 | not worse
            1000 1005 995      | 0.97  | 1   | -      | slower rate                | 0.05 | not worse
            1000 1005 995      | 1.001 | 1   | -      | equivalent rate            | 0.05 | not worse
            # However much narrower the interval of another quantity is, unless that is asked for.
            1000 1300 800      | 0.9   | 1.2 | -      | not distinguishable rate   | 0.05 | too noisy to tell
            1000 1300 800      | 1     | 1.2 | cycles | slower cycles              | 0.05 | worse
            1000 1300 800      | 1     | 1   | -      | not distinguishable rate   | 0.05 | too noisy to tell
            # The interval leaves 1 out, but runs of one setting differ by as much.
            1000 1000.1 999.9  | 1.015 | 1   | -      | equivalent rate            | 0.05 | not worse
            1000 1000.1 999.9  | 1.03  | 1   | -      | faster rate                | 0.05 | not worse
            # A single repeat tells nothing.
            1000               | 0.5   | 2   | -      | no verdict rate            | 0.05 | too noisy to tell
            """)
    void theRateDecides(
            String rates,
            double rate,
            double cost,
            @Nullable String by,
            String verdict,
            double limit,
            String answer) {
        double[] before = Arrays.stream(rates.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        DocumentComparison comparison = compared(
                scenario(before),
                measured("57kb", 57, times(before, rate), times(COST, cost)),
                by == null ? null : Quantity.valueOf(by.toUpperCase(Locale.ROOT)));
        assertThat(text(only(comparison))).isEqualTo(verdict);
        assertThat(answers(comparison, limit).getFirst()).isEqualTo(answer);
        assertThat(comparison.remarks().stream().anyMatch(one -> one.contains("--repeat 3")))
                .isEqualTo(before.length == 1);
    }

    /** Three repeats each, as they were measured: the rate was called "known to +-32 % only". */
    @Test
    void aDifferenceFarBeyondItsErrorIsADifference() {
        DocumentComparison comparison =
                compared(scenario(10_159, 10_828, 13_887), scenario(800, 960, 750), null);
        assertThat(text(only(comparison))).isEqualTo("slower rate");
        Interval interval = Objects.requireNonNull(
                Objects.requireNonNull(only(comparison).ratio()).interval());
        assertThat(interval.low()).isBetween(0.05, 0.06);
        assertThat(interval.high()).isBetween(0.08, 0.11);
    }

    /** As much mail in the same time, of which one in a hundred waits for half as long again. */
    @Test
    void aWorseTailFailsThoughTheRateIsTheSame() {
        Scenario before = withTail(10.0, 10.1, 10.2);
        Scenario after = withTail(15.0, 15.1, 15.2);
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
        // One that scatters too much to tell fails nothing.
        DocumentComparison scattered =
                compared(withTail(10.0, 20.0, 30.0), withTail(30.0, 15.0, 20.0), null);
        assertThat(answers(scattered, 0.05)).containsExactly("not worse");
    }

    /** A scenario of one rate whose repeats have these tails, milliseconds. */
    private static Scenario withTail(double... tails) {
        List<Double> left = new ArrayList<>(Arrays.stream(tails).boxed().toList());
        return with(
                measured("57kb", 57, new double[] {1000, 1001, 999}, 50, 50.1, 49.9), counted -> {
                    Histogram latencies = new Histogram(3);
                    latencies.recordValueWithCount(1_000_000, 9_000);
                    latencies.recordValueWithCount(Math.round(left.removeFirst() * 1e6), 990);
                    latencies.recordValueWithCount(100_000_000, 10);
                    counted.times(Figure.ACCEPT, latencies);
                });
    }

    /** A count that isn't known is no 0: of the queue's writes nothing is known of either. */
    @Test
    void anUnknownCountIsNoZero() {
        Scenario a = withCounters("device", Map.of(Counters.LOG_WRITES, 500.0));
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
        Scenario device = withCounters("device", known);
        Scenario engine = withCounters("engine", known);
        assertThat(only(compared(device, device, Quantity.WRITES)).verdict())
                .isEqualTo(Verdict.EQUIVALENT);
        DocumentComparison found = compared(device, engine, Quantity.WRITES);
        assertThat(only(found).verdict()).isEqualTo(Verdict.NO_VERDICT);
        assertThat(found.remarks()).anyMatch(remark -> remark.contains("log by device and engine"));
        assertThat(compared(device, engine, null).pairs())
                .extracting(pair -> pair.column().key())
                .doesNotContain("writes_per_msg", "log_writes_per_s");
    }

    private Scenario withCounters(String source, Map<Counter, Double> known) {
        return with(quiet, counted -> {
            known.forEach(counted::count);
            counted.name(MailDocument.COUNTER_SOURCE, new CounterSource(source, source));
        });
    }

    /** Every condition is seen, whichever it is; unless it is what is compared. */
    @ParameterizedTest
    @EnumSource(Condition.class)
    void aConditionThatDiffersIsNamedAndBlocks(Condition condition) {
        List<Object> two = values(condition);
        Scenario from = with(quiet, quiet.conditions().with(condition, two.getFirst()));
        Scenario to = with(quiet, quiet.conditions().with(condition, two.getLast()));
        String text = condition.option() + " differs: " + two.getFirst() + " and " + two.getLast();
        DocumentComparison blocked = compared(from, to, null);
        assertThat(blocked.pairs()).isEmpty();
        assertThat(blocked.unmatched()).containsExactly("57kb: " + text);
        assertThat(across(from, to, condition.option()).remarks()).contains("57kb: " + text);
        // Of one of them it isn't known: that is said, and is no difference.
        Scenario unknown = with(quiet, quiet.conditions().with(condition, null));
        assertThat(compared(from, unknown, null).remarks())
                .contains("57kb: " + condition.option() + " is known of A only: " + two.getFirst());
    }

    private static List<Object> values(Condition condition) {
        return switch (condition) {
            case CONNECTIONS, RECIPIENTS, MESSAGES_PER_CONNECTION -> List.of(1, 2);
            case CHECKPOINT_DEPTH_MB -> List.of(128.0, 512.0);
            case TLS, PIPELINING -> List.of(true, false);
            default -> List.of("one", "other");
        };
    }

    @Test
    void sizesAndSettingsThatDifferBlockToo() {
        DocumentComparison settings = compared(
                MadeResults.results(
                        Map.of("smtp.connections-max", 1, "output", "x"), List.of(quiet)),
                MadeResults.results(
                        Map.of("smtp.connections-max", 2, "output", "y"), List.of(quiet)),
                null);
        assertThat(settings.unmatched())
                .containsExactly("57kb: settings differs: smtp.connections-max 1 and 2");
        Scenario large = measured("57kb", 80, QUIET, COST);
        assertThat(compared(quiet, large, null).unmatched())
                .containsExactly("57kb: size differs: 57.0 KB and 80.0 KB");
        assertThat(only(across(quiet, large, MailComparison.SIZE)).verdict())
                .isEqualTo(Verdict.EQUIVALENT);
    }

    @Test
    void aRateThatWasAskedForSaysNothing() {
        Limiting rate = new Limiting("rate", null, null);
        Scenario cheaper = measured("57kb", 57, QUIET, times(COST, 0.8));
        assertThat(text(only(compared(
                        with(quiet, counted -> MadeResults.name(counted, rate)),
                        with(cheaper, counted -> MadeResults.name(counted, rate)),
                        null))))
                .isEqualTo("faster cycles");
    }

    /** Each repeat searches anew, so that they scatter as searches do. */
    @Test
    void aRateThatWasSearchedDecides() {
        Scenario searched = with(
                with(quiet, quiet.conditions().with(Condition.ASKED_RATE, "max-sustained")),
                counted -> counted.name(MailDocument.SUSTAINED_RATE, new SustainedRate(1000, "")));
        assertThat(text(only(compared(searched, searched, null)))).isEqualTo("equivalent rate");
    }

    /** Of a matrix each cell is compared with the one of the same name; what has none is said. */
    @Test
    void comparesCellByCell() {
        Scenario one = measured("4kb_one", 4, QUIET, COST);
        Scenario three = measured("4kb_three", 4, QUIET, COST);
        Scenario slower = measured("4kb_three", 4, times(QUIET, 0.8), COST);
        DocumentComparison found = compared(results(one, three), results(slower, one), null);
        assertThat(found.pairs())
                .filteredOn(pair -> pair.weight() == Pair.Weight.DECIDES)
                .extracting(Pair::row, Pair::verdict)
                .containsExactly(
                        tuple("4kb_one", Verdict.EQUIVALENT), tuple("4kb_three", Verdict.SLOWER));
        assertThat(printed(found)).contains("2 rows: 1 slower, 1 equivalent");
        DocumentComparison gone = compared(results(one, three), results(one), null);
        assertThat(gone.unmatched()).containsExactly("4kb_three: only in A");
        assertThat(gone.regressions(0.05))
                .extracting(Regression::id, Regression::outcome)
                .containsExactly(
                        tuple("4kb_one, Throughput (msg/s)", Regression.Outcome.NOT_WORSE),
                        tuple("4kb_three: only in A", Regression.Outcome.NOT_COMPARED));
        DocumentComparison more = compared(results(one), results(one, three), null);
        assertThat(more.unmatched()).containsExactly("4kb_three: only in B");
        assertThat(more.regressions(0.05)).hasSize(1);
    }

    @Test
    void whatIsNotValidGetsNoVerdict() {
        List<Repeat> repeats = new ArrayList<>(scenario(times(QUIET, 2)).row().repeats());
        repeats.set(
                0,
                new Scenario.Repeat(repeats.getFirst())
                        .invalid(new Reason(Case.MAIL, "1 message lost"))
                        .counted());
        Scenario invalid = MadeResults.scenario("57kb", 57, quiet.conditions(), repeats);
        DocumentComparison found = compared(quiet, invalid, null);
        assertThat(only(found).verdict()).isEqualTo(Verdict.NOT_VALID);
        assertThat(found.remarks())
                .anyMatch(one -> one.startsWith("B, not valid: repeat 1: 1 message lost"));
        assertThat(found.regressions(0.05))
                .extracting(Regression::outcome, Regression::text)
                .containsExactly(tuple(
                        Regression.Outcome.NOT_VALID, "B is not valid: repeat 1: 1 message lost"));
        assertThat(only(compared(invalid, invalid, null)).text())
                .isEqualTo(
                        "A is not valid: repeat 1: 1 message lost; B is not valid: repeat 1: 1 message lost");
    }

    @Test
    void whatIsUnsafeIsSaid() {
        Scenario unsafe = with(
                quiet,
                quiet.conditions()
                        .with(Condition.DURABILITY, "none")
                        .with(new Safety(true, List.of("durability none"))));
        assertThat(across(quiet, unsafe, "durability").remarks())
                .contains(
                        "57kb: durability differs: synced and none",
                        "57kb: B is UNSAFE: durability none");
    }

    @Test
    void printsATableWithWhatDecidesAndWhatStandsBeside() {
        String text = printed(compared(quiet, scenario(times(QUIET, 0.9)), null));
        assertThat(text).containsPattern("57kb +Throughput \\(msg/s\\) +1000 .* -10.0 % .*slower");
        assertThat(text).containsPattern("57kb +Msg Cost, server only .* -\n");
        assertThat(printed(compared(quiet, scenario(times(QUIET, 1.001)), null)))
                .contains("+0.1 %", "equivalent within 1.2 %");
    }

    private static List<String> answers(DocumentComparison comparison, double limit) {
        return comparison.regressions(limit).stream()
                .map(found -> found.outcome().text())
                .toList();
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

    private static String text(Pair pair) {
        return Objects.requireNonNull(pair.verdict()).text() + " "
                + Arrays.stream(Quantity.values())
                        .filter(quantity -> quantity.column().equals(pair.column()))
                        .findFirst()
                        .orElseThrow();
    }

    private static Scenario scenario(double... rates) {
        return measured("57kb", 57, rates, COST);
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
        Rule rule = new Rule(Set.of(condition), 0.02);
        return MailComparison.of(results(first), results(second), rule, null);
    }

    private static Results results(Scenario... scenarios) {
        return MadeResults.results(Map.of(), List.of(scenarios));
    }
}
