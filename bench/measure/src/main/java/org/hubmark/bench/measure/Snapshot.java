package org.hubmark.bench.measure;

import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.SyncCounters;
import org.hubmark.bench.measure.hub.HubCounters;
import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * All counters at one moment.
 *
 * @param nanos System.nanoTime
 * @param load what the driver did
 * @param serverCpuNanos CPU time of the server, or null when it isn't known
 * @param serverThreads nanoseconds of CPU time of each thread of our own hub; else empty
 * @param driverCpuNanos CPU time of this process
 * @param machine CPU time of all
 * @param log the log volume's device, or null when there is none of its own
 * @param queue the queue volume's device, or null when there is none of its own
 * @param logSyncs the log volume's emulated device, or null when there is none of its own
 * @param queueSyncs the queue volume's emulated device, or null when there is none of its own
 * @param hub what the hub exports, or null when the server isn't ours
 */
public record Snapshot(
        long nanos,
        LoadSnapshot load,
        @Nullable Long serverCpuNanos,
        Map<String, Long> serverThreads,
        long driverCpuNanos,
        MachineCpu machine,
        @Nullable DiskCounters log,
        @Nullable DiskCounters queue,
        @Nullable SyncCounters logSyncs,
        @Nullable SyncCounters queueSyncs,
        @Nullable HubCounters hub) {}
