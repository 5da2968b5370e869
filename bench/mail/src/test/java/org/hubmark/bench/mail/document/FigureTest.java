package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.mail.TestCase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Proves every figure of the catalogue on counters that are checked by hand (figures.txt), and that its words say it. */
class FigureTest {
    static List<TestCase> figures() throws IOException {
        return TestCase.of(FigureTest.class, "figures.txt", "repeat", "figures");
    }

    @ParameterizedTest
    @MethodSource
    void figures(TestCase one) {
        List<Repeat> repeats =
                one.all("repeat").stream().map(FigureTest::repeat).toList();
        Scenario row = MadeResults.scenario("57kb", 57, Conditions.UNKNOWN, repeats);
        Map<String, String> expected = one.words("figures");
        for (Column figure : Figure.OF_REPEATS) {
            String value = expected.getOrDefault(figure.key(), expected.get("others"));
            if (value != null) {
                assertIs(figure, row.value(figure), value);
            }
            if (value != null && repeats.size() == 1) {
                assertIs(figure, figure.value(repeats.getFirst()), value);
            }
        }
    }

    private static void assertIs(Column figure, double found, String expected) {
        if (expected.equals("-")) {
            assertThat(found).as(figure.key()).isNaN();
        } else {
            assertThat(found)
                    .as(figure.key())
                    .isCloseTo(Double.parseDouble(expected), within(1e-9));
        }
    }

    @Test
    void noneIsLeftOut() throws IOException {
        assertThat(figures().getFirst().words("figures").keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Figure.OF_REPEATS.stream().map(Column::key).toList());
    }

    private static Repeat repeat(String counters) {
        Repeat.Builder counted = Repeat.counted();
        TestCase.words(List.of(counters))
                .forEach((key, value) ->
                        counted.count(new Formula.Counter(key), Double.valueOf(value)));
        return counted.made();
    }

    @Test
    void formulasAreSaidAsTheyAreComputed() {
        assertThat(Figure.CPU_PERCENT.words())
                .isEqualTo(
                        "CPU of the whole machine - driver on machine x CPU of the load driver at least 0"
                                + " where (Server CPU time is known + (1 - driver on machine))");
        assertThat(Figure.LOG_WRITES_PER_S.words()).isEqualTo("log writes / Measured time");
    }
}
