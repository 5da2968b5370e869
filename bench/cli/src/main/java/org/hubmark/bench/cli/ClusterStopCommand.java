package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.cluster.ClusterProcesses;
import org.hubmark.core.FileErrors;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Ends a cluster. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description =
                "Ends the processes of a cluster. Its mail stays in its folders, and is there when it"
                        + " is started again.")
final class ClusterStopCommand implements Callable<Integer> {
    @Option(
            names = "--folder",
            paramLabel = "DIR",
            defaultValue = ClusterCommand.FOLDER,
            description = "Where the cluster is. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            ClusterProcesses.at(folder).stop(spec.commandLine().getErr()::println);
            spec.commandLine().getOut().println("cluster stopped");
            return 0;
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
    }
}
