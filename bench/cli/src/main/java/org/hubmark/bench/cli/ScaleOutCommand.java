package org.hubmark.bench.cli;

import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.CpuLimit;
import org.hubmark.bench.scale.ScaleRequest;
import org.hubmark.bench.scale.ScaleStudy;
import org.hubmark.bench.scale.Scaling;
import org.hubmark.bench.scale.result.PublishedPoint;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Measures how a replicated queue scales with hosts. */
@Command(
        name = "scale-out",
        description = {
            "Measures how a replicated queue scales: simulates hosts on this machine, each a network"
                    + " namespace with a hub, a broker of Apache Pulsar, a bookie and an equal share of"
                    + " CPU, and measures throughput and latency with 1, 2, 3 ... of them.",
            "Needs root, iproute2 and control groups; downloads the servers' jars from Maven's"
                    + " repositories the first time. docs/scale-out.md explains the results.",
            "Exits with 0 if all mail was accepted, 3 if not, 130 if interrupted."
        })
public final class ScaleOutCommand implements Callable<Integer> {
    private static final int CONNECTIONS_MAX = 10_000;
    /** The rest is for driver, ZooKeeper and kernel. */
    private static final double HOSTS_SHARE = 0.75;

    private static final int HUNDREDTHS = 100;

    /** As in the study. */
    private static final int MESSAGE_BYTES = 4000;

    /** Load after the CPU of the hosts is limited and before the first run. */
    private static final Duration SETTLE = Duration.ofSeconds(30);

    @Option(
            names = "--hosts",
            split = ",",
            defaultValue = "1,2,3,4,5",
            description = "Numbers of hosts to measure with.")
    private List<Integer> hosts = List.of();

    @ArgGroup(exclusive = true)
    private ScalingOption scaling = new ScalingOption();

    @ArgGroup(exclusive = true)
    private LoadOption load = new LoadOption();

    /** What stays the same. */
    static final class ScalingOption {
        /** The default, which nothing has to ask for. */
        @Option(
                names = "--weak",
                description = "Keeps the load of each host constant. Default: this form.")
        boolean weak;

        @Option(names = "--strong", description = "Keeps the load of all hosts constant.")
        private boolean strong;
    }

    /** How much is sent. */
    static final class LoadOption {
        @Option(
                names = "--users",
                description = "Users to serve; each sends 150 messages in 8 hours.")
        private @Nullable Integer users;

        @Option(
                names = "--rate",
                paramLabel = "N|max",
                description =
                        "Messages a second; of each host, with --strong of all. Default: max.")
        private String rate = "max";
    }

    @Mixin
    private CommonOptions.Runs runs;

    @Mixin
    private CommonOptions.Connections connections;

    @Mixin
    private CommonOptions.Warmup warmup;

    @Mixin
    private CommonOptions.MeasuredTime measured;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    CommonOptions.SharedMachine sharedMachine;

    @Mixin
    private StudyOptions shown;

    @Override
    public Integer call() throws IOException {
        check();
        ScaleRequest request = request();
        Map<String, Object> settings = shown.settings();
        Double rate = request.load().rate();
        settings.put("host-cores", request.hosts().cores());
        settings.put("rate", rate == null ? "max" : rate);
        settings.put("size", ByteSize.format(MESSAGE_BYTES));
        settings.put("settle", Durations.format(SETTLE));
        ScaleStudy study = new ScaleStudy(request);
        Duration load = request.hosts().counts().stream()
                .map(request.times()::loaded)
                .reduce(Duration.ZERO, Duration::plus);
        shown.say(Durations.format(load) + " of load in all, and the time to start the clusters");
        return shown.run(study, settings, List::of);
    }

    private ScaleRequest request() throws IOException {
        List<Integer> counts = hosts.stream().sorted().distinct().toList();
        Double rate = rate();
        double cores = cores(counts.getLast());
        return new ScaleRequest(
                Main.PROGRAM,
                new ScaleRequest.Hosts(counts, cores, ClusterClassPath.read()),
                new ScaleRequest.Load(
                        scaling.strong ? Scaling.STRONG : Scaling.WEAK,
                        rate,
                        load.users,
                        MESSAGE_BYTES,
                        connections.count,
                        seed.value),
                new ScaleRequest.Times(warmup.time, SETTLE, measured.time, runs.count));
    }

    /** {@return messages a second; null for as many as are taken} */
    private @Nullable Double rate() {
        if (load.users != null) {
            return PublishedPoint.msgsPerS(load.users);
        }
        try {
            return Pace.parse(load.rate, Arrivals.POISSON, seed.value) instanceof Pace.OpenLoop open
                    ? (Double) open.ratePerSecond()
                    : null;
        } catch (IllegalArgumentException e) {
            throw UserError.usage("--rate " + e.getMessage());
        }
    }

    /** {@return the cores of each, in hundredths: so that they can be said, and the same again} */
    private static double cores(int hosts) {
        int cores = Runtime.getRuntime().availableProcessors();
        return Math.max(
                CpuLimit.coresMin(),
                Math.floor(HUNDREDTHS * HOSTS_SHARE * cores / hosts) / HUNDREDTHS);
    }

    private void check() {
        for (int count : hosts) {
            Ranges.within("--hosts", count, 1, ClusterLayout.PROCESSES_MAX);
        }
        runs.check();
        Ranges.within("--connections", connections.count, 1, CONNECTIONS_MAX);
        if (load.users != null) {
            Ranges.atLeast("--users", load.users, 1);
        }
        int most = hosts.stream().mapToInt(Integer::intValue).max().orElse(1);
        if (scaling.strong && connections.count < most) {
            throw UserError.usage("--connections " + connections.count
                    + ": with --strong at least one a host, " + most);
        }
    }
}
