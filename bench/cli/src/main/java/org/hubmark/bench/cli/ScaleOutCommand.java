package org.hubmark.bench.cli;

import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.ClusterNetwork;
import org.hubmark.bench.machine.cluster.CpuLimit;
import org.hubmark.bench.scale.ScaleRequest;
import org.hubmark.bench.scale.ScaleStudy;
import org.hubmark.bench.scale.Scaling;
import org.hubmark.bench.scale.result.PublishedPoint;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Measures how a replicated queue scales with hosts. */
@Command(
        name = "scale-out",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Says how a replicated queue scales: plays hosts on this machine, each a network namespace"
                    + " with a hub, a broker of Apache Pulsar and a bookie, and an equal share of CPU, and"
                    + " measures throughput and latency with 1, 2, 3 ... of them.",
            "Takes root, iproute2 and control groups; the servers' jars come from Maven's repositories,"
                    + " the first time. docs/scale-out.md says how to read what comes out.",
            "Exit code 0 when all mail that was sent was accepted, 3 when not, 130 when interrupted."
        })
public final class ScaleOutCommand implements Callable<Integer> {
    private static final int RUNS_MAX = 100;
    private static final int CONNECTIONS_MAX = 10_000;
    private static final double RATE_MAX = 1_000_000;
    private static final long USERS_MAX = 1_000_000_000;
    /** The rest is for driver, ZooKeeper and kernel. */
    private static final double HOSTS_SHARE = 0.75;

    private static final int HUNDREDTHS = 100;

    @Option(
            names = "--hosts",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,3,4,5",
            description = "Numbers of hosts to measure with. Default: ${DEFAULT-VALUE}.")
    private List<Integer> hosts = List.of();

    @ArgGroup(exclusive = true)
    private ScalingOption scaling = new ScalingOption();

    @ArgGroup(exclusive = true)
    private LoadOption load = new LoadOption();

    /** What stays the same. */
    static final class ScalingOption {
        @Option(
                names = "--weak",
                description = "The load of each host stays the same when hosts are added. Default:"
                        + " this.")
        private boolean weak;

        @Option(
                names = "--strong",
                description = "The load of all hosts together stays the same. Default: --weak.")
        private boolean strong;

        private boolean isStrong() {
            return strong && !weak;
        }
    }

    /** How much is sent. */
    static final class LoadOption {
        @Option(
                names = "--users",
                paramLabel = "N",
                description = "The rate of so many users, as in the study: 150 messages a user in a"
                        + " day of 8 hours. Default: none.")
        private @Nullable Long users;

