package org.hubmark.bench.mail.document;

import static org.hubmark.bench.mail.document.Counters.ACCEPTED_BYTES;
import static org.hubmark.bench.mail.document.Counters.ACCEPTED_MSGS;
import static org.hubmark.bench.mail.document.Counters.ALL_ACCEPTED_MSGS;
import static org.hubmark.bench.mail.document.Counters.ALL_DELIVERED_MSGS;
import static org.hubmark.bench.mail.document.Counters.ALL_FAILED_MSGS;
import static org.hubmark.bench.mail.document.Counters.ALL_LEFT_MSGS;
import static org.hubmark.bench.mail.document.Counters.ALL_LOST_MSGS;
import static org.hubmark.bench.mail.document.Counters.ALL_REFUSED_MSGS;
import static org.hubmark.bench.mail.document.Counters.ALL_SENT_MSGS;
import static org.hubmark.bench.mail.document.Counters.CLOCK_MCYCLES;
import static org.hubmark.bench.mail.document.Counters.CLOCK_TICKS;
import static org.hubmark.bench.mail.document.Counters.DRIVER_CORES;
import static org.hubmark.bench.mail.document.Counters.DRIVER_CPU_NS;
import static org.hubmark.bench.mail.document.Counters.DRIVER_ON_MACHINE;
import static org.hubmark.bench.mail.document.Counters.FOREIGN_CPU_NS;
import static org.hubmark.bench.mail.document.Counters.HUB_ACCEPTED_MSGS;
import static org.hubmark.bench.mail.document.Counters.HUB_CHECKPOINTS;
import static org.hubmark.bench.mail.document.Counters.HUB_GROUPS;
import static org.hubmark.bench.mail.document.Counters.LOGICAL_CORES;
import static org.hubmark.bench.mail.document.Counters.LOG_FLUSHES;
import static org.hubmark.bench.mail.document.Counters.LOG_READS;
import static org.hubmark.bench.mail.document.Counters.LOG_SYNCS;
import static org.hubmark.bench.mail.document.Counters.LOG_WEIGHTED_MS;
import static org.hubmark.bench.mail.document.Counters.LOG_WRITES;
import static org.hubmark.bench.mail.document.Counters.LOG_WRITE_MS;
import static org.hubmark.bench.mail.document.Counters.LOG_WRITTEN_BYTES;
import static org.hubmark.bench.mail.document.Counters.MACHINE_BUSY_TICKS;
import static org.hubmark.bench.mail.document.Counters.MACHINE_STEAL_TICKS;
import static org.hubmark.bench.mail.document.Counters.MACHINE_TOTAL_TICKS;
import static org.hubmark.bench.mail.document.Counters.MEASURED_NS;
import static org.hubmark.bench.mail.document.Counters.QUEUE_MAX_BYTES;
import static org.hubmark.bench.mail.document.Counters.QUEUE_MAX_MSGS;
import static org.hubmark.bench.mail.document.Counters.QUEUE_READS;
import static org.hubmark.bench.mail.document.Counters.QUEUE_WEIGHTED_MS;
import static org.hubmark.bench.mail.document.Counters.QUEUE_WRITES;
import static org.hubmark.bench.mail.document.Counters.QUEUE_WRITE_MS;
import static org.hubmark.bench.mail.document.Counters.QUEUE_WRITTEN_BYTES;
import static org.hubmark.bench.mail.document.Counters.SERVER_CPU_NS;
import static org.hubmark.bench.mail.document.Counters.THROTTLED_NS;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Constant;
import org.hubmark.bench.kit.document.Formula.Place;
import org.hubmark.bench.kit.document.Times;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The catalogue of the figures that are made of counters, each stated here and nowhere else. What is
 * measured live, results.json, the check of it, the tables, the unfolding in the report and
 * the comparison all read it. A constant stands after those that it is made of.
 * docs/measurement.md explains the formulas; a test computes each a second time by hand.
 */
