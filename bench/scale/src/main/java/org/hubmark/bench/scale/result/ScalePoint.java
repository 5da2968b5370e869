package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * All runs with so many hosts.
 *
 * @param copies of each message
 * @param syncedCopies of them before its 250
 * @param offeredMsgsPerS what was to be sent to all hosts; null for as much as they take
 * @param throughputMsgsPerS accepted by all hubs, by the rule for several runs
 * @param throughputCi95 Student's interval of the mean of all runs; null with one
 * @param sendLatencyMs from the intended start to the answer, by the rule
 * @param withinLimit whether its 95th percentile is within the study's limit
 * @param arrivalLatencyMs from the start of a transaction to the delivery, by the rule
 * @param cpuUsPerMsg of all hosts' processes, microseconds
 * @param writtenBytesPerMsg of all hosts
 * @param sentBytesPerMsg of all hosts, over their links
 * @param efficiency throughput / (hosts x the throughput of one host); null without a point of one host
 * @param efficiencyCi95 of the ratio of the geometric means of all runs (Welch); null with one run
 * @param hostFigures of each host, by the rule
 * @param published the study's column of so many hosts; null when it has none
 */
public record ScalePoint(
        int hosts,
        int copies,
        int syncedCopies,
        @Nullable Double offeredMsgsPerS,
        double throughputMsgsPerS,
        @Nullable Interval throughputCi95,
        @Nullable Latencies sendLatencyMs,
        @Nullable Boolean withinLimit,
        @Nullable Latencies arrivalLatencyMs,
        @Nullable Double cpuUsPerMsg,
        @Nullable Double writtenBytesPerMsg,
        @Nullable Double sentBytesPerMsg,
        @Nullable Double efficiency,
        @Nullable Interval efficiencyCi95,
        List<HostFigures> hostFigures,
        List<ScaleRun> runs,
        @Nullable PublishedPoint published) {
    /** Copies. */
    public ScalePoint {
        hostFigures = List.copyOf(hostFigures);
        runs = List.copyOf(runs);
    }

    /**
     * {@return the point of at least one run}
     *
     * @param alone the runs of one host; empty when there are none
     */
    public static ScalePoint of(
            int copies,
            int synced,
            @Nullable Double offered,
            List<ScaleRun> runs,
            List<ScaleRun> alone) {
        int hosts = runs.getFirst().hosts();
        double throughput = StudyRule.mean(throughputs(runs));
        Latencies send = Latencies.of(known(runs, ScaleRun::sendLatencyMs));
        double one = alone.isEmpty() ? 0 : StudyRule.mean(throughputs(alone));
        return new ScalePoint(
                hosts,
                copies,
                synced,
                offered,
                throughput,
                Inference.ofMean(throughputs(runs)),
                send,
                send == null ? null : (Boolean) (send.p95() <= PublishedPoint.limitMs()),
                Latencies.of(known(runs, ScaleRun::arrivalLatencyMs)),
                perMessage(runs, HostFigures::cpuUsPerMsg),
                perMessage(runs, HostFigures::writtenBytesPerMsg),
                perMessage(runs, HostFigures::sentBytesPerMsg),
                one > 0 ? (Double) (throughput / (hosts * one)) : null,
                efficiencyInterval(hosts, runs, alone),
                hostFigures(hosts, runs),
                runs,
                PublishedPoint.all().stream()
                        .filter(point -> point.hosts() == hosts)
                        .findFirst()
                        .orElse(null));
    }

    private static double[] throughputs(List<ScaleRun> runs) {
        return runs.stream().mapToDouble(ScaleRun::throughputMsgsPerS).toArray();
    }

    private static List<Latencies> known(
            List<ScaleRun> runs, Function<ScaleRun, @Nullable Latencies> latencies) {
        return runs.stream().map(latencies).filter(Objects::nonNull).toList();
    }

    /** Of all hosts: a host's figure counts by the messages that it is divided by. */
    private static @Nullable Double perMessage(
            List<ScaleRun> runs, Function<HostFigures, @Nullable Double> figure) {
        List<@Nullable Double> all = new ArrayList<>();
        for (ScaleRun run : runs) {
            double sum = 0;
            boolean isKnown = run.acceptedMsgs() > 0;
            for (HostFigures host : run.hostFigures()) {
                Double value = figure.apply(host);
                isKnown &= value != null;
                sum += value == null ? 0 : value * host.acceptedMsgs();
            }
            all.add(isKnown ? (Double) (sum / run.acceptedMsgs()) : null);
        }
        return StudyRule.mean(all);
    }

    /** Runs with different numbers of hosts have nothing in common. */
    private static @Nullable Interval efficiencyInterval(
            int hosts, List<ScaleRun> runs, List<ScaleRun> alone) {
        double[] one = throughputs(alone);
        double[] all = throughputs(runs);
        boolean isKnown = DoubleStream.concat(Arrays.stream(one), Arrays.stream(all))
                .allMatch(throughput -> throughput > 0);
        if (hosts == 1 || one.length == 0 || !isKnown) {
            return null;
        }
        Interval ratio = Ratio.of(one, all).interval();
        return ratio == null ? null : new Interval(ratio.low() / hosts, ratio.high() / hosts);
    }

    private static List<HostFigures> hostFigures(int hosts, List<ScaleRun> runs) {
        List<HostFigures> all = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            int number = host;
            List<HostFigures> figures = runs.stream()
                    .flatMap(run -> run.hostFigures().stream())
                    .filter(one -> one.host() == number)
                    .toList();
            if (!figures.isEmpty()) {
                all.add(HostFigures.of(figures));
            }
        }
        return all;
    }
}
