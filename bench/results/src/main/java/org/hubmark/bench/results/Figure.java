package org.hubmark.bench.results;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The catalogue of the figures that are made of counters: key, unit, label, formula, each stated here
 * and nowhere else. What is measured live, results.json, the check of it, the tables, the unfolding in
 * the report, the steps, the cost models and the comparison all read it. A scenario has the median over
 * its repeats of what is made of counters, and makes of those what is made of other figures. A constant
 * stands after those that it is made of. docs/measurement.md explains the formulas; tests compute each a
 * second time by hand.
 */
@SuppressWarnings("ImmutableEnumChecker") // Neither a label nor a formula has anything to change.
public enum Figure implements Input {
    MEASURED_S("s", null, "{measured_ns} / 1000000000", in -> in.get(Counter.MEASURED_NS) / 1e9),
    THROUGHPUT_MSGS_PER_S(
            "msg/s",
            null,
            "{accepted_msgs} / {measured_s}",
            in -> in.get(Counter.ACCEPTED_MSGS) / in.get(MEASURED_S)),
    /** Of steps only. */
    SENT_MSGS_PER_S(
            "msg/s",
            null,
            "{sent_msgs} / {measured_s}",
            in -> in.get(Counter.SENT_MSGS) / in.get(MEASURED_S)),
    /** The mean over the measured time, of the cores while they were busy. */
    CPU_CLOCK_MHZ(
            "MHz",
            new Label("CPU clock, busy cores (MHz)", 0),
            "100 x {clock_mcycles} / {clock_ticks}",
            in -> 100 * in.get(Counter.CLOCK_MCYCLES) / in.get(Counter.CLOCK_TICKS)),
    SERVER_CPU_US_PER_MSG(
            "us/message",
            new Label("Server CPU time (us/msg)", 1),
            "{server_cpu_ns} / 1000 / {accepted_msgs}",
            in -> in.get(Counter.SERVER_CPU_NS) / 1e3 / in.get(Counter.ACCEPTED_MSGS)),
    /** The server's process alone. */
    CPU_COST_PROCESS_MCYCLES_PER_MSG(
            "MCycles/message",
            new Label("Msg Cost, server only (MCyc/msg)", 3),
            "{server_cpu_us_per_msg} x {cpu_clock_mhz} / 1000000",
            in -> in.get(SERVER_CPU_US_PER_MSG) * in.get(CPU_CLOCK_MHZ) / 1e6),
    MACHINE_CPU_PERCENT(
            "%",
            new Label("%CPU, whole machine", 2),
            "100 x {machine_busy_ticks} / {machine_total_ticks}",
            in -> 100 * in.get(Counter.MACHINE_BUSY_TICKS) / in.get(Counter.MACHINE_TOTAL_TICKS)),
    DRIVER_CPU_PERCENT(
            "%",
            new Label("%CPU, load driver", 2),
            "100 x {driver_cpu_ns} / ({measured_ns} x {driver_cores})",
            in -> 100
                    * in.get(Counter.DRIVER_CPU_NS)
                    / (in.get(Counter.MEASURED_NS) * in.get(Fact.DRIVER_CORES))),
    DRIVER_CPU_US_PER_MSG(
            "us/message",
            new Label("Driver CPU time (us/msg)", 1),
            "{driver_cpu_percent} / 100 x {driver_cores} x 1000000 / {throughput_msgs_per_s}",
            in -> in.get(DRIVER_CPU_PERCENT)
                    / 100
                    * in.get(Fact.DRIVER_CORES)
                    * 1e6
                    / in.get(THROUGHPUT_MSGS_PER_S)),
    /** What a hypervisor ran instead, of all cores. */
    STEAL_PERCENT(
            "%",
            new Label("%CPU, stolen by the hypervisor", 2),
            "100 x {machine_steal_ticks} / {machine_total_ticks}",
            in -> 100 * in.get(Counter.MACHINE_STEAL_TICKS) / in.get(Counter.MACHINE_TOTAL_TICKS)),
    /** Of all cores: processes that are neither server nor driver. */
    FOREIGN_CPU_PERCENT(
            "%",
            new Label("%CPU, other processes", 2),
            "{machine_cpu_percent} - {steal_percent} - {driver_on_machine} x {driver_cpu_percent}"
                    + " - 100 x ({server_cpu_ns} + {kernel_cpu_ns}) / ({measured_ns} x"
                    + " {logical_cores}), at least 0",
            in -> Math.max(
                    0,
                    in.get(MACHINE_CPU_PERCENT)
                            - in.get(STEAL_PERCENT)
                            - in.get(Fact.DRIVER_ON_MACHINE) * in.get(DRIVER_CPU_PERCENT)
                            - 100
                                    * (in.get(Counter.SERVER_CPU_NS)
                                            + in.get(Counter.KERNEL_CPU_NS))
                                    / (in.get(Counter.MEASURED_NS) * in.get(Fact.LOGICAL_CORES)))),
    /**
     * Of all cores: the whole machine of the server, less the driver where it runs there too. Of a server
     * of which only the driver's machine is known it is unknown.
     */
    CPU_PERCENT(
            "%",
            null,
            "{machine_cpu_percent} - {driver_on_machine} x {driver_cpu_percent}, at least 0",
            in -> in.isKnown(SERVER_CPU_US_PER_MSG) || in.get(Fact.DRIVER_ON_MACHINE) == 0
                    ? Math.max(
                            0,
                            in.get(MACHINE_CPU_PERCENT)
                                    - in.get(Fact.DRIVER_ON_MACHINE) * in.get(DRIVER_CPU_PERCENT))
                    : Double.NaN),
    /** Content of what was accepted, as it went over the wire. */
    MEAN_MESSAGE_BYTES(
            "bytes",
            null,
            "{accepted_bytes} / {accepted_msgs}",
            in -> in.get(Counter.ACCEPTED_BYTES) / in.get(Counter.ACCEPTED_MSGS)),
    /** Of the same as {@link #CPU_PERCENT}. */
    CPU_COST_MCYCLES_PER_MSG(
            "MCycles/message",
            null,
            "{cpu_percent} / 100 x {logical_cores} x {cpu_clock_mhz} / {throughput_msgs_per_s}",
            in -> in.get(CPU_PERCENT)
                    / 100
                    * in.get(Fact.LOGICAL_CORES)
                    * in.get(CPU_CLOCK_MHZ)
                    / in.get(THROUGHPUT_MSGS_PER_S)),
    CPU_COST_CYCLES_PER_MSG_BYTE(
            "cycles/byte",
            null,
            "{cpu_cost_mcycles_per_msg} x 1000000 / {mean_message_bytes}",
            in -> in.get(CPU_COST_MCYCLES_PER_MSG) * 1e6 / in.get(MEAN_MESSAGE_BYTES)),
    LOG_WRITES_PER_S(
            "writes/s",
            null,
            "{log_writes} / {measured_s}",
            in -> in.get(Counter.LOG_WRITES) / in.get(MEASURED_S)),
    LOG_READS_PER_S(
            "reads/s",
            null,
            "{log_reads} / {measured_s}",
            in -> in.get(Counter.LOG_READS) / in.get(MEASURED_S)),
    AVG_LOG_DISK_QUEUE_LENGTH(
            "requests",
            null,
            "{log_weighted_ms} / ({measured_s} x 1000)",
            in -> in.get(Counter.LOG_WEIGHTED_MS) / (in.get(MEASURED_S) * 1e3)),
    QUEUE_WRITES_PER_S(
            "writes/s",
            null,
            "{queue_writes} / {measured_s}",
            in -> in.get(Counter.QUEUE_WRITES) / in.get(MEASURED_S)),
    QUEUE_READS_PER_S(
            "reads/s",
            null,
            "{queue_reads} / {measured_s}",
            in -> in.get(Counter.QUEUE_READS) / in.get(MEASURED_S)),
    AVG_QUEUE_DISK_QUEUE_LENGTH(
            "requests",
            null,
            "{queue_weighted_ms} / ({measured_s} x 1000)",
            in -> in.get(Counter.QUEUE_WEIGHTED_MS) / (in.get(MEASURED_S) * 1e3)),
    LOG_WRITES_PER_MSG(
            "writes/message",
            new Label("Disk Writes/msg (log), finer", 4),
            "{log_writes_per_s} / {throughput_msgs_per_s}",
            in -> in.get(LOG_WRITES_PER_S) / in.get(THROUGHPUT_MSGS_PER_S)),
    QUEUE_WRITES_PER_MSG(
            "writes/message",
            new Label("Disk Writes/msg (queue), finer", 4),
            "{queue_writes_per_s} / {throughput_msgs_per_s}",
            in -> in.get(QUEUE_WRITES_PER_S) / in.get(THROUGHPUT_MSGS_PER_S)),
    AVG_LOG_WRITE_LATENCY_MS(
            "ms",
            new Label("Avg msec/write (log), finer", 3),
            "{log_write_ms} / {log_writes}",
            in -> in.get(Counter.LOG_WRITE_MS) / in.get(Counter.LOG_WRITES)),
    AVG_QUEUE_WRITE_LATENCY_MS(
            "ms",
            new Label("Avg msec/write (queue), finer", 3),
            "{queue_write_ms} / {queue_writes}",
            in -> in.get(Counter.QUEUE_WRITE_MS) / in.get(Counter.QUEUE_WRITES)),
    LOG_BYTES_PER_ACCEPTED_BYTE(
            "bytes/byte",
            new Label("Bytes written/byte (log)", 3),
            "{log_written_bytes} / {accepted_bytes}",
            in -> in.get(Counter.LOG_WRITTEN_BYTES) / in.get(Counter.ACCEPTED_BYTES)),
    QUEUE_BYTES_PER_ACCEPTED_BYTE(
            "bytes/byte",
            new Label("Bytes written/byte (queue)", 3),
            "{queue_written_bytes} / {accepted_bytes}",
            in -> in.get(Counter.QUEUE_WRITTEN_BYTES) / in.get(Counter.ACCEPTED_BYTES)),
    SYNCS_PER_MSG(
            "syncs/message",
            new Label("Syncs/msg", 4),
            "{log_syncs} / {accepted_msgs}",
            in -> in.get(Counter.LOG_SYNCS) / in.get(Counter.ACCEPTED_MSGS)),
    MSGS_PER_GROUP_MEAN(
            "messages",
            new Label("Messages/group, mean", 2),
            "{hub_accepted_msgs} / {hub_groups}",
            in -> in.get(Counter.HUB_ACCEPTED_MSGS) / in.get(Counter.HUB_GROUPS)),
    /** That ended in the measured time. */
    CHECKPOINTS(
            "checkpoints",
            new Label("Checkpoints in the measured time", 0),
            "{hub_checkpoints}",
            in -> in.get(Counter.HUB_CHECKPOINTS));