        @Option(
                names = "--rate",
                paramLabel = "N|max",
                description = "Messages a second, each host with --weak and all together with"
                        + " --strong; max for as many as the hosts take. Default: max.")
        private @Nullable String rate;
    }

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "With each number of hosts; of five or more, the best and the worst are left"
                            + " out. Default: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = "4KB",
            converter = Converters.Size.class,
            description = "Of a message. Default: ${DEFAULT-VALUE}.")
    private long size;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "16",
            description = "SMTP connections, to each host with --weak and to all together with"
                    + " --strong. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--copies",
            paramLabel = "N",
            description =
                    "Bookies that keep a message, at most as many as there are hosts. Default: 3"
                            + " with four hosts or more, 2 with two and three, 1 with one.")
    private @Nullable Integer copies;

    @Option(
            names = "--host-cores",
            paramLabel = "N",
            description = "CPU of each host, in cores. Default: three quarters of this machine's,"
                    + " divided by the most hosts.")
    private @Nullable Double hostCores;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = Converters.Time.class,
            description = "Load before the hosts' CPU is limited, for each host: so long for one,"
                    + " twice as long for two. Default: ${DEFAULT-VALUE}.")
    private Duration warmup;

    @Option(
            names = "--settle",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = Converters.Time.class,
            description = "Load with the limit, before the first run. Default: ${DEFAULT-VALUE}.")
    private Duration settle;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Converters.Time.class,
            description = "What is measured of each run. Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Mixin
    private LinkOptions links;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of arrivals and messages. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Gets scale-out.json and the report. Default: hubmark-results/DATE-TIME.")
    private @Nullable Path output;

    @Option(
            names = "--json",
            description =
                    "Prints the content of scale-out.json on standard output, and nothing else"
                            + " there. Default: the tables.")
    private boolean json;

    @Option(names = "--quiet", description = "No progress, no tables. Default: both.")
    private boolean quiet;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        check();
        ScaleRequest request = request();
        Map<String, Object> settings = Outcomes.settings(spec);
        Double rate = request.rate();
        settings.put("host-cores", request.hostCores());
        settings.put("rate", rate == null ? "max" : rate);
        ScaleStudy study = new ScaleStudy(request);
        sayTime(request);
        return Studies.run(study, spec, settings, new Studies.Output(output, json, quiet));
    }

    private ScaleRequest request() throws IOException {
        List<Integer> counts = hosts.stream().sorted().distinct().toList();
        Double rate = rate();
        double cores = hostCores == null ? defaultCores(counts.getLast()) : hostCores;
        ClusterNetwork network = links.network();
        return new ScaleRequest(
                Main.PROGRAM,
                counts,
                scaling.isStrong() ? Scaling.STRONG : Scaling.WEAK,
                rate,
                load.users == null ? null : (Integer) Math.toIntExact(load.users),
                runs,
                Math.toIntExact(size),
                connections,
                copies,
                warmup,
                settle,
                duration,
                cores,
                network.linkBitsPerSecond(),
                network.linkDelay(),
                ClusterClassPath.read(),
                seed);
    }

    /** {@return messages a second; null for as many as are taken} */
    private @Nullable Double rate() {
        Long users = load.users;
        if (users != null) {
            return PublishedPoint.msgsPerS(users);
        }
        String text = load.rate;
        if (text == null || text.equals("max")) {
            return null;
        }
        try {
            double rate = Double.parseDouble(text);
            if (rate > 0 && rate <= RATE_MAX) {
                return rate;
            }
        } catch (NumberFormatException e) {
            throw notARate(text);
        }
        throw notARate(text);
    }

    private static UserError notARate(String text) {
        return UserError.usage("--rate " + text + ": max, or messages a second above 0 and up to "
                + (long) RATE_MAX);
    }

    /** Hundredths of a core: so that it can be said, and the same again. */
    private static double defaultCores(int hosts) {
        int cores = Runtime.getRuntime().availableProcessors();
        return Math.max(
                CpuLimit.coresMin(),
                Math.floor(HUNDREDTHS * HOSTS_SHARE * cores / hosts) / HUNDREDTHS);
    }

    private void check() {
        for (int count : hosts) {
            within("--hosts", count, 1, ClusterLayout.PROCESSES_MAX);
        }
        within("--runs", runs, 1, RUNS_MAX);
        within("--connections", connections, 1, CONNECTIONS_MAX);
        if (load.users != null) {
            within("--users", load.users, 1, USERS_MAX);
        }
        if (copies != null) {
            within("--copies", copies, 1, ClusterLayout.PROCESSES_MAX);
        }
        int most = hosts.stream().mapToInt(Integer::intValue).max().orElse(1);
        if (scaling.isStrong() && connections < most) {
            throw UserError.usage("--connections " + connections + ": with --strong at least one a"
                    + " host, " + most);
        }
        if (size < MessageGenerator.BYTES_MIN || size > MessageGenerator.BYTES_MAX) {
            throw UserError.usage("--size " + ByteSize.format(size) + ": "
                    + ByteSize.format(MessageGenerator.BYTES_MIN) + " to "
                    + ByteSize.format(MessageGenerator.BYTES_MAX));
        }
        if (duration.isZero()) {
            throw UserError.usage("--duration 0s: more than 0s");
        }
        int cores = Runtime.getRuntime().availableProcessors();
        if (hostCores != null && !(hostCores >= CpuLimit.coresMin() && hostCores <= cores)) {
            throw UserError.usage("--host-cores " + hostCores + ": " + CpuLimit.coresMin() + " to "
                    + cores + ", which this machine has");
        }
    }

    private static void within(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw UserError.usage(option + " " + value + ": " + least + " to " + most);
        }
    }

    private void sayTime(ScaleRequest request) {
        if (!quiet) {
            Duration load = request.hosts().stream()
                    .map(request::loaded)
                    .reduce(Duration.ZERO, Duration::plus);
            int clusters = request.hosts().size();
            System.err.println(Durations.format(load) + " of load in all, and the time to start "
                    + (clusters == 1 ? "a cluster" : clusters + " clusters"));
        }
    }
}
