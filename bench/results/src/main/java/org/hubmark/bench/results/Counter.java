package org.hubmark.bench.results;

/**
 * What is counted: all that the figures of a repeat are made of. Each row of samples.csv ends with how
 * far these have grown since the measured time began, in this order.
 */
public enum Counter implements Input {
    MEASURED_NS,
    ACCEPTED_MSGS,
    ACCEPTED_BYTES,
    /** Of all cores, ticks of 10 ms. */
    MACHINE_BUSY_TICKS,
    MACHINE_TOTAL_TICKS,
    /** In which a hypervisor ran something else. */
    MACHINE_STEAL_TICKS,
    /** The kernel's own threads, and interrupts. */
    KERNEL_CPU_NS,
    /** Million cycles of all cores, and the busy ticks in which they ran those. */
    CLOCK_MCYCLES,
    CLOCK_TICKS,
    DRIVER_CPU_NS,
    /** Unknown where the server isn't ours. */
    SERVER_CPU_NS,
    LOG_WRITES,
    LOG_READS,
    LOG_WRITTEN_BYTES,
    LOG_WRITE_MS,
    /** Time in flight, of each request. */
    LOG_WEIGHTED_MS,
    QUEUE_WRITES,
    QUEUE_READS,
    QUEUE_WRITTEN_BYTES,
    QUEUE_WRITE_MS,
    QUEUE_WEIGHTED_MS,
    LOG_SYNCS,
    /** By the hub's own count. */
    HUB_ACCEPTED_MSGS,
    HUB_GROUPS,
    SENT_MSGS,
    /** Parts of the log that were moved to the queue database. */
    HUB_CHECKPOINTS
}
