package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.core.UserError;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;

/** Says with which environment a process sees the devices that are emulated. */
@Command(
        name = "environment",
        mixinStandardHelpOptions = true,
        description = "Prints the shell commands that make programs see test volumes as slow as the"
                + " devices that they act like.")
final class VolumesEnvironmentCommand implements Callable<Integer> {
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
            throw VolumesCommand.failed(e);
        }
        out.flush();
        return 0;
    }
}
