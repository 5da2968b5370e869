package org.hubmark.server;

import org.hubmark.core.UserError;

import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** Looks at the volumes of a hub. */
@Command(
        name = "volumes",
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks at the volumes of a hub before it is started.",
        subcommands = VolumesPlanCommand.class)
final class ServedVolumesCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw UserError.usage("volumes needs plan; see hubmark volumes --help");
    }
}
