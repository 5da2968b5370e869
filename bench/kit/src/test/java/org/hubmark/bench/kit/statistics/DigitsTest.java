package org.hubmark.bench.kit.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** Proves that a figure is shown with the digits that its interval allows, and no more. */
class DigitsTest {
    @Test
    void aWideIntervalLeavesFewDigits() {
        // 11,625 with an interval from 7,650 to 17,100.
        double[] climbing = {10_159, 10_828, 13_887};
        assertThat(Digits.text(10_828, climbing, 2)).isEqualTo("11000");
        assertThat(Digits.text(0.123456, new double[] {0.10, 0.12, 0.15}, 4)).isEqualTo("0.12");
    }

    @Test
    void aNarrowOneLeavesTheDecimalsOfTheRow() {
        double[] exact = {500.001, 500.002, 500.0};
        assertThat(Digits.text(500.001, exact, 2)).isEqualTo("500.00");
        assertThat(Digits.text(1, new double[] {1, 1, 1}, 4)).isEqualTo("1.0000");
    }

    @Test
    void aSingleRepeatHasThreeDigits() {
        double[] none = {};
        assertThat(Digits.text(8123.456, none, 2)).isEqualTo("8120");
        assertThat(Digits.text(8.1234, none, 2)).isEqualTo("8.12");
        assertThat(Digits.text(0.0012345, none, 5)).isEqualTo("0.00123");
        assertThat(Digits.text(0, none, 2)).isEqualTo("0.00");
    }

    /** Each end was measured in one repeat; they look alike only where they are. */
    @Test
    void theEndsOfARangeDifferWhereTheyDo() {
        double[] none = {};
        assertThat(Digits.ofRange(1523.4, 1581.2, none, 2)).isEqualTo("1520");
        assertThat(Digits.ofRange(1581.2, 1523.4, none, 2)).isEqualTo("1580");
        assertThat(Digits.ofRange(1523.4, 1524.9, none, 2)).isEqualTo("1523");
        assertThat(Digits.ofRange(1524.9, 1523.4, none, 2)).isEqualTo("1525");
        assertThat(Digits.ofRange(1523.412, 1523.431, none, 2)).isEqualTo("1523.41");
        assertThat(Digits.ofRange(98.7, 1523.4, none, 2)).isEqualTo("100");
        assertThat(Digits.ofRange(1523.4, 1523.4, none, 2)).isEqualTo("1520");
        double[] two = {1523.4, 1581.2};
        assertThat(Digits.ofRange(1523.4, 1581.2, two, 2)).isEqualTo("1520");
        double[] narrow = {12_345, 12_346, 12_344};
        assertThat(Digits.ofRange(12_344, 12_346, narrow, 2)).isEqualTo("12344");
        assertThat(Digits.ofRange(0, 0, none, 2)).isEqualTo("0.00");
    }

    /** Of two repeats that differ much, 20000 would be more than either had. */
    @Test
    void aFigureStaysInTheRangeOfItsRepeats() {
        assertThat(Digits.text(16_003, new double[] {18_568, 13_438}, 2)).isEqualTo("16000");
        assertThat(Digits.text(100.5, new double[] {100.4, 100.6}, 2)).isEqualTo("100.5");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 1000; round++) {
            double[] repeats = random.doubles(2 + random.nextInt(4), 1, 30_000).toArray();
            double shown = Double.parseDouble(Digits.text(Inference.median(repeats), repeats, 2));
            assertThat(shown)
                    .as("seed %d, %s", seed, Arrays.toString(repeats))
                    .isBetween(
                            Arrays.stream(repeats).min().orElseThrow() - 0.005,
                            Arrays.stream(repeats).max().orElseThrow() + 0.005);
        }
    }

    /** Two repeats allow next to nothing; the first digit stays. */
    @Test
    void oneDigitIsAlwaysLeft() {
        assertThat(Digits.text(1500, new double[] {1000, 2000}, 2)).isEqualTo("2000");
        assertThat(Digits.text(-3.4, new double[] {-1, -6}, 2)).isEqualTo("-3");
    }
}
