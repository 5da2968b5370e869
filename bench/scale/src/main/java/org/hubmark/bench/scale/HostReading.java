package org.hubmark.bench.scale;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.Growth;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.ProcessIo;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.CpuLimit;
import org.hubmark.bench.scale.result.ScaleOut;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/**
 * The counters of a host at a moment.
 *
 * @param nanos System.nanoTime
 */
record HostReading(
        long nanos,
        @Nullable Long hubCpuNanos,
        @Nullable Long brokerCpuNanos,
        @Nullable Long bookieCpuNanos,
        @Nullable Long writtenBytes,
        long sentBytes,
        long receivedBytes,
        long throttledNanos) {
    /**
     * The processes of a host.
     *
     * @param host from 1
     */
    record Processes(int host, long hub, long broker, long bookie) {
        HostReading read(ClusterHosts hosts, CpuLimit limit) throws IOException {
            return new HostReading(
                    System.nanoTime(),
                    ProcessCpu.nanos(hub),
                    ProcessCpu.nanos(broker),
                    ProcessCpu.nanos(bookie),
                    ProcessIo.writtenBytes(HostFiles.HERE, List.of(hub, broker, bookie)),
                    hosts.sentBytes(host),
                    hosts.receivedBytes(host),
                    limit.throttledNanos());
        }
    }

    /**
     * {@return what happened on the host since an earlier reading}
     *
     * @param accepted messages by its hub meanwhile
     */
    Repeat since(HostReading before, int host, long accepted, int cpus) {
        return Repeat.counted()
                .name(ScaleOut.HOST, host)
                .count(ScaleOut.ACCEPTED, accepted)
                .count(ScaleOut.MEASURED_NS, nanos - before.nanos)
                .count(ScaleOut.CPUS, cpus)
                .count(ScaleOut.HUB_CPU_NS, Growth.of(before.hubCpuNanos, hubCpuNanos))
                .count(ScaleOut.BROKER_CPU_NS, Growth.of(before.brokerCpuNanos, brokerCpuNanos))
                .count(ScaleOut.BOOKIE_CPU_NS, Growth.of(before.bookieCpuNanos, bookieCpuNanos))
                .count(ScaleOut.THROTTLED_NS, throttledNanos - before.throttledNanos)
                .count(ScaleOut.WRITTEN_BYTES, Growth.of(before.writtenBytes, writtenBytes))
                .count(ScaleOut.SENT_BYTES, sentBytes - before.sentBytes)
                .count(ScaleOut.RECEIVED_BYTES, receivedBytes - before.receivedBytes)
                .made();
    }
}
