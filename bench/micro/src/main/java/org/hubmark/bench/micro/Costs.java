package org.hubmark.bench.micro;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Where a benchmark that has messages, writes and bytes to count says how to read them, for {@link
 * CostProfiler}. One benchmark runs in a JVM at a time, so there is one meter.
 */
final class Costs {
    /** Counts since the benchmark began; all grow. */
    record Counts(
            long messages,
            long acceptedBytes,
            long logWrites,
            long queueWrites,
            long writtenBytes) {

        static final Counts NONE = new Counts(0, 0, 0, 0, 0);

        Counts since(Counts start) {
            return new Counts(
                    messages - start.messages,
                    acceptedBytes - start.acceptedBytes,
                    logWrites - start.logWrites,
                    queueWrites - start.queueWrites,
                    writtenBytes - start.writtenBytes);
        }

        /** {@return what one message cost, by the name of the secondary metric} */
        Map<String, Double> perMessage(@Nullable Double cpuCycles) {
            Map<String, Double> costs = new TreeMap<>();
            if (messages > 0) {
                if (cpuCycles != null) {
                    costs.put("mcycles_per_msg", cpuCycles / 1e6 / messages);
                }
                costs.put("log_writes_per_msg", (double) logWrites / messages);
                costs.put("queue_writes_per_msg", (double) queueWrites / messages);
            }
            if (acceptedBytes > 0) {
                costs.put("written_bytes_per_accepted_byte", (double) writtenBytes / acceptedBytes);
            }
            return costs;
        }
    }

    private static volatile @Nullable Supplier<Counts> meter;

    private Costs() {}

    /** Called at a benchmark's set-up. */
    static void meterWith(Supplier<Counts> supplier) {
        meter = supplier;
    }

    /** Called at its tear-down. */
    static void unmeter() {
        meter = null;
    }

    /** {@return the counts now, or null when the benchmark has none} */
    static @Nullable Counts read() {
        Supplier<Counts> supplier = meter;
        return supplier == null ? null : supplier.get();
    }
}
