package org.hubmark.bench.cli;

import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.machine.MeasuringRun;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.bench.scale.PriceRequest;
import org.hubmark.bench.scale.PriceSession;
import org.hubmark.bench.scale.report.PriceTable;
import org.hubmark.bench.scale.result.PriceResults;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
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
    private static final int INTERRUPTED = 130;
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
    private CommonOptions.Output output;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private CommonOptions.Quiet quiet;

    @Spec
    private CommandSpec spec;

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
                quiet.on,
                seed.value,
                Outcomes.settings(spec),
                Outcomes.commandText(spec));
        try (Interruption unused = new Interruption();
                MeasuringRun measuring =
                        MeasuringRun.begin(MeasuringRun.FOLDER, request.command());
                MadeFolder results = output.make()) {
            PriceResults found = new PriceSession(request, results.path()).run();
            say(found, results.path());
            if (!found.complete()) {
                return INTERRUPTED;
            }
            found.invalidReasons()
                    .forEach(reason -> System.err.println("hubmark: not valid: " + reason));
            return found.valid() ? 0 : Outcomes.INVALID;
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
    }

    private void check() {
        rounds.check(1);
        connections.check(CONNECTIONS_MAX);
        sizes.check(MessageGenerator.BYTES_MAX);
        measured.check();
    }

    private void say(PriceResults found, Path folder) {
        PrintStream out = System.out;
        if (json.on) {
            out.println(found.json());
        } else if (!quiet.on) {
            GridText.print(PriceTable.of(found), out);
            out.println("results in " + folder);
        }
        out.flush();
    }
}