public final class Figure {
    private static final Formula HUNDRED = new Constant(100);

    private static final List<Column> ADDED = new ArrayList<>();

    public static final Column MEASURED_S =
            figure("measured_s", "s", "Measured time", 2, MEASURED_NS.over(1e9));

    public static final Column THROUGHPUT_MSGS_PER_S = add(Column.of(
            "throughput_msgs_per_s",
            "msg/s",
            "Throughput",
            2,
            Better.MORE,
            ACCEPTED_MSGS.over(MEASURED_S.asInput())));

    /** The mean over the measured time, of the cores while they were busy. */
    public static final Column CPU_CLOCK_MHZ = figure(
            "cpu_clock_mhz",
            "MHz",
            "CPU clock of busy cores",
            0,
            HUNDRED.times(CLOCK_MCYCLES).over(CLOCK_TICKS));

    public static final Column SERVER_CPU_US_PER_MSG = perMsg(
            "server_cpu_us_per_msg", "us/msg", "Server CPU time", 1, SERVER_CPU_NS.over(1000));

    /** The server's process alone, which other programs on the machine disturb least. */
    public static final Column CPU_COST_PROCESS_MCYCLES_PER_MSG = lessOfRow(
            "cpu_cost_process_mcycles_per_msg",
            "MCyc/msg",
            "Msg Cost, server only",
            3,
            SERVER_CPU_US_PER_MSG.asInput().times(CPU_CLOCK_MHZ.asInput()).over(1e6));

    public static final Column MACHINE_CPU_PERCENT = percent(
            "machine_cpu_percent",
            "CPU of the whole machine",
            MACHINE_BUSY_TICKS,
            MACHINE_TOTAL_TICKS);

    public static final Column DRIVER_CPU_PERCENT = percent(
            "driver_cpu_percent",
            "CPU of the load driver",
            DRIVER_CPU_NS,
            MEASURED_NS.times(DRIVER_CORES));

    /** What a hypervisor ran instead, of all cores. */
    public static final Column STEAL_PERCENT = percent(
            "steal_percent",
            "CPU stolen by the hypervisor",
            MACHINE_STEAL_TICKS,
            MACHINE_TOTAL_TICKS);

    /** CPU of processes other than server and driver, of all cores. */
    public static final Column FOREIGN_CPU_PERCENT = percent(
            "foreign_cpu_percent",
            "CPU of other processes",
            FOREIGN_CPU_NS,
            MEASURED_NS.times(LOGICAL_CORES));

    /** Time in which a control group with a limit had work and had used up its share. */
    public static final Column THROTTLED_PERCENT = percent(
            "throttled_percent", "CPU limit reached, of the time", THROTTLED_NS, MEASURED_NS);

    /**
     * CPU of all cores of the server's machine, less the driver if it runs there too. Unknown if
     * only the driver's machine is known.
     */
    public static final Column CPU_PERCENT = ofRow(
            "cpu_percent",
            "%",
            "CPU, without the driver",
            2,
            MACHINE_CPU_PERCENT
                    .asInput()
                    .minus(DRIVER_ON_MACHINE.times(DRIVER_CPU_PERCENT.asInput()))
                    .atLeast(0)
                    .where(SERVER_CPU_US_PER_MSG
                            .asInput()
                            .isKnown()
                            .plus(new Constant(1).minus(DRIVER_ON_MACHINE))));

    /** Content of what was accepted, as it went over the wire. */
    public static final Column MEAN_MESSAGE_BYTES =
            perMsg("mean_message_bytes", "bytes", "Mean message", 0, ACCEPTED_BYTES);

    /** 0 where other processes took as much CPU as the server or more. */
    private static final Column SERVER_ABOVE_OTHERS = Column.of(
            "server_above_others_percent",
            "%",
            "CPU of the server above that of others",
            2,
            Better.NEITHER,
            HUNDRED.times(SERVER_CPU_NS.minus(FOREIGN_CPU_NS))
                    .over(MEASURED_NS.times(LOGICAL_CORES))
                    .atLeast(0));

