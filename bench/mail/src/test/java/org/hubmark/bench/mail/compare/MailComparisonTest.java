package org.hubmark.bench.mail.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.bench.mail.document.MadeResults.measured;
import static org.hubmark.bench.mail.document.MadeResults.times;
import static org.hubmark.bench.mail.document.MadeResults.with;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.TestCase;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.CounterSource;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

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

    static List<TestCase> comparisons() throws IOException {
        String[] keys = {"a", "b", "by", "across", "limit", "decides"};
        Stream<String> facts = Stream.of(
                        "pair", "text", "remark", "unmatched", "regression", "printed")
                .flatMap(fact -> Stream.of(fact, "no " + fact, "all " + fact));
        return TestCase.of(
                MailComparisonTest.class,
                "comparisons.txt",
                Stream.concat(Stream.of(keys), facts).toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource
    void comparisons(TestCase one) {
        List<String> by = one.all("by");
        DocumentComparison found = MailComparison.of(
                results(one.all("a")),
                results(one.all("b")),
                new Rule(Set.copyOf(one.all("across")), 0.02),
                by.isEmpty() ? null : Quantity.valueOf(by.getFirst().toUpperCase(Locale.ROOT)));
        List<String> limits = one.all("limit");
        double limit = limits.isEmpty() ? 0.05 : Double.parseDouble(limits.getFirst());
        Map<String, List<String>> facts = Map.of(
                "pair", found.pairs().stream().map(pair -> pair.column().key()).toList(),
                "text", deciding(found).map(Pair::text).toList(),
                "remark", found.remarks(),
                "unmatched", found.unmatched(),
                "regression",
                        found.regressions(limit).stream()
                                .map(fact -> fact.id() + ": " + fact.outcome().text() + ": "
                                        + fact.text())
                                .toList(),
                "printed", List.of(printed(found).replaceAll("\\s+", " ")));
        if (!one.all("decides").isEmpty()) {
            assertThat(deciding(found).map(pair -> pair.row() + " " + text(pair)))
                    .isEqualTo(one.all("decides"));
        }
        facts.forEach((fact, lines) -> {
            for (String begin : one.all(fact)) {
                assertThat(lines)
                        .as(fact)
                        .anyMatch(line -> fact.equals("printed")
                                ? line.contains(begin)
                                : line.startsWith(begin));
            }
            one.all("no " + fact)
                    .forEach(begin -> assertThat(lines).noneMatch(line -> line.startsWith(begin)));
            one.all("all " + fact)
                    .forEach(count -> assertThat(lines).hasSize(Integer.parseInt(count)));
        });
    }

    private static Results results(List<String> scenarios) {
        Map<String, @Nullable Object> settings = new HashMap<>();
        List<Scenario> all = new ArrayList<>();
        for (String scenario : scenarios) {
            Map<String, String> words = TestCase.words(List.of(scenario));
            words.forEach((key, value) -> {
                if (key.startsWith(":")) {
                    settings.put(key.substring(1), value);
                }
            });
            all.add(scenario(words));
        }
        return MadeResults.results(settings, all);
    }

    private static Scenario scenario(Map<String, String> words) {
        String tails = words.get("tails");
        Scenario made = measured(
                words.getOrDefault("id", "57kb"),
                Double.parseDouble(words.getOrDefault("size", "57")),
                tails == null
                        ? times(QUIET, number(words, "times"))
                        : new double[] {1000, 1001, 999},
                tails == null
                        ? times(COST, number(words, "costs"))
                        : new double[] {50, 50.1, 49.9});
        Conditions conditions = made.conditions();
        for (Condition condition : Condition.values()) {
            String value = words.get(condition.option());
            conditions = value == null ? conditions : conditions.with(condition, value);
        }
        String unsafe = words.get("unsafe");
        if (unsafe != null) {
            conditions = conditions.with(new Safety(true, List.of(unsafe)));
        }
        AtomicInteger repeat = new AtomicInteger();
        return with(
                with(made, conditions), counted -> count(counted, words, repeat.getAndIncrement()));
    }

    private static double number(Map<String, String> words, String key) {
        return Double.parseDouble(words.getOrDefault(key, "1"));
    }

    private static void count(Repeat.Builder counted, Map<String, String> words, int repeat) {
        words.forEach((key, value) -> {
            switch (key) {
                case "source" ->
                    counted.name(MailDocument.COUNTER_SOURCE, new CounterSource(value, value));
                case "limit" -> MadeResults.name(counted, new Limiting(value, null, null));
                case "searched" ->
                    counted.name(
                            MailDocument.SUSTAINED_RATE,
                            new SustainedRate(Double.parseDouble(value), ""));
                case "lost" -> {
                    if (repeat == 0) {
                        MadeResults.name(
                                counted,
                                Validity.of(List.of(new Reason(Case.MAIL, "1 message lost"))));
                    }
                }
                case "tails" -> {
                    Histogram latencies = new Histogram(3);
                    latencies.recordValueWithCount(1_000_000, 9_000);
                    double millis = Double.parseDouble(value.split(",", -1)[repeat]);
                    latencies.recordValueWithCount(Math.round(millis * 1e6), 990);
                    latencies.recordValueWithCount(100_000_000, 10);
                    counted.times(Figure.ACCEPT, latencies);
                }
                default -> {
                    if (key.startsWith(".")) {
                        counted.count(new Counter(key.substring(1)), Double.valueOf(value));
                    }
                }
            }
        });
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

    private static Stream<Pair> deciding(DocumentComparison comparison) {
        return comparison.pairs().stream().filter(pair -> pair.weight() == Pair.Weight.DECIDES);
    }

    private static Pair only(DocumentComparison comparison) {
        return deciding(comparison).findFirst().orElseThrow();
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
