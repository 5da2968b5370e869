package org.hubmark.bench.cli;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumesJson;
import org.hubmark.bench.machine.volumes.TestVolume;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.core.FileErrors;
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
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows volumes and devices, measures them, and makes test volumes.",
        subcommands = {
            VolumesPlanCommand.class,
            VolumesCommand.Inspect.class,
            VolumesProbeCommand.class,
            VolumesCreateCommand.class,
            VolumesDestroyCommand.class,
            VolumesCommand.Environment.class
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

    /** Looks at volumes without measuring. */
    @Command(
            name = "inspect",
            mixinStandardHelpOptions = true,
            description =
                    "Shows the device, file system, mount options and write cache of folders, and"
                            + " which of them share a disk. Measures nothing.")
    static final class Inspect implements Callable<Integer> {
        @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders to look at.")
        private List<Path> folders;

        @Mixin
        private CommonOptions.Json json;

        @Mixin
        private TestVolumesOption state;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            checkFolders(folders);
            List<VolumeFacts> facts;
            try {
                facts = TestVolume.inspect(folders, state.volumes().list());
            } catch (IOException e) {
                throw failed(e);
            }
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

    /** Says with which environment a process sees the devices that are emulated. */
    @Command(
            name = "environment",
            mixinStandardHelpOptions = true,
            description =
                    "Prints the shell commands that make programs see test volumes as slow as the"
                            + " devices that they act like.")
    static final class Environment implements Callable<Integer> {
        @Mixin
        private TestVolumesOption state;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            TestVolumes volumes = state.volumes();
            PrintWriter out = spec.commandLine().getOut();
            try {
                if (volumes.list().stream().allMatch(volume -> volume.profile() == null)) {
                    throw UserError.failed("no test volume in " + state.folder()
                            + " acts like a device; make one with volumes create --profile");
                }
                volumes.emulation()
                        .environment()
                        .forEach((name, value) -> out.println(
                                "export " + name + "='" + value.replace("'", "'\\''") + "'"));
            } catch (IOException e) {
                throw failed(e);
            }
            out.flush();
            return 0;
        }
    }
}