    /**
     * Cycles of the same CPU time as {@link #CPU_PERCENT}. Where other processes took as much CPU as the
     * server or more, the cycles of the whole machine are no cost of a message.
     */
    public static final Column CPU_COST_MCYCLES_PER_MSG = ofRow(
            "cpu_cost_mcycles_per_msg",
            "MCyc/msg",
            "Msg Cost",
            3,
            CPU_PERCENT
                    .asInput()
                    .over(100)
                    .times(LOGICAL_CORES)
                    .times(CPU_CLOCK_MHZ.asInput())
                    .over(THROUGHPUT_MSGS_PER_S.asInput())
                    .where(SERVER_ABOVE_OTHERS.asInput()));

    public static final Column CPU_COST_CYCLES_PER_MSG_BYTE = ofRow(
            "cpu_cost_cycles_per_msg_byte",
            "cycles/byte",
            "Msg Cost a byte",
            2,
            CPU_COST_MCYCLES_PER_MSG.asInput().times(1e6).over(MEAN_MESSAGE_BYTES.asInput()));

    public static final Column LOG_WRITES_PER_S =
            perSecond("log_writes_per_s", "writes/s", "Log writes", LOG_WRITES);
    public static final Column LOG_READS_PER_S =
            perSecond("log_reads_per_s", "reads/s", "Log reads", LOG_READS);
    public static final Column AVG_LOG_DISK_QUEUE_LENGTH = perSecond(
            "avg_log_disk_queue_length",
            "requests",
            "Log disk queue, mean",
            LOG_WEIGHTED_MS.over(1000));
    public static final Column QUEUE_WRITES_PER_S =
            perSecond("queue_writes_per_s", "writes/s", "Queue writes", QUEUE_WRITES);
    public static final Column QUEUE_READS_PER_S =
            perSecond("queue_reads_per_s", "reads/s", "Queue reads", QUEUE_READS);
    public static final Column AVG_QUEUE_DISK_QUEUE_LENGTH = perSecond(
            "avg_queue_disk_queue_length",
            "requests",
            "Queue disk queue, mean",
            QUEUE_WEIGHTED_MS.over(1000));

    public static final Column LOG_WRITES_PER_MSG = lessOfRow(
            "log_writes_per_msg",
            "writes/msg",
            "Log writes",
            4,
            LOG_WRITES_PER_S.asInput().over(THROUGHPUT_MSGS_PER_S.asInput()));

    public static final Column QUEUE_WRITES_PER_MSG = lessOfRow(
            "queue_writes_per_msg",
            "writes/msg",
            "Queue writes",
            4,
            QUEUE_WRITES_PER_S.asInput().over(THROUGHPUT_MSGS_PER_S.asInput()));

    public static final Column AVG_LOG_WRITE_LATENCY_MS =
            mean("avg_log_write_latency_ms", "Mean log write", LOG_WRITE_MS, LOG_WRITES);

    public static final Column AVG_QUEUE_WRITE_LATENCY_MS =
            mean("avg_queue_write_latency_ms", "Mean queue write", QUEUE_WRITE_MS, QUEUE_WRITES);

    public static final Column LOG_FLUSHES_PER_MSG =
            perMsg("log_flushes_per_msg", "flushes/msg", "Log flushes", 4, LOG_FLUSHES);

    public static final Column LOG_BYTES_PER_ACCEPTED_BYTE = figure(
            "log_bytes_per_accepted_byte",
            "bytes/byte",
            "Log bytes written",
            3,
            LOG_WRITTEN_BYTES.over(ACCEPTED_BYTES));

    public static final Column QUEUE_BYTES_PER_ACCEPTED_BYTE = figure(
            "queue_bytes_per_accepted_byte",
            "bytes/byte",
            "Queue bytes written",
            3,
            QUEUE_WRITTEN_BYTES.over(ACCEPTED_BYTES));

