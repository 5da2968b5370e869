package org.hubmark.bench.cli;

import org.hubmark.bench.machine.cluster.ClusterMember;
import org.hubmark.bench.machine.cluster.ClusterProcesses;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Runs a cluster for queues on Pulsar on this machine. */
@Command(
        name = "cluster",
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Runs a cluster of Apache Pulsar and BookKeeper on this machine, for a hub whose queue is"
                    + " replicated (serve --queue), without containers.",
            "For trials and measurements only: all mail is lost with the machine."
                    + " docs/scale-out.md describes what a cluster of real hosts needs."
        },
        subcommands = {
            ClusterStartCommand.class,
            ClusterCommand.Status.class,
            ClusterCommand.Stop.class,
            ClusterCrashCommand.class
        })
public final class ClusterCommand {
    /** Says what of a cluster runs. */
    @Command(
            name = "status",
            description = {
                "Shows whether each process of a cluster runs, and its process id.",
                "Exits with 0 if all run, 1 if one does not."
            })
    static final class Status implements Callable<Integer> {
        @Mixin
        private ClusterOption where;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            ClusterProcesses cluster = ClusterProcesses.find(where.folder());
            boolean all = true;
            for (ClusterMember member : cluster.members()) {
                Optional<ProcessHandle> process = member.process();
                all &= process.isPresent();
                out.printf(
                        Locale.ROOT,
                        "%-10s  %-7s  %7s%n",
                        member.name(),
                        process.isPresent() ? "runs" : "ended",
                        process.map(one -> Long.toString(one.pid())).orElse("-"));
            }
            out.println("address " + cluster.addressOfAll());
            out.println("administrators at " + cluster.admin().getFirst());
            out.flush();
            return all ? 0 : 1;
        }
    }

    /** Ends a cluster. */
    @Command(
            name = "stop",
            description =
                    "Ends the processes of a cluster. Its mail stays in its folders for the next start.")
    static final class Stop implements Callable<Integer> {
        @Mixin
        private ClusterOption where;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            ClusterProcesses.find(where.folder()).stop(spec.commandLine().getErr()::println);
            spec.commandLine().getOut().println("cluster stopped");
            return 0;
        }
    }
}
