package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Formula.Counter;

import java.util.ArrayList;
import java.util.List;

/** Counters from which all figures of a repeat follow. */
public final class Counters {
    private static final List<Counter> ADDED = new ArrayList<>();

    public static final Counter MEASURED_NS = sampled("measured_ns");
    public static final Counter ACCEPTED_MSGS = sampled("accepted_msgs");
    public static final Counter ACCEPTED_BYTES = sampled("accepted_bytes");
    /** Busy time of all cores, ticks of 10 ms. */
    public static final Counter MACHINE_BUSY_TICKS = sampled("machine_busy_ticks");

    public static final Counter MACHINE_TOTAL_TICKS = sampled("machine_total_ticks");
    /** In which a hypervisor ran something else. */
    public static final Counter MACHINE_STEAL_TICKS = sampled("machine_steal_ticks");
    /** Processes that are neither server nor driver; the kernel's own threads are none. */
    public static final Counter FOREIGN_CPU_NS = sampled("foreign_cpu_ns");
    /** Million cycles of all cores, and the busy ticks in which they ran those. */
    public static final Counter CLOCK_MCYCLES = sampled("clock_mcycles");

    public static final Counter CLOCK_TICKS = sampled("clock_ticks");
    public static final Counter DRIVER_CPU_NS = sampled("driver_cpu_ns");
    /** Unknown where the server isn't ours. */
    public static final Counter SERVER_CPU_NS = sampled("server_cpu_ns");

    public static final Counter LOG_WRITES = sampled("log_writes");
    public static final Counter LOG_READS = sampled("log_reads");
    public static final Counter LOG_WRITTEN_BYTES = sampled("log_written_bytes");
    public static final Counter LOG_WRITE_MS = sampled("log_write_ms");
    /** Time in flight, of each request. */
    public static final Counter LOG_WEIGHTED_MS = sampled("log_weighted_ms");

    public static final Counter QUEUE_WRITES = sampled("queue_writes");
    public static final Counter QUEUE_READS = sampled("queue_reads");
    public static final Counter QUEUE_WRITTEN_BYTES = sampled("queue_written_bytes");
    public static final Counter QUEUE_WRITE_MS = sampled("queue_write_ms");
    public static final Counter QUEUE_WEIGHTED_MS = sampled("queue_weighted_ms");
    public static final Counter LOG_SYNCS = sampled("log_syncs");
    /** By the hub's own count. */
    public static final Counter HUB_ACCEPTED_MSGS = sampled("hub_accepted_msgs");

    public static final Counter HUB_GROUPS = sampled("hub_groups");
    public static final Counter SENT_MSGS = sampled("sent_msgs");
    /** Parts of the log that were moved to the queue database. */
    public static final Counter HUB_CHECKPOINTS = sampled("hub_checkpoints");
    /**
     * Flushes of the caches of the disks below the log. The flush of a sync does not count as a
     * write.
     */
    public static final Counter LOG_FLUSHES = sampled("log_flushes");

    /** In which a control group with a limit had used up its share. */
    public static final Counter THROTTLED_NS = sampled("throttled_ns");

    /** Each sample has how far these have grown since the measured time began: all above. */
    public static final List<Counter> SAMPLED = List.copyOf(ADDED);

    /** Logical cores of the machine whose counters are read: the server's. */
    public static final Counter LOGICAL_CORES = new Counter("logical_cores");

    /** Logical cores of the driver's machine, which is the same unless the server is on another. */
    public static final Counter DRIVER_CORES = new Counter("driver_cores");

    /** 1 where the driver runs on the server's machine, 0 where that is another. */
    public static final Counter DRIVER_ON_MACHINE = new Counter("driver_on_machine");

    /** The longest queue that was seen, messages; and the most octets in it. */
    public static final Counter QUEUE_MAX_MSGS = new Counter("queue_max_msgs");

    public static final Counter QUEUE_MAX_BYTES = new Counter("queue_max_bytes");

    /**
     * What became of all messages, from the first one of the warm-up to the end of the drain: sent, or
     * refused before the content was.
     */
    public static final Counter ALL_SENT_MSGS = new Counter("all_sent_msgs");

    /** Answered with 250. */
    public static final Counter ALL_ACCEPTED_MSGS = new Counter("all_accepted_msgs");

    /** Answered with 4xx or 5xx. */
    public static final Counter ALL_REFUSED_MSGS = new Counter("all_refused_msgs");

    /** Without an answer: the connection broke. */
    public static final Counter ALL_FAILED_MSGS = new Counter("all_failed_msgs");

    /** By the hub. */
    public static final Counter ALL_DELIVERED_MSGS = new Counter("all_delivered_msgs");

    /** Still in the hub's queue at the end, dead letters too. */
    public static final Counter ALL_LEFT_MSGS = new Counter("all_left_in_queue_msgs");

    /** Accepted, but neither delivered nor left. */
    public static final Counter ALL_LOST_MSGS = new Counter("all_lost_msgs");

    private Counters() {}

    private static Counter sampled(String key) {
        Counter counter = new Counter(key);
        ADDED.add(counter);
        return counter;
    }
}
