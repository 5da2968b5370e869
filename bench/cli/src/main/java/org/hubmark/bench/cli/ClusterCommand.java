package org.hubmark.bench.cli;

import org.hubmark.core.UserError;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** Runs a cluster for queues on Pulsar on this machine. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Runs a cluster of Apache Pulsar and BookKeeper on this machine, for a hub whose queue is"
                    + " replicated (serve --queue), without containers.",
            "Serves trials and measurements only: all mail is lost with the machine."
                    + " docs/scale-out.md describes what a cluster of real hosts needs."
        },
        subcommands = {
            ClusterStartCommand.class,
            ClusterStatusCommand.class,
            ClusterStopCommand.class,
            ClusterCrashCommand.class,
            ClusterPriceCommand.class
        })
public final class ClusterCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw UserError.usage("cluster needs one of "
                + String.join(", ", spec.subcommands().keySet())
                + "; see hubmark cluster --help");
    }
}
