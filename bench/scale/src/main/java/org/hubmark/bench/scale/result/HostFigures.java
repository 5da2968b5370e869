package org.hubmark.bench.scale.result;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/**
 * What a host did and spent in the measured time. A message is one that its hub accepted; a bookie keeps
 * copies of others' messages too.
 *
 * @param host from 1
 * @param acceptedMsgs by its hub
 * @param hubCpuUsPerMsg CPU time of the hub's process, microseconds, delivery included
 * @param brokerCpuUsPerMsg the same of the broker
 * @param bookieCpuUsPerMsg the same of the bookie
 * @param cpuUsPerMsg of all three
 * @param cpuCores CPU time of all three in a second of the measured time, seconds
 * @param throttledPercent of the periods' time in which its processes had work and had used up their
 *     share, all CPUs together; null without a limit
 * @param writtenBytesPerMsg that its processes had written to storage (write_bytes of proc_pid_io(5))
 * @param sentBytesPerMsg over its link, with the headers of Ethernet
 * @param receivedBytesPerMsg over its link
 */
public record HostFigures(
        int host,
        double acceptedMsgs,
        @Nullable Double hubCpuUsPerMsg,
        @Nullable Double brokerCpuUsPerMsg,
        @Nullable Double bookieCpuUsPerMsg,
        @Nullable Double cpuUsPerMsg,
        @Nullable Double cpuCores,
        @Nullable Double throttledPercent,
        @Nullable Double writtenBytesPerMsg,
        @Nullable Double sentBytesPerMsg,
        @Nullable Double receivedBytesPerMsg) {
    /** {@return each figure of one host over several runs by the study's rule} */
    static HostFigures of(List<HostFigures> runs) {
        return new HostFigures(
                runs.getFirst().host(),
                StudyRule.mean(
                        runs.stream().mapToDouble(HostFigures::acceptedMsgs).toArray()),
                rule(runs, HostFigures::hubCpuUsPerMsg),
                rule(runs, HostFigures::brokerCpuUsPerMsg),
                rule(runs, HostFigures::bookieCpuUsPerMsg),
                rule(runs, HostFigures::cpuUsPerMsg),
                rule(runs, HostFigures::cpuCores),
                rule(runs, HostFigures::throttledPercent),
                rule(runs, HostFigures::writtenBytesPerMsg),
                rule(runs, HostFigures::sentBytesPerMsg),
                rule(runs, HostFigures::receivedBytesPerMsg));
    }

    private static @Nullable Double rule(
            List<HostFigures> runs, Function<HostFigures, @Nullable Double> figure) {
        return StudyRule.mean(runs.stream().map(figure).toList());
    }
}
