package org.hubmark.bench.cli;

import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Looks at volumes, measures them, makes test volumes. */
@Command(
        name = "volumes",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows volumes and devices, measures them, and makes test volumes.",
        subcommands = {
            TestVolumesPlanCommand.class,
            VolumesInspectCommand.class,
            VolumesProbeCommand.class,
            VolumesCreateCommand.class,
            VolumesDestroyCommand.class,
            VolumesEnvironmentCommand.class,
            VolumesWriteCacheCommand.class
        })
public final class VolumesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw UserError.usage("volumes needs one of "
                + String.join(", ", spec.subcommands().keySet())
                + "; see hubmark volumes --help");
    }

    /** Checks that folders are there. */
    static void checkFolders(List<Path> folders) {
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw UserError.failed(folder + " does not exist, or is not a folder");
            }
        }
    }

    /** {@return what to say of an error of the system, in one line} */
    static UserError failed(IOException e) {
        return UserError.failed(FileErrors.text(e));
    }
}