    /** The figures of a repeat and of a scenario, as results.json has them. */
    public static final List<Figure> OF_REPEATS =
            Arrays.stream(values()).filter(figure -> figure != SENT_MSGS_PER_S).toList();

    private static final Pattern INPUT = Pattern.compile("\\{([a-z_0-9]+)}");

    private final String unit;
    private final @Nullable Label label;
    private final String shown;
    private final ToDoubleFunction<Inputs> computed;

    /**
     * The words before a row of a table.
     *
     * @param text with the unit
     * @param decimals digits after the point
     */
    public record Label(String text, int decimals) {}

    /** Gives the inputs of a formula; an unknown input yields NaN, and so does its figure. */
    @FunctionalInterface
    public interface Inputs {
        /** {@return it, or NaN} */
        double get(Input input);

        /** {@return whether it is a number} */
        default boolean isKnown(Input input) {
            return !Double.isNaN(get(input));
        }
    }

    Figure(String unit, @Nullable Label label, String shown, ToDoubleFunction<Inputs> computed) {
        this.unit = unit;
        this.label = label;
        this.shown = shown;
        this.computed = computed;
    }

    /** {@return the figure of that key, if it is made of counters} */
    public static Optional<Figure> of(String key) {
        return Arrays.stream(values()).filter(one -> one.key().equals(key)).findFirst();
    }

