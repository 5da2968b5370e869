package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Proves every figure of the catalogue by a second computation, written down without looking at the
 * first: of random counters, by hand. And that the formula which is shown names what is computed.
 */
class FigureTest {
    private static final double CORES = 4;
    private static final double MHZ = 2600;

    private record Grown(Map<Formula.Counter, Double> values) {
        double of(Formula.Counter counter) {
            return Objects.requireNonNull(values.get(counter));
        }

        Repeat repeat() {
            Repeat.Builder all = Repeat.counted();
            values.forEach(all::count);
            return all.count(Counters.LOGICAL_CORES, CORES)
                    .count(Counters.DRIVER_CORES, CORES)
                    .count(Counters.DRIVER_ON_MACHINE, 1)
                    .made();
        }
    }

    @Test
    void everyFigureIsWhatASecondComputationGives() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Grown grown = new Grown(new HashMap<>());
        for (Formula.Counter counter : Counters.SAMPLED) {
            grown.values.put(counter, 1.0 + random.nextInt(1_000_000));
        }
        // The machine is busier than the driver.
        grown.values.put(Counters.MACHINE_TOTAL_TICKS, 2 * grown.of(Counters.MACHINE_BUSY_TICKS));
        grown.values.put(Counters.DRIVER_CPU_NS, grown.of(Counters.MEASURED_NS) / 10);
        grown.values.put(Counters.CLOCK_MCYCLES, MHZ * grown.of(Counters.CLOCK_TICKS) / 100);
        grown.values.put(
                Counters.MACHINE_STEAL_TICKS,
                grown.of(Counters.MACHINE_BUSY_TICKS) * random.nextDouble());
        grown.values.put(
                Counters.SERVER_CPU_NS, grown.of(Counters.MEASURED_NS) * random.nextDouble());
        // Of a machine that does more for others there is no cost.
        grown.values.put(
                Counters.FOREIGN_CPU_NS, grown.of(Counters.SERVER_CPU_NS) * random.nextDouble());
        Scenario.Repeat measured = new Scenario.Repeat(grown.repeat());
        Map<String, Double> byHand = byHand(grown);
        assertThat(byHand.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Figure.OF_REPEATS.stream().map(Column::key).toList());
        for (Column figure : Figure.OF_REPEATS) {
            double expected = Objects.requireNonNull(byHand.get(figure.key()));
            assertThat(measured.get(figure))
                    .as("%s, seed %d", figure.key(), seed)
                    .isCloseTo(expected, within(1e-9 * Math.abs(expected)));
        }
    }

    private static Map<String, Double> byHand(Grown grown) {
        double seconds = grown.of(Counters.MEASURED_NS) * 1e-9;
        double messages = grown.of(Counters.ACCEPTED_MSGS);
        double bytes = grown.of(Counters.ACCEPTED_BYTES);
        Map<String, Double> all = new HashMap<>();
        all.put("measured_s", seconds);
        all.put("throughput_msgs_per_s", messages / seconds);
        double machine = 50;
        double driver = 10 / CORES;
        all.put("machine_cpu_percent", machine);
        all.put("driver_cpu_percent", driver);
        all.put("cpu_percent", machine - driver);
        // A core that ran 50 ticks of 10 ms ran at 2,600 MHz for half a second.
        all.put(
                "cpu_clock_mhz",
                grown.of(Counters.CLOCK_MCYCLES) / (grown.of(Counters.CLOCK_TICKS) * 10e-3));
        double steal =
                grown.of(Counters.MACHINE_STEAL_TICKS) * 50 / grown.of(Counters.MACHINE_BUSY_TICKS);
        all.put("steal_percent", steal);
        double nanos = grown.of(Counters.MEASURED_NS) * CORES;
        all.put("foreign_cpu_percent", grown.of(Counters.FOREIGN_CPU_NS) / nanos * 100);
        all.put("throttled_percent", grown.of(Counters.THROTTLED_NS) * 1e-7 / seconds);
        // Cores busy at all, for that long, at that clock: over the messages, in millions.
        double cycles = (machine - driver) * 1e-2 * CORES * seconds * MHZ * 1e6;
        all.put("cpu_cost_mcycles_per_msg", cycles / messages / 1e6);
        all.put("mean_message_bytes", bytes / messages);
        all.put("cpu_cost_cycles_per_msg_byte", cycles / bytes);
        double serverSeconds = grown.of(Counters.SERVER_CPU_NS) * 1e-9;
        all.put("server_cpu_us_per_msg", serverSeconds * 1e6 / messages);
        all.put("cpu_cost_process_mcycles_per_msg", serverSeconds * MHZ / messages);
        volume(
                all,
                "log",
                seconds,
                grown.of(Counters.LOG_WRITES),
                grown.of(Counters.LOG_READS),
                grown.of(Counters.LOG_WRITTEN_BYTES),
                grown.of(Counters.LOG_WRITE_MS),
                grown.of(Counters.LOG_WEIGHTED_MS),
                messages,
                bytes);
        volume(
                all,
                "queue",
                seconds,
                grown.of(Counters.QUEUE_WRITES),
                grown.of(Counters.QUEUE_READS),
                grown.of(Counters.QUEUE_WRITTEN_BYTES),
                grown.of(Counters.QUEUE_WRITE_MS),
                grown.of(Counters.QUEUE_WEIGHTED_MS),
                messages,
                bytes);
        all.put("log_flushes_per_msg", grown.of(Counters.LOG_FLUSHES) / messages);
        all.put("syncs_per_msg", grown.of(Counters.LOG_SYNCS) / messages);
        all.put(
                "msgs_per_group_mean",
                grown.of(Counters.HUB_ACCEPTED_MSGS) / grown.of(Counters.HUB_GROUPS));
        all.put("checkpoints", grown.of(Counters.HUB_CHECKPOINTS));
        return all;
    }

    private static void volume(
            Map<String, Double> all,
            String name,
            double seconds,
            double writes,
            double reads,
            double written,
            double writeMillis,
            double weightedMillis,
            double messages,
            double bytes) {
        all.put(name + "_writes_per_s", writes / seconds);
        all.put(name + "_reads_per_s", reads / seconds);
        all.put(name + "_writes_per_msg", writes / messages);
        all.put("avg_" + name + "_write_latency_ms", writeMillis / writes);
        all.put("avg_" + name + "_disk_queue_length", weightedMillis * 1e-3 / seconds);
        all.put(name + "_bytes_per_accepted_byte", written / bytes);
    }

    /** Of a server of which nothing is known the driver's machine says nothing, unless it is another one. */
    @Test
    void theMachineOfAnUnknownServerIsNotThatOfTheDriver() {
        Repeat.Builder counted = Repeat.counted()
                .count(Counters.MACHINE_BUSY_TICKS, 50)
                .count(Counters.MACHINE_TOTAL_TICKS, 100)
                .count(Counters.DRIVER_CPU_NS, 1e9)
                .count(Counters.MEASURED_NS, 10e9)
                .count(Counters.ACCEPTED_MSGS, 1)
                .count(Counters.DRIVER_CORES, 1);
        Repeat here = counted.count(Counters.DRIVER_ON_MACHINE, 1).made();
        assertThat(Figure.CPU_PERCENT.value(here)).isNaN();
        assertThat(Figure.CPU_PERCENT.value(
                        counted.count(Counters.DRIVER_ON_MACHINE, 0).made()))
                .isEqualTo(50);
        Repeat known = counted.count(Counters.DRIVER_ON_MACHINE, 1)
                .count(Counters.SERVER_CPU_NS, 1e9)
                .made();
        assertThat(Figure.CPU_PERCENT.value(known)).isEqualTo(40);
    }

    @Test
    void formulasAreSaidAsTheyAreComputed() {
        assertThat(Figure.CPU_PERCENT.words())
                .isEqualTo(
                        "CPU of the whole machine - driver on machine x CPU of the load driver at least 0"
                                + " where (Server CPU time is known + (1 - driver on machine))");
        assertThat(Figure.LOG_WRITES_PER_S.words()).isEqualTo("log writes / Measured time");
    }

    @Test
    void whatIsMadeOfTheUnknownIsUnknown() {
        Repeat counted = Repeat.counted().count(Counters.MEASURED_NS, 1e9).made();
        assertThat(Figure.OF_REPEATS.stream()
                        .filter(figure -> Double.isFinite(figure.value(counted))))
                .containsExactly(Figure.MEASURED_S);
    }
}
