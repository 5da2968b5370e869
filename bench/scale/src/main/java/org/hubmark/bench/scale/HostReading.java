package org.hubmark.bench.scale;

import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.cluster.CpuLimit;
import org.hubmark.bench.machine.kernel.Growth;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.scale.result.ScaleOut;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of a host at a moment; one that can't be read is null.
 *
 * @param counters of which only the growth counts
 * @param memoryBytes of its processes
 */
record HostReading(
        Map<Counter, @Nullable Long> counters, @Nullable Long memoryBytes) {
    /**
     * The processes of a host.
     *
     * @param host from 1
     */
    record Processes(int host, long hub, long broker, long bookie) {
        HostReading read(CpuLimit limit) throws IOException {
            Map<Counter, @Nullable Long> now = new LinkedHashMap<>();
            now.put(ScaleOut.MEASURED_NS, System.nanoTime());
            now.put(ScaleOut.HUB_CPU_NS, ProcessCpu.nanos(hub));
            now.put(ScaleOut.BROKER_CPU_NS, ProcessCpu.nanos(broker));
            now.put(ScaleOut.BOOKIE_CPU_NS, ProcessCpu.nanos(bookie));
            now.put(ScaleOut.THROTTLED_NS, limit.throttledNanos());
            return new HostReading(now, memoryBytes());
        }

        private @Nullable Long memoryBytes() {
            long sum = 0;
            for (long process : List.of(hub, broker, bookie)) {
                Long bytes = HostFiles.HERE.bytes("proc/" + process + "/status", "VmRSS");
                if (bytes == null) {
                    return null;
                }
                sum += bytes;
            }
            return sum;
        }
    }

    /**
     * {@return what happened on the host since an earlier reading}
     *
     * @param accepted messages by its hub meanwhile
     */
    Repeat since(HostReading before, int host, long accepted, int cpus) {
        Repeat.Builder counted = Repeat.counted()
                .name(ScaleOut.HOST, host)
                .count(ScaleOut.ACCEPTED, accepted)
                .count(ScaleOut.CPUS, cpus)
                .count(ScaleOut.MEMORY_BYTES, memoryBytes);
        counters.forEach((counter, now) ->
                counted.count(counter, Growth.of(before.counters.get(counter), now)));
        return counted.made();
    }
}
