package org.hubmark.bench.cli;

import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.scale.PriceRequest;
import org.hubmark.bench.scale.PriceStudy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.util.concurrent.Callable;

/** Measures what replication costs. */
@Command(
        name = "price",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures the cost of replication: loads hubs whose queue is on this machine's volumes, on"
                    + " one bookie, and on three copies on four bookies, in turn, and gives rate,"
                    + " latency, CPU and octets written and sent. Starts clusters of its own; needs"
                    + " root and iproute2.",
            "Exits with 0 if all mail was accepted, 3 if not, 130 if interrupted."
        })
final class ClusterPriceCommand implements Callable<Integer> {
    private static final int CONNECTIONS_MAX = 10_000;

    @Mixin
    private CommonOptions.Sizes sizes;

    @Mixin
    private CommonOptions.Rounds rounds;

    @Mixin
    private CommonOptions.Connections connections;

    @Mixin
    private CommonOptions.Warmup warmup;

    @Mixin
    private CommonOptions.Measured measured;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    CommonOptions.SharedMachine sharedMachine;

    @Mixin
    private StudyOptions shown;

    @Override
    public Integer call() throws IOException {
        check();
        PriceRequest request = new PriceRequest(
                Main.PROGRAM,
                sizes.bytes.stream().map(Math::toIntExact).toList(),
                rounds.count,
                connections.count,
                warmup.time,
                measured.time,
                ClusterClassPath.read(),
                seed.value);
        return shown.run(new PriceStudy(request));
    }

    private void check() {
        rounds.check(1);
        connections.check(CONNECTIONS_MAX);
        sizes.check(MessageGenerator.BYTES_MAX);
        measured.check();
    }
}
