package org.hubmark.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Proves that the figures of a row follow from each other, however the repeats scatter. */
class MeasuredTest {
    private static final double CORES = 2;
    private static final int ROUNDS = 200;
    private static final int REPEATS_MAX = 9;

    @Test
    void theFiguresOfARowAgree() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<Measured> repeats = new ArrayList<>();
            for (int repeat = 0; repeat <= random.nextInt(REPEATS_MAX); repeat++) {
                repeats.add(measured(random));
            }
            Measured row = Measured.row(repeats, MeasuredTest::fact);
            double rate = of(row, Figure.THROUGHPUT_MSGS_PER_S);
            double clock = of(row, Figure.CPU_CLOCK_MHZ);
            double busy = of(row, Figure.MACHINE_CPU_PERCENT) - of(row, Figure.DRIVER_CPU_PERCENT);
            double cost = busy / 100 * CORES * clock / rate;
            equal(row, Figure.CPU_PERCENT, busy, seed);
            equal(row, Figure.CPU_COST_MCYCLES_PER_MSG, cost, seed);
            equal(
                    row,
                    Figure.CPU_COST_CYCLES_PER_MSG_BYTE,
                    cost * 1e6 / of(row, Figure.MEAN_MESSAGE_BYTES),
                    seed);
            equal(
                    row,
                    Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG,
                    of(row, Figure.SERVER_CPU_US_PER_MSG) * clock / 1e6,
                    seed);
            equal(row, Figure.LOG_WRITES_PER_MSG, of(row, Figure.LOG_WRITES_PER_S) / rate, seed);
            equal(
                    row,
                    Figure.QUEUE_WRITES_PER_MSG,
                    of(row, Figure.QUEUE_WRITES_PER_S) / rate,
                    seed);
            equal(
                    row,
                    Figure.DRIVER_CPU_US_PER_MSG,
                    of(row, Figure.DRIVER_CPU_PERCENT) * CORES * 1e4 / rate,
                    seed);
        }
    }

    @Test
    void whatIsMadeOfCountersIsTheMedian() {
        Measured row = Measured.row(
                List.of(rate(1000, 5), rate(3000, 6), rate(1500, 7)), MeasuredTest::fact);
        assertThat(row.get(Figure.THROUGHPUT_MSGS_PER_S)).isEqualTo(1500);
        assertThat(row.get(Figure.LOG_WRITES_PER_S)).isEqualTo(6);
        assertThat(row.get(Figure.LOG_WRITES_PER_MSG)).isEqualTo(6.0 / 1500);
    }

    /** Of a file whose rates are not known there may still be what a message takes. */
    @Test
    void whatDoesNotFollowHereIsAMedianOfItsOwn() {
        Measured one = new Measured(Map.of(Figure.LOG_WRITES_PER_MSG, 0.5));
        Measured other = new Measured(Map.of(Figure.LOG_WRITES_PER_MSG, 0.7));
        Measured row = Measured.row(List.of(one, other, one), fact -> null);
        assertThat(row.known()).containsExactly(Map.entry(Figure.LOG_WRITES_PER_MSG, 0.5));
    }

    private static Measured rate(double rate, double writes) {
        return new Measured(Map.of(
                Figure.THROUGHPUT_MSGS_PER_S,
                rate,
                Figure.LOG_WRITES_PER_S,
                writes,
                Figure.LOG_WRITES_PER_MSG,
                writes / rate));
    }

    private static Measured measured(Random random) {
        Map<Counter, Double> counters = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            counters.put(counter, 1e6 * (1 + random.nextDouble()));
        }
        counters.put(Counter.MEASURED_NS, 1e10 * (1 + random.nextDouble()));
        counters.put(Counter.MACHINE_TOTAL_TICKS, 4e6);
        counters.put(Counter.DRIVER_CPU_NS, 1e8 * random.nextDouble());
        return Measured.of(input -> switch (input) {
            case Counter counter -> counters.get(counter);
            case Input.Fact fact -> fact(fact);
            case Figure figure -> null;
        });
    }

    private static double fact(Input.Fact fact) {
        return switch (fact) {
            case LOGICAL_CORES, DRIVER_CORES -> CORES;
            case DRIVER_ON_MACHINE -> 1;
        };
    }

    private static double of(Measured row, Figure figure) {
        Double value = row.get(figure);
        assertThat(value).as("%s", figure).isNotNull();
        return value == null ? Double.NaN : value;
    }

    private static void equal(Measured row, Figure figure, double expected, long seed) {
        assertThat(of(row, figure))
                .as("%s, seed %d", figure, seed)
                .isCloseTo(expected, within(1e-9 * Math.abs(expected)));
    }
}
