package org.hubmark.bench.cli;

import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.machine.cluster.ClusterMember;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Starts a cluster, or what is missing of one. */
@Command(
        name = "start",
        description = {
            "Starts the ZooKeeper, bookies and brokers that are not running, each in a process of its"
                    + " own that outlives the command. Downloads their jars from Maven's"
                    + " repositories the first time. An interrupted start ends the processes that it has"
                    + " started, if none of the cluster ran before.",
            "Prints 'cluster ready' with the address for serve --queue when every broker accepts mail."
        })
final class ClusterStartCommand implements Callable<Integer> {
    @Option(
            names = "--bookies",
            paramLabel = "N",
            defaultValue = "4",
            description = "Bookies, which keep the mail; with 4 or more one may fail, and a"
                    + " message has 3 copies. Default: ${DEFAULT-VALUE}.")
    private int bookies;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Brokers, which the hubs connect to. Default: ${DEFAULT-VALUE}.")
    private int brokers;

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            split = ",",
            description =
                    "Folders for the bookies' journals, taken in turn. Default: below --folder.")
    private @Nullable List<Path> journals;

    @Option(
            names = "--ledgers",
            paramLabel = "DIR",
            split = ",",
            description =
                    "Folders for the bookies' ledgers, taken in turn. Default: below --folder.")
    private @Nullable List<Path> ledgers;

    @Mixin
    private ClusterOption where;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        ClusterLayout layout = layout();
        try (Interruption unused = new Interruption()) {
            long startNanos = System.nanoTime();
            ClusterProcesses cluster = ClusterProcesses.prepare(where.folder(), layout);
            if (!start(cluster, err)) {
                return Outcomes.INTERRUPTED;
            }
            long millis = (System.nanoTime() - startNanos) / 1_000_000;
            PrintWriter out = spec.commandLine().getOut();
            out.println("cluster ready " + cluster.address());
            out.println(layout.promise());
            if (layout.brokers() > 1) {
                out.println("whichever broker runs: " + cluster.addressOfAll());
            }
            out.printf(Locale.ROOT, "started in %.1f s%n", millis / 1000.0);
            out.flush();
            return 0;
        }
    }

    /** {@return false when it was interrupted} */
    private static boolean start(ClusterProcesses cluster, PrintWriter err) throws IOException {
        boolean isNew = true;
        for (ClusterMember member : cluster.members()) {
            isNew &= member.process().isEmpty();
        }
        try {
            cluster.start(ClusterClassPath.read(), err::println);
            return true;
        } catch (IOException | UserError e) {
            // Whatever waits fails in its own way when it is interrupted.
            if (!Thread.interrupted()) {
                throw e;
            }
            if (isNew) {
                cluster.kill();
            }
            return false;
        }
    }

    private ClusterLayout layout() {
        try {
            return new ClusterLayout(
                    bookies,
                    brokers,
                    absolute(journals, "journal"),
                    absolute(ledgers, "ledgers"),
                    false);
        } catch (IllegalArgumentException e) {
            throw UserError.usage(String.valueOf(e.getMessage()));
        }
    }

    private List<Path> absolute(@Nullable List<Path> given, String below) {
        List<Path> folders = given == null ? List.of(where.folder().resolve(below)) : given;
        return folders.stream().map(Path::toAbsolutePath).map(Path::normalize).toList();
    }
}
