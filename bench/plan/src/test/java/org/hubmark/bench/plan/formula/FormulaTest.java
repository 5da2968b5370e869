package org.hubmark.bench.plan.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Proves what a formula means: its value, its words, and what it does with what isn't known. */
class FormulaTest {
    /** Knows some numbers and a curve, and takes down what it is told. */
    private static final class Known implements Scope {
        private final Map<String, Double> numbers = Map.of("a", 2.0, "b", 3.0, "zero", 0.0);
        private final List<String> told = new ArrayList<>();

        @Override
        public double number(String name) {
            return numbers.getOrDefault(name, Double.NaN);
        }

        @Override
        public Curve curve(String name) {
            return name.equals("curve")
                    ? new Curve(List.of(
                            new Curve.Point(100, 10),
                            new Curve.Point(300, 30),
                            new Curve.Point(290, 50)))
                    : new Curve(List.of());
        }

        @Override
        public void leftOut(String name) {
            told.add("without " + name);
        }

        @Override
        public void beyond(String curve) {
            told.add("beyond " + curve);
        }

        @Override
        public void before(String curve) {
            told.add("before " + curve);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 + 2 * 3           | 7",
                "(1 + 2) * 3         | 9",
                "10 - 4 - 3          | 3",
                "12 / 3 / 2          | 2",
                "-a + 5              | 3",
                "2 * -a              | -4",
                "a / zero            | NaN",
                "a + nothing         | NaN",
                "first(nothing, b)   | 3",
                "first(nothing)      | NaN",
                "least(b, nothing, a) | 2",
                "least(nothing)      | NaN",
                "greatest(b, a)      | 3",
                "down(2.999)         | 2",
                "down(3 - 0.0000000001) | 3",
                "up(2.001)           | 3",
                "up(3 + 0.0000000001) | 3",
                "down(-1.5)          | -2",
                "if_positive(a)      | 2",
                "if_positive(zero)   | NaN",
                "if_positive(-1)     | NaN",
                "most_within(curve, 20) | 200",
                "most_within(curve, 40) | 300",
                "most_within(curve, 5)  | 0",
                "most_within(curve, 99) | 300",
                "most_within(none, 5)   | NaN",
                "most_within(curve, nothing) | NaN",
                "height_at(curve, 100)  | 10",
                "height_at(curve, 195)  | 30",
                "height_at(curve, 99)   | NaN",
                "height_at(curve, 301)  | NaN",
                "least_reaching(curve, 5)  | 100",
                "least_reaching(curve, 30) | 195",
                "least_reaching(curve, 60) | NaN",
            })
    void hasAValue(String formula, double expected) {
        double value = FormulaParser.parse(formula).evaluate(new Known());
        assertThat(Double.compare(value, expected)).as("%s", value).isZero();
    }

    @Test
    void saysWhatAnAnswerIsWithout() {
        Known known = new Known();
        FormulaParser.parse("least(a, nothing)").evaluate(known);
        FormulaParser.parse("most_within(curve, 99)").evaluate(known);
        FormulaParser.parse("most_within(curve, 1)").evaluate(known);
        FormulaParser.parse("most_within(curve, 20)").evaluate(known);
        assertThat(known.told).containsExactly("without nothing", "beyond curve", "before curve");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a * (1 + b / 100)    | A x (1 + B / 100)",
                "a - (b - 1)          | A - (B - 1)",
                "a / (b * 2)          | A / (B x 2)",
                "a * b / 2            | A x B / 2",
                "least(a, b)          | the smallest of: A; B",
                "first(a, b) * 2      | (the first that is known of: A; B) x 2",
                "greatest(0, least(a, b)) | the largest of: 0; (the smallest of: A; B)",
                "up(least(a, b))      | (the smallest of: A; B), rounded up",
                "up(a / b)            | (A / B), rounded up",
                "most_within(curve, a) | read off CURVE: the most within A",
            })
    void canBeSaid(String formula, String words) {
        assertThat(FormulaParser.parse(formula).words(name -> name.toUpperCase(Locale.ROOT)))
                .isEqualTo(words);
    }

    @Test
    void namesWhatItIsMadeOf() {
        Set<String> numbers = new LinkedHashSet<>();
        Set<String> curves = new LinkedHashSet<>();
        FormulaParser.parse("first(most_within(curve, a), -b / 2)").names(numbers, curves);
        assertThat(numbers).containsExactly("a", "b");
        assertThat(curves).containsExactly("curve");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1 +",
                "(1",
                "1)",
                "a b",
                "frobnicate(1)",
                "down(1, 2)",
                "first()",
                "most_within(1, 2)",
                "1 % 2",
                "A",
                "a..b",
                "* 2"
            })
    void refusesWhatIsNone(String formula) {
        assertThatThrownBy(() -> FormulaParser.parse(formula))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("formula '" + formula + "': ");
    }

    @Test
    void aCurveHasNumbersOnly() {
        assertThatThrownBy(() -> new Curve(List.of(new Curve.Point(1, Double.NaN))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
