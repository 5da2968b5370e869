package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Proves that the figures of a row follow from each other, however the repeats scatter. */
class RowFiguresTest {
    private static final double CORES = 2;
    private static final int ROUNDS = 200;
    private static final int REPEATS_MAX = 9;

    @Test
    void theFiguresOfARowAgree() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<Repeat> repeats = new ArrayList<>();
            for (int repeat = 0; repeat <= random.nextInt(REPEATS_MAX); repeat++) {
                repeats.add(counted(random));
            }
            Scenario row = row(repeats);
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
        }
    }

    /** Of a machine that was busy with 12 s of others and 1 s of the server: 121 MCycles where 11 were its own. */
    @Test
    void aMachineThatDoesMoreForOthersHasNoCostOfAMessage() {
        Repeat.Builder counted = Repeat.counted()
                .count(Counters.MEASURED_NS, 1e9)
                .count(Counters.ACCEPTED_MSGS, 100)
                .count(Counters.ACCEPTED_BYTES, 5_700_000)
                .count(Counters.LOGICAL_CORES, 2)
                .count(Counters.CLOCK_TICKS, 100)
                .count(Counters.CLOCK_MCYCLES, 2_000)
                .count(Counters.MACHINE_BUSY_TICKS, 180)
                .count(Counters.MACHINE_TOTAL_TICKS, 200)
                .count(Counters.DRIVER_ON_MACHINE, 0)
                .count(Counters.DRIVER_CPU_NS, 0)
                .count(Counters.DRIVER_CORES, 2)
                .count(Counters.SERVER_CPU_NS, 0.5e9);
        Scenario.Repeat unwatched = new Scenario.Repeat(counted.made());
        assertThat(unwatched.get(Figure.CPU_COST_MCYCLES_PER_MSG)).isPositive();
        Scenario.Repeat little = new Scenario.Repeat(
                counted.count(Counters.FOREIGN_CPU_NS, 0.4e9).made());
        assertThat(little.get(Figure.CPU_COST_MCYCLES_PER_MSG)).isPositive();
        Repeat disturbed = counted.count(Counters.FOREIGN_CPU_NS, 1.2e9).made();
        Scenario.Repeat much = new Scenario.Repeat(disturbed);
        assertThat(much.get(Figure.CPU_COST_MCYCLES_PER_MSG)).isNull();
        assertThat(much.get(Figure.CPU_COST_CYCLES_PER_MSG_BYTE)).isNull();
        assertThat(much.get(Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG)).isPositive();
        // What reads a document back makes the figures of its counters again.
        assertThat(Figure.CPU_COST_MCYCLES_PER_MSG.value(disturbed)).isNaN();
        assertThat(row(List.of(disturbed)).get(Figure.CPU_COST_MCYCLES_PER_MSG)).isNull();
    }

    @Test
    void whatIsMadeOfCountersIsTheMedian() {
        Scenario row = row(List.of(rate(1000, 5), rate(3000, 6), rate(1500, 7)));
        assertThat(row.get(Figure.THROUGHPUT_MSGS_PER_S)).isEqualTo(1500);
        assertThat(row.get(Figure.LOG_WRITES_PER_S)).isEqualTo(6);
        assertThat(row.get(Figure.LOG_WRITES_PER_MSG)).isEqualTo(6.0 / 1500);
    }

    private static Scenario row(List<Repeat> repeats) {
        return MadeResults.scenario("57kb", 57, Conditions.UNKNOWN, repeats);
    }

    private static Repeat rate(double rate, double writes) {
        return Repeat.counted()
                .count(Counters.MEASURED_NS, 1e9)
                .count(Counters.ACCEPTED_MSGS, rate)
                .count(Counters.LOG_WRITES, writes)
                .made();
    }

    private static Repeat counted(Random random) {
        Repeat.Builder counted = Repeat.counted();
        for (Formula.Counter counter : Counters.SAMPLED) {
            counted.count(counter, 1e6 * (1 + random.nextDouble()));
        }
        return counted.count(Counters.MEASURED_NS, 1e10 * (1 + random.nextDouble()))
                .count(Counters.MACHINE_TOTAL_TICKS, 4e6)
                .count(Counters.DRIVER_CPU_NS, 1e8 * random.nextDouble())
                .count(Counters.SERVER_CPU_NS, 3e9)
                .count(Counters.LOGICAL_CORES, CORES)
                .count(Counters.DRIVER_CORES, CORES)
                .count(Counters.DRIVER_ON_MACHINE, 1)
                .made();
    }

    private static double of(Scenario row, Column figure) {
        Double value = row.get(figure);
        assertThat(value).as("%s", figure.key()).isNotNull();
        return value == null ? Double.NaN : value;
    }

    private static void equal(Scenario row, Column figure, double expected, long seed) {
        assertThat(of(row, figure))
                .as("%s, seed %d", figure.key(), seed)
                .isCloseTo(expected, within(1e-9 * Math.abs(expected)));
    }
}
