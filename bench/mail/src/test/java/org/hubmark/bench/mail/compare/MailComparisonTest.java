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
import org.junit.jupiter.params.ParameterizedTest;
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
    /** Every condition is seen, whichever it is; unless it is what is compared. */
    @ParameterizedTest
    @EnumSource
    void aConditionThatDiffersIsNamedAndBlocks(Condition condition) {
        String option = condition.option();
        List<String> two = switch (condition) {
            case CONNECTIONS, RECIPIENTS, MESSAGES_PER_CONNECTION -> List.of("1", "2");
            case CHECKPOINT_DEPTH_MB -> List.of("128.0", "512.0");
            case TLS, PIPELINING -> List.of("true", "false");
            default -> List.of("one", "other");
        };
        List<String> from = List.of(option + "=" + two.getFirst());
        List<String> to = List.of(option + "=" + two.getLast());
        String text = "57kb: " + option + " differs: " + two.getFirst() + " and " + two.getLast();
        DocumentComparison blocked = compared(from, to, List.of(), List.of());
        assertThat(blocked.pairs()).isEmpty();
        assertThat(blocked.unmatched()).containsExactly(text);
        assertThat(compared(from, to, List.of(option), List.of()).remarks()).contains(text);
        // Of one of them it isn't known: that is said, and is no difference.
        assertThat(compared(from, List.of(option + "=-"), List.of(), List.of()).remarks())
                .contains("57kb: " + option + " is known of A only: " + two.getFirst());
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
        DocumentComparison found =
                compared(one.all("a"), one.all("b"), one.all("across"), one.all("by"));
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

    private static DocumentComparison compared(
            List<String> a, List<String> b, List<String> across, List<String> by) {
        return MailComparison.of(
                results(a),
                results(b),
                new Rule(Set.copyOf(across), 0.02),
                by.isEmpty() ? null : Quantity.valueOf(by.getFirst().toUpperCase(Locale.ROOT)));
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
        boolean hasTails = words.containsKey("tails");
        String rates = words.getOrDefault("rates", hasTails ? "1000,1001,999" : "1000,1005,995");
        String costs = hasTails ? "50,50.1,49.9" : "10,10.05,9.95";
        Scenario made = measured(
                words.getOrDefault("id", "57kb"),
                Double.parseDouble(words.getOrDefault("size", "57")),
                numbers(rates, words.getOrDefault("times", "1")),
                numbers(costs, words.getOrDefault("costs", "1")));
        Conditions conditions = made.conditions();
        for (Condition condition : Condition.values()) {
            String value = words.get(condition.option());
            if (value != null) {
                conditions = conditions.with(condition, value.equals("-") ? null : value);
            }
        }
        String unsafe = words.get("unsafe");
        if (unsafe != null) {
            conditions = conditions.with(new Safety(true, List.of(unsafe)));
        }
        AtomicInteger repeat = new AtomicInteger();
        return with(
                with(made, conditions), counted -> count(counted, words, repeat.getAndIncrement()));
    }

    private static double[] numbers(String values, String times) {
        double[] numbers = Arrays.stream(values.split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        return times(numbers, Double.parseDouble(times));
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

    private static String printed(DocumentComparison comparison) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        comparison.print(new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Stream<Pair> deciding(DocumentComparison comparison) {
        return comparison.pairs().stream().filter(pair -> pair.weight() == Pair.Weight.DECIDES);
    }

    private static String text(Pair pair) {
        return Objects.requireNonNull(pair.verdict()).text() + " "
                + Arrays.stream(Quantity.values())
                        .filter(quantity -> quantity.column().equals(pair.column()))
                        .findFirst()
                        .orElseThrow();
    }
}