    public static final Column SYNCS_PER_MSG =
            perMsg("syncs_per_msg", "syncs/msg", "Syncs", 4, LOG_SYNCS);

    public static final Column MSGS_PER_GROUP_MEAN = figure(
            "msgs_per_group_mean",
            "msgs/group",
            "Messages of a group, mean",
            2,
            HUB_ACCEPTED_MSGS.over(HUB_GROUPS));

    /** Checkpoints that ended in the measured time. */
    public static final Column CHECKPOINTS =
            figure("checkpoints", "", "Checkpoints in the measured time", 0, HUB_CHECKPOINTS);

    /** The figures of a repeat and of a scenario that are made of counters of the measured time: all above. */
    public static final List<Column> OF_REPEATS = List.copyOf(ADDED);

    public static final Column QUEUE_LENGTH_MAX = Column.of(
            "aggregate_queue_length_max_msgs",
            "msgs",
            "Longest queue",
            0,
            Better.NEITHER,
            QUEUE_MAX_MSGS);

    public static final Column QUEUE_SIZE_MAX = Column.of(
            "queue_size_max_mb",
            "MB",
            "Largest queue",
            2,
            Better.NEITHER,
            QUEUE_MAX_BYTES.over(1e6));

    /** From the intended start of a message to its answer. */
    public static final Times ACCEPT = new Times("latencies");

    /** From the actual send of a message to its answer, which hides waiting. */
    public static final Times UNCORRECTED = new Times("uncorrected_latencies");

    /** From acceptance to the end of delivery. */
    public static final Times IN_QUEUE = new Times("residence");

    /** Of the driver by its own fault, over all messages of a fixed rate. */
    public static final Times LATE = new Times("lateness");

    /** Accept latency of a repeat and of a scenario. */
    public static final List<Column> ACCEPT_LATENCY =
            latencies("accept_latency_ms", "Accept latency,", ACCEPT);

    /** The tail of these. */
    public static final Column ACCEPT_P95 = ACCEPT_LATENCY.get(2);

    /** What is slower than this is one in a hundred. */
    public static final Column ACCEPT_P99 = ACCEPT_LATENCY.get(3);

    /** Latency from the actual send, of the same. */
    public static final List<Column> UNCORRECTED_LATENCY =
            latencies("accept_latency_uncorrected_ms", "Uncorrected latency,", UNCORRECTED);

    /** Time in the queue: p50, p95, p99 and the largest. */
    public static final List<Column> RESIDENCE = ofAll(
            "queue_residence_ms",
            "Time in queue,",
            IN_QUEUE,
            Place.P50,
            Place.P95,
            Place.P99,
            Place.MAX);

    /** Lateness of the driver: p50, p99 and the largest. */
    public static final List<Column> LATENESS = ofAll(
            "driver_lateness_ms",
            "Driver late by its own fault,",
            LATE,
            Place.P50,
            Place.P99,
            Place.MAX);

    public static final Column SENT = sum("sent_msgs", "Messages sent", ALL_SENT_MSGS);
    public static final Column ACCEPTED =
            sum("accepted_msgs", "Messages accepted", ALL_ACCEPTED_MSGS);
    public static final Column REFUSED = sum("refused_msgs", "Messages refused", ALL_REFUSED_MSGS);
    public static final Column FAILED = sum("failed_msgs", "Messages failed", ALL_FAILED_MSGS);
    public static final Column DELIVERED =
            sum("delivered_msgs", "Messages delivered", ALL_DELIVERED_MSGS);
    public static final Column LEFT =
            sum("left_in_queue_msgs", "Messages left in queue", ALL_LEFT_MSGS);
    public static final Column LOST = sum("lost_msgs", "Messages lost", ALL_LOST_MSGS);

