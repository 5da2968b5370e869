package org.hubmark.bench.cli;

import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;

/** Ends a cluster. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description =
                "Ends the processes of a cluster. Its mail stays in its folders for the next start.")
final class ClusterStopCommand implements Callable<Integer> {
    @Mixin
    private ClusterOption where;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            ClusterProcesses.at(where.folder()).stop(spec.commandLine().getErr()::println);
            spec.commandLine().getOut().println("cluster stopped");
            return 0;
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
    }
}
