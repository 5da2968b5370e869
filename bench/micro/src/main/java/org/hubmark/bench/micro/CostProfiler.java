package org.hubmark.bench.micro;

import com.sun.management.OperatingSystemMXBean;

import org.hubmark.bench.machine.Machine;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Puts what a message cost beside its rate: cycles of the whole process (CPU time x nominal clock),
 * writes to the two volumes, bytes written. Averages over iterations.
 */
public final class CostProfiler implements InternalProfiler {
    private final OperatingSystemMXBean process =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final @Nullable Double clockMhz = Machine.clockMhz();
    private Costs.@Nullable Counts start;
    private long startCpuNanos;

    @Override
    public String getDescription() {
        return "cycles, writes and bytes a message";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        start = Costs.read();
        startCpuNanos = process.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        Costs.Counts end = Costs.read();
        if (end == null) {
            return List.of();
        }
        Costs.Counts since = end.since(start == null ? Costs.Counts.NONE : start);
        long cpuNanos = process.getProcessCpuTime() - startCpuNanos;
        List<Result<?>> results = new ArrayList<>();
        since.perMessage(clockMhz == null ? null : cpuNanos * clockMhz / 1e3)
                .forEach((name, cost) ->
                        results.add(new ScalarResult(name, cost, "/msg", AggregationPolicy.AVG)));
        return results;
    }
}
