package org.hubmark.bench.scale;

import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.ProcessCpu;
import org.hubmark.bench.machine.ProcessIo;
import org.hubmark.bench.machine.cluster.ClusterHosts;
import org.hubmark.bench.machine.cluster.CpuLimit;
import org.hubmark.bench.scale.result.HostFigures;
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
    private static final double MICROS = 1e3;
    private static final double PERCENT = 100;

    /**
     * The processes of a host.
     *
     * @param host from 1
     */
    record Processes(int host, long hub, long broker, long bookie) {
        HostReading read(ClusterHosts hosts, CpuLimit limit) throws IOException {
            ProcessIo io = ProcessIo.of(HostFiles.HERE, List.of(hub, broker, bookie));
            return new HostReading(
                    System.nanoTime(),
                    ProcessCpu.nanos(hub),
                    ProcessCpu.nanos(broker),
                    ProcessCpu.nanos(bookie),
                    io == null ? null : (Long) io.writtenBytes(),
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
    HostFigures since(HostReading before, int host, long accepted, int cpus) {
        Long hub = minus(hubCpuNanos, before.hubCpuNanos);
        Long broker = minus(brokerCpuNanos, before.brokerCpuNanos);
        Long bookie = minus(bookieCpuNanos, before.bookieCpuNanos);
        Long all = sum(sum(hub, broker), bookie);
        double elapsed = nanos - before.nanos;
        return new HostFigures(
                host,
                accepted,
                perMessage(hub, accepted, MICROS),
                perMessage(broker, accepted, MICROS),
                perMessage(bookie, accepted, MICROS),
                perMessage(all, accepted, MICROS),
                all == null ? null : (Double) (all / elapsed),
                PERCENT * (throttledNanos - before.throttledNanos) / elapsed / cpus,
                perMessage(minus(writtenBytes, before.writtenBytes), accepted, 1),
                perMessage(sentBytes - before.sentBytes, accepted, 1),
                perMessage(receivedBytes - before.receivedBytes, accepted, 1));
    }

    private static @Nullable Double perMessage(@Nullable Long growth, long accepted, double unit) {
        return growth == null || accepted == 0 ? null : (Double) (growth / unit / accepted);
    }

    private static @Nullable Long minus(@Nullable Long now, @Nullable Long then) {
        return now == null || then == null ? null : (Long) (now - then);
    }

    private static @Nullable Long sum(@Nullable Long one, @Nullable Long other) {
        return one == null || other == null ? null : (Long) (one + other);
    }
}
