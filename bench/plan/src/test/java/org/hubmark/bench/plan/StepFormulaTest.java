package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.bench.plan.StepFormula.down;
import static org.hubmark.bench.plan.StepFormula.first;
import static org.hubmark.bench.plan.StepFormula.greatest;
import static org.hubmark.bench.plan.StepFormula.ifPositive;
import static org.hubmark.bench.plan.StepFormula.least;
import static org.hubmark.bench.plan.StepFormula.up;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Locale;
import java.util.stream.Stream;

/** Proves what a formula of inputs means: its value, its words, and what it does with what isn't known. */
class StepFormulaTest {
    private static final Input A = input("a");
    private static final Input B = input("b");
    private static final Input ZERO = input("zero");
    private static final Input NOTHING = input("nothing");
    private static final Repeat KNOWN = Repeat.counted()
            .count(new Counter("a"), 2)
            .count(new Counter("b"), 3)
            .count(new Counter("zero"), 0)
            .made();

    private static Input input(String key) {
        return new Input(key, key.toUpperCase(Locale.ROOT), "", null, 0.0, null, null, null);
    }

    private static Constant number(double value) {
        return new Constant(value);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of(number(1).plus(number(2).times(3)), 7),
                Arguments.of(number(12).over(3).over(2), 2),
                Arguments.of(A.over(ZERO), Double.NaN),
                Arguments.of(A.plus(NOTHING), Double.NaN),
                Arguments.of(first(NOTHING, B), 3),
                Arguments.of(first(NOTHING), Double.NaN),
                Arguments.of(least(B, NOTHING, A), 2),
                Arguments.of(least(NOTHING), Double.NaN),
                Arguments.of(greatest(B, A), 3),
                Arguments.of(down(number(2.999)), 2),
                Arguments.of(down(number(3 - 1e-10)), 3),
                Arguments.of(up(number(2.001)), 3),
                Arguments.of(up(number(3 + 1e-10)), 3),
                Arguments.of(down(number(-1.5)), -2),
                Arguments.of(ifPositive(A), 2),
                Arguments.of(ifPositive(ZERO), Double.NaN),
                Arguments.of(ifPositive(number(-1)), Double.NaN));
    }

    @ParameterizedTest
    @MethodSource("values")
    void hasAValue(Formula formula, double expected) {
        assertThat((Double) formula.value(KNOWN)).isEqualTo((Double) expected);
    }

    static Stream<Arguments> words() {
        return Stream.of(
                Arguments.of(A.times(number(1).plus(B.over(100))), "A x (1 + B / 100)"),
                Arguments.of(A.minus(B.minus(number(1))), "A - (B - 1)"),
                Arguments.of(A.over(B.times(2)), "A / (B x 2)"),
                Arguments.of(A.times(B).over(2), "A x B / 2"),
                Arguments.of(least(A, B), "the smallest of: A; B"),
                Arguments.of(first(A, B).times(2), "(the first that is known of: A; B) x 2"),
                Arguments.of(
                        greatest(number(0), least(A, B)),
                        "the largest of: 0; (the smallest of: A; B)"),
                Arguments.of(up(least(A, B)), "(the smallest of: A; B), rounded up"),
                Arguments.of(A.minus(up(B)), "A - ((B), rounded up)"));
    }

    @ParameterizedTest
    @MethodSource("words")
    void canBeSaid(Formula formula, String words) {
        assertThat(formula.words()).isEqualTo(words);
    }

    @Test
    void namesWhatItIsMadeOf() {
        assertThat(StepFormula.inputs(first(A.times(B), B.over(2)), KNOWN)).containsExactly(A, B);
        assertThat(StepFormula.inputs(first(NOTHING, B.over(2)), KNOWN))
                .containsExactly(NOTHING, B);
    }

    @Test
    void anAmountHasTheDigitsThatCount() {
        assertThat(Amount.of(10_701_617.7, "users").text()).isEqualTo("10,700,000 users");
        assertThat(Amount.of(0.000_486_111, "").text()).isEqualTo("0.0004861");
        assertThat(new Amount(32_635, "I/O/s", true).text()).isEqualTo("32,635 I/O/s");
        assertThat(new Amount(Double.NaN, "GB", true).text()).isEqualTo("-");
    }
}
