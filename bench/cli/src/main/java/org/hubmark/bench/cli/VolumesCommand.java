package org.hubmark.bench.cli;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumesJson;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.core.UserError;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Looks at volumes, measures them, makes test volumes. */
@Command(
        name = "volumes",
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows volumes and devices, measures them, and makes test volumes.",
        subcommands = {
            VolumesPlanCommand.class,
            VolumesCommand.Inspect.class,
            VolumesProbeCommand.class,
            VolumesCreateCommand.class,
            VolumesDestroyCommand.class
        })
public final class VolumesCommand {
    /** Checks that folders are there. */
    static void checkFolders(List<Path> folders) {
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw UserError.failed(folder + " does not exist, or is not a folder");
            }
        }
    }

    /** Looks at volumes without measuring. */
    @Command(
            name = "inspect",
            description =
                    "Shows the device, file system, mount options and write cache of folders, and"
                            + " which of them share a disk. Measures nothing.")
    static final class Inspect implements Callable<Integer> {
        @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders to look at.")
        private List<Path> folders;

        @Mixin
        private CommonOptions.Json json;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            checkFolders(folders);
            List<VolumeFacts> facts = TestVolume.inspect(folders, TestVolumesOption.USUAL.list());
            PrintWriter out = spec.commandLine().getOut();
            if (json.on) {
                out.println(VolumesJson.write(facts));
            } else {
                VolumeLines.print(facts, out);
            }
            out.flush();
            return 0;
        }
    }


}
