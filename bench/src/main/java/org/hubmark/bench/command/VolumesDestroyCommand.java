package org.hubmark.bench.command;

import org.hubmark.bench.UserError;
import org.hubmark.bench.volumes.TestVolume;
import org.hubmark.bench.volumes.TestVolumes;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Removes test volumes. */
@Command(
        name = "destroy",
        mixinStandardHelpOptions = true,
        description = "Removes test volumes with all that is in them: exactly what 'create' made.")
final class VolumesDestroyCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..*",
            paramLabel = "DIR",
            description = "Which. Default: all that were made.")
    private @Nullable List<Path> folders;

    @Mixin
    private TestVolumesOption state;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        TestVolumes volumes = state.volumes();
        PrintWriter out = spec.commandLine().getOut();
        try {
            for (TestVolume volume : chosen(volumes.list())) {
                volumes.destroy(volume);
                out.println("removed " + volume.path());
                out.flush();
            }
        } catch (IOException e) {
            throw VolumesCommand.failed(e);
        }
        return 0;
    }

    private List<TestVolume> chosen(List<TestVolume> all) throws IOException {
        if (folders == null || folders.isEmpty()) {
            if (all.isEmpty()) {
                throw UserError.failed("there are no test volumes in " + state.folder());
            }
            return all;
        }
        List<TestVolume> chosen = new ArrayList<>();
        for (Path folder : folders) {
            Path absolute = folder.toAbsolutePath().normalize();
            String path = (Files.exists(absolute) ? absolute.toRealPath() : absolute).toString();
            chosen.add(all.stream()
                    .filter(volume -> volume.path().equals(path))
                    .findFirst()
                    .orElseThrow(() -> UserError.failed(folder + " is not a test volume of "
                            + state.folder() + "; nothing was removed")));
        }
        return chosen;
    }
}
