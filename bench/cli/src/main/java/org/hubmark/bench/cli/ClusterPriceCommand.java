package org.hubmark.bench.cli;

import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.scale.PriceRequest;
import org.hubmark.bench.scale.PriceStudy;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** Measures what replication costs. */
@Command(
        name = "price",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Says what replication costs: loads hubs whose queue is on this machine's volumes, on one"
                    + " bookie, and on three copies of four bookies, in turn, and gives rate, latency, CPU and"
                    + " octets written and sent. Takes root and iproute2; the clusters are its own.",
            "Exit code 0 when all mail that was sent was accepted, 3 when not, 130 when interrupted."
        })
final class ClusterPriceCommand implements Callable<Integer> {
    private static final int ROUNDS_MAX = 100;
    private static final int CONNECTIONS_MAX = 10_000;

    @Option(
            names = "--sizes",
            paramLabel = "SIZE",
            split = ",",
            defaultValue = "4KB,57KB",
            converter = Converters.Size.class,
            description = "Of messages. Default: ${DEFAULT-VALUE}.")
    private List<Long> sizes = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "In each of which each queue has its turn. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "32",
            description = "SMTP connections. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = Converters.Time.class,
            description = "Load before anything counts, for each size. Default: ${DEFAULT-VALUE}.")
    private Duration warmup;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "8s",
            converter = Converters.Time.class,
            description = "What is measured of each size. Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of messages. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Gets price.json. Default: hubmark-results/DATE-TIME.")
    private @Nullable Path output;

    @Option(
            names = "--json",
            description = "Prints the content of price.json on standard output, and nothing else"
                    + " there. Default: the table.")
    private boolean json;

    @Option(names = "--quiet", description = "No progress, no table. Default: both.")
    private boolean quiet;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        check();
        PriceRequest request = new PriceRequest(
                Main.PROGRAM,
                sizes.stream().map(Math::toIntExact).distinct().toList(),
                rounds,
                connections,
                warmup,
                duration,
                ClusterClassPath.read(),
                seed);
        return Studies.run(
                new PriceStudy(request),
                spec,
                Outcomes.settings(spec),
                new Studies.Output(output, json, quiet));
    }

    private void check() {
        within("--rounds", rounds, ROUNDS_MAX);
        within("--connections", connections, CONNECTIONS_MAX);
        for (long size : sizes) {
            if (size < MessageGenerator.BYTES_MIN || size > MessageGenerator.BYTES_MAX) {
                throw UserError.usage("--sizes " + ByteSize.format(size) + ": "
                        + ByteSize.format(MessageGenerator.BYTES_MIN) + " to "
                        + ByteSize.format(MessageGenerator.BYTES_MAX));
            }
        }
        if (duration.isZero()) {
            throw UserError.usage("--duration 0s: more than 0s");
        }
    }

    private static void within(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw UserError.usage(option + " " + value + ": 1 to " + most);
        }
    }
}