    /** {@return what it is counted in} */
    public String unit() {
        return unit;
    }

    /** {@return whether it is what a message or an octet of one takes, however long that is counted} */
    public boolean ofOneMessage() {
        return unit.endsWith("/message") || unit.endsWith("/byte");
    }

    /** {@return what stands before it in a table; null where the published study has a row for it} */
    public @Nullable Label label() {
        return label;
    }

    ToDoubleFunction<Inputs> computed() {
        return computed;
    }

    /** {@return the formula, its inputs in braces by key} */
    public String shown() {
        return shown;
    }

    /**
     * {@return the figure; null if it can't be made of what is known}
     *
     * @param known counters and facts; figures are made of these
     */
    public @Nullable Double compute(Function<Input, @Nullable Double> known) {
        double value = number(known);
        return Double.isFinite(value) ? value : null;
    }

    /**
     * {@return the figure of a row, made of other figures of the row and of facts; null if it is made of
     * counters, or what it is made of isn't known}
     *
     * @param row figures and facts
     */
    public @Nullable Double ofRow(Function<Input, @Nullable Double> row) {
        if (!isMadeOfFigures()) {
            return null;
        }
        double value = computed.applyAsDouble(input -> orNaN(row.apply(input)));
        return Double.isFinite(value) ? value : null;
    }

    private boolean isMadeOfFigures() {
        return INPUT.matcher(shown)
                .results()
                .map(match -> Input.named(match.group(1)))
                .noneMatch(Counter.class::isInstance);
    }

    private double number(Function<Input, @Nullable Double> known) {
        return computed.applyAsDouble(input -> number(input, known));
    }

    private static double number(Input input, Function<Input, @Nullable Double> known) {
        return switch (input) {
            case Figure figure -> figure.number(known);
            case Counter counter -> orNaN(known.apply(counter));
            case Fact fact -> orNaN(known.apply(fact));
        };
    }

    private static double orNaN(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    /** {@return the formula with the names of its inputs} */
    public String inWords() {
        return INPUT.matcher(shown)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1).replace('_', ' ')));
    }

    /** {@return the formula with numbers in place of its inputs} */
    public String inNumbers(Function<Input, @Nullable Double> known) {
        return inNumbers(input -> number(input, known), shown);
    }

    /** {@return the same of a row, which has other figures themselves} */
    public String inNumbersOfRow(Function<Input, @Nullable Double> row) {
        return inNumbers(input -> orNaN(row.apply(input)), shown);
    }

    private static String inNumbers(ToDoubleFunction<Input> known, String formula) {
        return INPUT.matcher(formula).replaceAll(match -> {
            double value = known.applyAsDouble(Input.named(match.group(1)));
            return Double.isFinite(value) ? text(value) : "-";
        });
    }

    /** {@return up to 7 digits that count, and all before the point} */
    public static String text(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e18) {
            return BigDecimal.valueOf((long) value).toPlainString();
        }
        return new BigDecimal(value)
                .round(new MathContext(Math.abs(value) >= 1e6 ? 10 : 7))
                .stripTrailingZeros()
                .toPlainString();
    }
}