    /** What became of all messages. */
    public static final List<Column> ACCOUNTS =
            List.of(SENT, ACCEPTED, REFUSED, FAILED, DELIVERED, LEFT, LOST);

    /** What a message costs: what one wants to know first, beside the rate. */
    static final List<Column> FIRST = List.of(
            SERVER_CPU_US_PER_MSG,
            CPU_COST_PROCESS_MCYCLES_PER_MSG,
            CPU_COST_MCYCLES_PER_MSG,
            LOG_WRITES_PER_MSG,
            QUEUE_WRITES_PER_MSG);

    /** The figures of the published study, in its order, and what a message costs the server alone. */
    public static final List<Column> STUDY = List.of(
            THROUGHPUT_MSGS_PER_S,
            QUEUE_LENGTH_MAX,
            QUEUE_SIZE_MAX,
            CPU_PERCENT,
            CPU_COST_PROCESS_MCYCLES_PER_MSG,
            CPU_COST_MCYCLES_PER_MSG,
            CPU_COST_CYCLES_PER_MSG_BYTE,
            LOG_WRITES_PER_S,
            QUEUE_WRITES_PER_S,
            LOG_WRITES_PER_MSG,
            QUEUE_WRITES_PER_MSG,
            AVG_LOG_WRITE_LATENCY_MS,
            AVG_QUEUE_WRITE_LATENCY_MS,
            AVG_LOG_DISK_QUEUE_LENGTH,
            AVG_QUEUE_DISK_QUEUE_LENGTH,
            LOG_READS_PER_S,
            QUEUE_READS_PER_S);

    /** The figures of counters that are in neither. */
    static final List<Column> OTHERS = OF_REPEATS.stream()
            .filter(column -> !STUDY.contains(column) && !FIRST.contains(column))
            .toList();

    /** All that is made of times. */
    static final List<Column> TIMES = Stream.of(
                    ACCEPT_LATENCY, UNCORRECTED_LATENCY, RESIDENCE, LATENESS)
            .flatMap(List::stream)
            .toList();

    private Figure() {}

    private static List<Column> latencies(String key, String label, Times times) {
        return ofAll(
                key,
                label,
                times,
                Place.MEAN,
                Place.P50,
                Place.P95,
                Place.P99,
                Place.P99_9,
                Place.MAX);
    }

    /** Percentiles of repeats can't be averaged: a scenario has those of all their messages. */
    private static List<Column> ofAll(String key, String label, Times times, Place... places) {
        return Column.latencies(key, label, 3, times, places).stream()
                .map(Column::ofAllRepeats)
                .toList();
    }

    private static Column sum(String key, String label, Formula counted) {
        return Column.ofAll(key, "", label, 0, counted);
    }

    private static Column figure(
            String key, String unit, String label, int decimals, Formula formula) {
        return add(Column.of(key, unit, label, decimals, Better.NEITHER, formula));
    }

    private static Column lessOfRow(
            String key, String unit, String label, int decimals, Formula formula) {
        return add(Column.ofRow(key, unit, label, decimals, Better.LESS, formula));
    }

    private static Column add(Column column) {
        ADDED.add(column);
        return column;
    }

    private static Column ofRow(
            String key, String unit, String label, int decimals, Formula formula) {
        return add(Column.ofRow(key, unit, label, decimals, Better.NEITHER, formula));
    }

    private static Column percent(String key, String label, Formula part, Formula whole) {
        return figure(key, "%", label, 2, HUNDRED.times(part).over(whole));
    }

    private static Column mean(String key, String label, Formula sum, Formula count) {
        return figure(key, "ms", label, 3, sum.over(count));
    }

    private static Column perMsg(
            String key, String unit, String label, int decimals, Formula counted) {
        return figure(key, unit, label, decimals, counted.over(ACCEPTED_MSGS));
    }

    private static Column perSecond(String key, String unit, String label, Formula counted) {
        return figure(key, unit, label, 2, counted.over(MEASURED_S.asInput()));
    }
}
