package org.hubmark.bench.cli;

import org.hubmark.bench.crash.ClusterCampaign;
import org.hubmark.bench.crash.ClusterFault;
import org.hubmark.bench.crash.ClusterVerdict;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Lets parts of a cluster fail under load. */
@Command(
        name = "crash",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets parts of a cluster of four bookies and two brokers fail under load, again and again, and"
                    + " checks that every message that was answered with 250 is delivered with its content."
                    + " Takes root and iproute2; the cluster is its own.",
            "Exit code 0 when nothing was lost and mail was accepted again after each fault, 1 when"
                    + " not, 130 when interrupted."
        })
final class ClusterCrashCommand implements Callable<Integer> {
    private static final int BROKEN = 1;
    private static final int INTERRUPTED = 130;
    private static final int CRASHES_MAX = 10_000;
    private static final int CONNECTIONS_MAX = 1000;

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            split = ",",
            defaultValue = "hub,broker,bookie,bookies,metadata,stop,cut,mute,full,slow",
            converter = FaultConverter.class,
            description =
                    "hub, broker (the one that keeps the queue), bookie, metadata (ZooKeeper): killed;"
                            + " bookies: all killed at once and the page cache dropped; stop: a bookie halted;"
                            + " cut: a bookie's link down; mute: its host receives and sends nothing; full: its"
                            + " file system full; slow: its disk takes 16 KiB a second. Default: ${DEFAULT-VALUE}.")
    private List<ClusterFault> kinds = List.of();

    @Option(
            names = "--crashes",
            paramLabel = "N",
            defaultValue = "3",
            description = "Faults of each kind. Default: ${DEFAULT-VALUE}.")
    private int crashes;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            defaultValue = "8s",
            converter = Converters.Time.class,
            description =
                    "How long a fault lasts that is no kill, and how long what was killed is away;"
                            + " a bookie half of it. Default: ${DEFAULT-VALUE}.")
    private Duration hold;

    @Option(
            names = "--first-hold",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "The same of the first fault of each kind. Default: as --hold.")
    private @Nullable Duration firstHold;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "4",
            description = "Connections that send mail at once. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Chooses messages and bookies. Default: another one each time.")
    private @Nullable Long seed;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description =
                    "Gets cluster-crash.json and a ledger of each kind, and the cluster where a"
                            + " promise was broken. Default: hubmark-results/DATE-TIME.")
    private @Nullable Path output;

    @Option(
            names = "--json",
            description = "Prints the content of cluster-crash.json on standard output, and nothing"
                    + " else there. Default: the table.")
    private boolean json;

    @Option(names = "--quiet", description = "No progress, no table. Default: both.")
    private boolean quiet;

    /** Reads a kind. */
    static final class FaultConverter implements ITypeConverter<ClusterFault> {
        @Override
        public ClusterFault convert(String text) {
            try {
                return ClusterFault.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public Integer call() throws IOException {
        within("--crashes", crashes, CRASHES_MAX);
        within("--connections", connections, CONNECTIONS_MAX);
        long first = seed == null ? System.nanoTime() & 0x7fff_ffff : seed;
        ClusterCampaign.Request request = new ClusterCampaign.Request(
                kinds.stream().distinct().toList(),
                crashes,
                hold,
                firstHold == null ? hold : firstHold,
                connections,
                first,
                ClusterClassPath.read());
        try (Interruption unused = new Interruption();
                MadeFolder results = Outcomes.folder(output)) {
            if (!quiet) {
                System.err.println("seed " + first);
            }
            ClusterCampaign campaign = new ClusterCampaign(
                    request,
                    Main.PROGRAM,
                    results.path(),
                    quiet ? line -> {} : System.err::println);
            List<ClusterVerdict> verdicts = campaign.run();
            say(campaign, verdicts, results.path());
            if (campaign.interrupted()) {
                return INTERRUPTED;
            }
            return verdicts.stream().allMatch(ClusterVerdict::promiseKept) ? 0 : BROKEN;
        }
    }

    private static void within(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw UserError.usage(option + " " + value + ": 1 to " + most);
        }
    }

    private void say(ClusterCampaign campaign, List<ClusterVerdict> verdicts, Path folder)
            throws IOException {
        PrintStream out = System.out;
        if (json) {
            out.println(campaign.json());
        } else if (!quiet) {
            String format = "%-9s %7s %12s %8s %8s %6s %6s %8s %10s %10s  %s%n";
            out.printf(
                    Locale.ROOT,
                    format,
                    "kind",
                    "faults",
                    "acknowledged",
                    "refused",
                    "in doubt",
                    "lost",
                    "twice",
                    "corrupt",
                    "gap p50 ms",
                    "gap max ms",
                    "promise");
            for (ClusterVerdict verdict : verdicts) {
                out.printf(
                        Locale.ROOT,
                        format,
                        verdict.kind(),
                        verdict.crashes(),
                        verdict.acknowledgedMsgs(),
                        verdict.refusedMsgs(),
                        verdict.inDoubtMsgs(),
                        verdict.lostMsgs(),
                        verdict.doubleMsgs(),
                        verdict.corruptedMsgs(),
                        millis(verdict.gapP50Ms()),
                        millis(verdict.gapMaxMs()),
                        verdict.promiseKept() ? "kept" : "BROKEN");
            }
            for (ClusterCampaign.Skipped skipped : campaign.skipped()) {
                out.println("no verdict: " + skipped.kind() + " after " + skipped.crashes()
                        + (skipped.crashes() == 1 ? " fault" : " faults") + ": "
                        + skipped.reason());
            }
            out.println("results in " + folder);
        }
        out.flush();
        for (ClusterVerdict verdict : verdicts) {
            verdict.failures()
                    .forEach(line -> System.err.println(
                            "hubmark: promise broken: " + verdict.kind() + ": " + line));
        }
    }

    private static String millis(@Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }
}
