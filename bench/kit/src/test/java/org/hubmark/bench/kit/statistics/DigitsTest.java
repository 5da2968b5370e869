package org.hubmark.bench.kit.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Random;

/** Proves that a figure is shown with the digits that its interval allows, and no more. */
class DigitsTest {
    /** Of repeats with an interval from 7,650 to 17,100 few are left; of two that differ much, one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10828     | 10159 10828 13887     | 2 | 11000
            0.123456  | 0.10 0.12 0.15        | 4 | 0.12
            500.001   | 500.001 500.002 500.0 | 2 | 500.00
            1         | 1 1 1                 | 4 | 1.0000
            8123.456  | ''                    | 2 | 8120
            8.1234    | ''                    | 2 | 8.12
            0.0012345 | ''                    | 5 | 0.00123
            0         | ''                    | 2 | 0.00
            16003     | 18568 13438           | 2 | 16000
            100.5     | 100.4 100.6           | 2 | 100.5
            1500      | 1000 2000             | 2 | 2000
            -3.4      | -1 -6                 | 2 | -3
            120       | 100 150               | 2 | 100
            """)
    void aFigureHasTheDigitsThatItsRepeatsAllow(
            double value, String repeats, int decimals, String text) {
        assertThat(Digits.text(value, values(repeats), decimals)).isEqualTo(text);
    }

    /** Each end was measured in one repeat; they look alike only where they are. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1523.4   | 1581.2   | ''                | 1520
            1581.2   | 1523.4   | ''                | 1580
            1523.4   | 1524.9   | ''                | 1523
            1524.9   | 1523.4   | ''                | 1525
            1523.412 | 1523.431 | ''                | 1523.41
            98.7     | 1523.4   | ''                | 100
            1523.4   | 1523.4   | ''                | 1520
            1523.4   | 1581.2   | 1523.4 1581.2     | 1520
            12344    | 12346    | 12345 12346 12344 | 12344
            0        | 0        | ''                | 0.00
            """)
    void theEndsOfARangeDifferWhereTheyDo(double end, double other, String repeats, String text) {
        assertThat(Digits.ofRange(end, other, values(repeats), 2)).isEqualTo(text);
    }

    private static double[] values(String repeats) {
        return Arrays.stream(repeats.split(" ", -1))
                .filter(repeat -> !repeat.isEmpty())
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    /** Of two repeats that differ much, 20000 would be more than either had. */
    @Test
    void aFigureStaysInTheRangeOfItsRepeats() {
        Random random = new Random(20_261_201);
        for (int round = 0; round < 1000; round++) {
            double[] repeats = random.doubles(2 + random.nextInt(4), 1, 30_000).toArray();
            double shown = Double.parseDouble(Digits.text(Inference.median(repeats), repeats, 2));
            assertThat(shown)
                    .as("round %d, %s", round, Arrays.toString(repeats))
                    .isBetween(
                            Arrays.stream(repeats).min().orElseThrow() - 0.005,
                            Arrays.stream(repeats).max().orElseThrow() + 0.005);
        }
    }
}
