package org.hubmark.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Proves every figure of the catalogue by a second computation, written down without looking at the
 * first: of random counters, by hand. And that the formula which is shown names what is computed.
 */
class FigureTest {
    private static final double CORES = 4;
    private static final double MHZ = 2600;

    private record Grown(Map<Counter, Double> values) {
        double of(Counter counter) {
            return Objects.requireNonNull(values.get(counter));
        }
    }

    @Test
    void everyFigureIsWhatASecondComputationGives() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Grown grown = new Grown(new EnumMap<>(Counter.class));
        for (Counter counter : Counter.values()) {
            grown.values.put(counter, 1.0 + random.nextInt(1_000_000));
        }
        // The machine is busier than the driver.
        grown.values.put(Counter.MACHINE_TOTAL_TICKS, 2 * grown.of(Counter.MACHINE_BUSY_TICKS));
        grown.values.put(Counter.DRIVER_CPU_NS, grown.of(Counter.MEASURED_NS) / 10);
        grown.values.put(Counter.CLOCK_MCYCLES, MHZ * grown.of(Counter.CLOCK_TICKS) / 100);
        // Of the rest, 47.5 %, something is left for processes of others, in most cases.
        grown.values.put(
                Counter.MACHINE_STEAL_TICKS,
                grown.of(Counter.MACHINE_BUSY_TICKS) * random.nextDouble());
        grown.values.put(
                Counter.SERVER_CPU_NS, grown.of(Counter.MEASURED_NS) * random.nextDouble());
        grown.values.put(
                Counter.KERNEL_CPU_NS, grown.of(Counter.MEASURED_NS) * random.nextDouble() / 4);
        Measured measured = Measured.of(input -> known(input, grown));
        Map<String, Double> byHand = byHand(grown);
        assertThat(byHand.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Set.of(Figure.values()).stream().map(Figure::key).toList());
        for (Figure figure : Figure.values()) {
            double expected = Objects.requireNonNull(byHand.get(figure.key()));
            assertThat(measured.get(figure))
                    .as("%s, seed %d", figure, seed)
                    .isCloseTo(expected, within(1e-9 * Math.abs(expected)));
        }
    }

    private static Map<String, Double> byHand(Grown grown) {
        double seconds = grown.of(Counter.MEASURED_NS) * 1e-9;
        double messages = grown.of(Counter.ACCEPTED_MSGS);
        double bytes = grown.of(Counter.ACCEPTED_BYTES);
        Map<String, Double> all = new HashMap<>();
        all.put("measured_s", seconds);
        all.put("throughput_msgs_per_s", messages / seconds);
        all.put("sent_msgs_per_s", grown.of(Counter.SENT_MSGS) / seconds);
        double machine = 50;
        double driver = 10 / CORES;
        all.put("machine_cpu_percent", machine);
        all.put("driver_cpu_percent", driver);
        all.put("driver_cpu_us_per_msg", grown.of(Counter.DRIVER_CPU_NS) / (messages * 1e3));
        all.put("cpu_percent", machine - driver);
        // A core that ran 50 ticks of 10 ms ran at 2,600 MHz for half a second.
        all.put(
                "cpu_clock_mhz",
                grown.of(Counter.CLOCK_MCYCLES) / (grown.of(Counter.CLOCK_TICKS) * 10e-3));
        double steal =
                grown.of(Counter.MACHINE_STEAL_TICKS) * 50 / grown.of(Counter.MACHINE_BUSY_TICKS);
        all.put("steal_percent", steal);
        double nanos = grown.of(Counter.MEASURED_NS) * CORES;
        double server = grown.of(Counter.SERVER_CPU_NS) / nanos * 100;
        double kernel = grown.of(Counter.KERNEL_CPU_NS) / nanos * 100;
        double foreign = machine - steal - driver - server - kernel;
        all.put("foreign_cpu_percent", foreign < 0 ? 0 : foreign);
        // Cores busy at all, for that long, at that clock: over the messages, in millions.
        double cycles = (machine - driver) * 1e-2 * CORES * seconds * MHZ * 1e6;
        all.put("cpu_cost_mcycles_per_msg", cycles / messages / 1e6);
        all.put("mean_message_bytes", bytes / messages);
        all.put("cpu_cost_cycles_per_msg_byte", cycles / bytes);
        double serverSeconds = grown.of(Counter.SERVER_CPU_NS) * 1e-9;
        all.put("server_cpu_us_per_msg", serverSeconds * 1e6 / messages);
        all.put("cpu_cost_process_mcycles_per_msg", serverSeconds * MHZ / messages);
        volume(
                all,
                "log",
                seconds,
                grown.of(Counter.LOG_WRITES),
                grown.of(Counter.LOG_READS),
                grown.of(Counter.LOG_WRITTEN_BYTES),
                grown.of(Counter.LOG_WRITE_MS),
                grown.of(Counter.LOG_WEIGHTED_MS),
                messages,
                bytes);
        volume(
                all,
                "queue",
                seconds,
                grown.of(Counter.QUEUE_WRITES),
                grown.of(Counter.QUEUE_READS),
                grown.of(Counter.QUEUE_WRITTEN_BYTES),
                grown.of(Counter.QUEUE_WRITE_MS),
                grown.of(Counter.QUEUE_WEIGHTED_MS),
                messages,
                bytes);
        all.put("syncs_per_msg", grown.of(Counter.LOG_SYNCS) / messages);
        all.put(
                "msgs_per_group_mean",
                grown.of(Counter.HUB_ACCEPTED_MSGS) / grown.of(Counter.HUB_GROUPS));
        all.put("checkpoints", grown.of(Counter.HUB_CHECKPOINTS));
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

    private static Double known(Input input, Grown grown) {
        return switch (input) {
            case Counter counter -> grown.of(counter);
            case Input.Fact fact ->
                switch (fact) {
                    case LOGICAL_CORES, DRIVER_CORES -> CORES;
                    case DRIVER_ON_MACHINE -> 1.0;
                };
            case Figure figure -> throw new AssertionError(figure + " is made, not asked for");
        };
    }

    @ParameterizedTest
    @EnumSource
    void aShownFormulaNamesTheInputsThatAreUsed(Figure figure) {
        Set<String> used = new TreeSet<>();
        double value = figure.computed().applyAsDouble(new Figure.Inputs() {
            @Override
            public double get(Input input) {
                used.add(input.key());
                return 2;
            }

            @Override
            public boolean isKnown(Input input) {
                return true;
            }
        });
        assertThat(value).isFinite();
        Set<String> shown = new TreeSet<>();
        Pattern.compile("\\{([a-z_]+)}")
                .matcher(figure.shown())
                .results()
                .forEach(match -> shown.add(match.group(1)));
        assertThat(shown).isEqualTo(used);
    }

    @Test
    void whatIsMadeOfTheUnknownIsUnknown() {
        Measured measured = Measured.of(input -> input == Counter.MEASURED_NS ? 1e9 : null);
        assertThat(measured.known()).containsOnlyKeys(Figure.MEASURED_S);
    }
}
