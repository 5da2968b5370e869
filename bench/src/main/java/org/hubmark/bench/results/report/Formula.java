package org.hubmark.bench.results.report;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a figure of one repeat is made of the counters in samples.csv. What is shown and what is
 * computed stand side by side; a test proves that both use the same inputs.
 *
 * @param field the figure's name in results.json
 * @param shown the formula with its inputs in braces
 * @param computed the same; asks for its inputs by name
 */
record Formula(String field, String shown, ToDoubleFunction<Inputs> computed) {
    private static final Pattern INPUT = Pattern.compile("\\{([a-z_0-9]+)}");

    private static final Map<String, Formula> ALL = all();

    /** Gives the inputs of a formula; one that is not known ends the computation. */
    @FunctionalInterface
    interface Inputs {
        double get(String name);
    }

    /** An input is not known. */
    static final class UnknownInput extends RuntimeException {
        private static final long serialVersionUID = 1;

        private UnknownInput(String name) {
            super(name, null, false, false);
        }
    }

    /** {@return the formula of a figure, if it is made of counters} */
    static Optional<Formula> of(String field) {
        return Optional.ofNullable(ALL.get(field));
    }

    /** {@return the figures that are made of counters} */
    static List<String> fields() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * {@return the figure made anew, null if an input is not known}
     *
     * @param counters what is known by name; inputs that are figures themselves are made of these
     */
    @Nullable
    Double compute(Function<String, @Nullable Double> counters) {
        try {
            double value = computed.applyAsDouble(name -> input(name, counters));
            return Double.isFinite(value) ? value : null;
        } catch (UnknownInput e) {
            return null;
        }
    }

    /** {@return the formula with the names of its inputs} */
    String inWords() {
        return INPUT.matcher(shown)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1).replace('_', ' ')));
    }

    /** {@return the formula with numbers in place of its inputs} */
    String inNumbers(Function<String, @Nullable Double> counters) {
        return INPUT.matcher(shown).replaceAll(match -> {
            try {
                return number(input(match.group(1), counters));
            } catch (UnknownInput e) {
                return "-";
            }
        });
    }

    /** {@return up to 7 digits that count, and all before the point} */
    static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e18) {
            return BigDecimal.valueOf((long) value).toPlainString();
        }
        return new BigDecimal(value)
                .round(new MathContext(Math.abs(value) >= 1e6 ? 10 : 7))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static double input(String name, Function<String, @Nullable Double> counters) {
        // A row of samples.csv has figures of one second under some of the same names.
        Formula formula = ALL.get(name);
        Double value = formula == null ? counters.apply(name) : formula.compute(counters);
        if (value == null) {
            throw new UnknownInput(name);
        }
        return value;
    }

    private static Map<String, Formula> all() {
        Map<String, Formula> all = new LinkedHashMap<>();
        cpu(all);
        volume(all, "log");
        volume(all, "queue");
        add(
                all,
                "syncs_per_msg",
                "{log_syncs} / {accepted_msgs}",
                in -> in.get("log_syncs") / in.get("accepted_msgs"));
        add(
                all,
                "msgs_per_group_mean",
                "{hub_accepted_msgs} / {hub_groups}",
                in -> in.get("hub_accepted_msgs") / in.get("hub_groups"));
        return all;
    }

    private static void cpu(Map<String, Formula> all) {
        add(all, "measured_s", "{measured_ns} / 1000000000", in -> in.get("measured_ns") / 1e9);
        add(
                all,
                "throughput_msgs_per_s",
                "{accepted_msgs} / {measured_s}",
                in -> in.get("accepted_msgs") / in.get("measured_s"));
        add(
                all,
                "sent_msgs_per_s",
                "{sent_msgs} / {measured_s}",
                in -> in.get("sent_msgs") / in.get("measured_s"));
        add(
                all,
                "machine_cpu_percent",
                "100 x {machine_busy_ticks} / {machine_total_ticks}",
                in -> 100 * in.get("machine_busy_ticks") / in.get("machine_total_ticks"));
        add(
                all,
                "driver_cpu_percent",
                "100 x {driver_cpu_ns} / ({measured_ns} x {logical_cores})",
                in -> 100
                        * in.get("driver_cpu_ns")
                        / (in.get("measured_ns") * in.get("logical_cores")));
        add(
                all,
                "cpu_percent",
                "{machine_cpu_percent} - {driver_cpu_percent}, at least 0",
                in -> Math.max(0, in.get("machine_cpu_percent") - in.get("driver_cpu_percent")));
        add(
                all,
                "cpu_cost_mcycles_per_msg",
                "{cpu_percent} / 100 x {logical_cores} x {cpu_clock_mhz} / {throughput_msgs_per_s}",
                in -> in.get("cpu_percent")
                        / 100
                        * in.get("logical_cores")
                        * in.get("cpu_clock_mhz")
                        / in.get("throughput_msgs_per_s"));
        add(
                all,
                "cpu_cost_cycles_per_msg_byte",
                "{cpu_cost_mcycles_per_msg} x 1000000 / ({accepted_bytes} / {accepted_msgs})",
                in -> in.get("cpu_cost_mcycles_per_msg")
                        * 1e6
                        / (in.get("accepted_bytes") / in.get("accepted_msgs")));
        add(
                all,
                "server_cpu_us_per_msg",
                "{server_cpu_ns} / 1000 / {accepted_msgs}",
                in -> in.get("server_cpu_ns") / 1e3 / in.get("accepted_msgs"));
        add(
                all,
                "cpu_cost_process_mcycles_per_msg",
                "{server_cpu_us_per_msg} x {cpu_clock_mhz} / 1000000",
                in -> in.get("server_cpu_us_per_msg") * in.get("cpu_clock_mhz") / 1e6);
    }

    private static void volume(Map<String, Formula> all, String volume) {
        String writes = volume + "_writes";
        String reads = volume + "_reads";
        String bytes = volume + "_written_bytes";
        String writeMillis = volume + "_write_ms";
        String weightedMillis = volume + "_weighted_ms";
        add(
                all,
                writes + "_per_s",
                "{" + writes + "} / {measured_s}",
                in -> in.get(writes) / in.get("measured_s"));
        add(
                all,
                reads + "_per_s",
                "{" + reads + "} / {measured_s}",
                in -> in.get(reads) / in.get("measured_s"));
        add(
                all,
                writes + "_per_msg",
                "{" + writes + "} / {accepted_msgs}",
                in -> in.get(writes) / in.get("accepted_msgs"));
        add(
                all,
                "avg_" + volume + "_write_latency_ms",
                "{" + writeMillis + "} / {" + writes + "}",
                in -> in.get(writeMillis) / in.get(writes));
        add(
                all,
                "avg_" + volume + "_disk_queue_length",
                "{" + weightedMillis + "} / ({measured_s} x 1000)",
                in -> in.get(weightedMillis) / (in.get("measured_s") * 1e3));
        add(
                all,
                volume + "_bytes_per_accepted_byte",
                "{" + bytes + "} / {accepted_bytes}",
                in -> in.get(bytes) / in.get("accepted_bytes"));
    }

    private static void add(
            Map<String, Formula> all,
            String field,
            String shown,
            ToDoubleFunction<Inputs> computed) {
        all.put(field, new Formula(field, shown, computed));
    }
}
